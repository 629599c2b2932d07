/** Published entry: tokens of other issuers. */
export * from './trust/claim-rules.ts'
export * from './trust/trusted-issuer.ts'
export * from './trust/trusted-token.ts'
