/** Published entry: Token Status Lists. */
export * from './list-encoding.ts'
export * from './list-token.ts'
export * from './status-claim.ts'
