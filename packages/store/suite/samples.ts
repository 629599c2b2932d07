/** Fresh values for the suite, each whole and unlike the others. */
export * from './samples/values.ts'
export * from './samples/directory.ts'
export * from './samples/tokens.ts'
export * from './samples/people.ts'
