/** Published entry: proof of possession by DPoP (RFC 9449). */
export * from './dpop/make-proof.ts'
export * from './dpop/nonces.ts'
export * from './dpop/proof.ts'
export * from './dpop/target.ts'
