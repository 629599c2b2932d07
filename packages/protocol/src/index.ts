/** The published face of the protocol room. */
export * from './words.ts'
export * from './policy.ts'
export * from './events.ts'
export * from './refusal.ts'
export * from './challenge.ts'
export * from './form.ts'
export * from './scope.ts'
