/** Published entry: declared claims. */
export * from './claim-mapping.ts'
export * from './mapped-claims.ts'
export * from './reserved-claims.ts'
