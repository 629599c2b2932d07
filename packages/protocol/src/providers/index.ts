/** Published entry: other identity providers by which people sign in. */
export * from './ldap.ts'
export * from './presets.ts'
export * from './provider.ts'
export * from './saml.ts'
export * from './upstream-claims.ts'
export * from './upstream-issuer.ts'
export * from './upstream-strength.ts'
export * from './upstream-tokens.ts'
