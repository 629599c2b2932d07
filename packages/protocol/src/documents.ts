/** Published entry: the published documents. */
export * from './documents/capabilities.ts'
export * from './documents/grantor.ts'
export * from './documents/jwks.ts'
export * from './documents/metadata.ts'
export * from './documents/served.ts'
