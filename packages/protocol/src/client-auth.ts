/** Published entry: client authentication. */
export * from './client-auth/authenticate.ts'
export * from './client-auth/client-secret-basic.ts'
export * from './client-auth/client-secret-post.ts'
export * from './client-auth/index.ts'
export * from './client-auth/none.ts'
export * from './client-auth/private-key-jwt.ts'
export * from './client-auth/rule.ts'
export * from './client-auth/secret.ts'
