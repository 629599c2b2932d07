/** Published entry: JOSE. */
export * from './jose/algorithms.ts'
export * from './jose/jwt.ts'
export * from './jose/key-set.ts'
export * from './jose/key.ts'
export * from './jose/thumbprint.ts'
export * from './jose/verification-key.ts'
