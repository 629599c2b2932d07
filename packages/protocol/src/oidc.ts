/** Published entry: OpenID Connect. */
export * from './oidc/claims.ts'
export * from './oidc/id-token.ts'
export * from './oidc/initiated-login.ts'
export * from './oidc/logout-token.ts'
export * from './oidc/logout.ts'
export * from './oidc/scopes.ts'
export * from './oidc/subject.ts'
export * from './oidc/userinfo.ts'
