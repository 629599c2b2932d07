/** Every address of the server that answers, so that an attack on one is an attack on all. */
const interaction = `/interact/gi_${'a'.repeat(43)}`

export const machineEndpoints = ['/token', '/revoke', '/introspect', '/userinfo'] as const

export const pagePosts = [
  '/authorize',
  '/logout',
  '/account',
  '/account/sessions',
  '/account/password',
  '/account/enter',
  '/account/sign-out',
  `${interaction}/sign-in`,
  `${interaction}/choose`,
  `${interaction}/decide`,
] as const

export const readOnly = [
  '/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/grantor',
  '/revocations/stream',
  '/revocations/changes',
  '/revocations/snapshot',
  '/metrics',
  '/problems',
  '/problems/invalid_request',
  '/account/activity',
  '/signed-out',
  interaction,
] as const

export const posts: readonly string[] = [...machineEndpoints, ...pagePosts, '/t/acme/token', '/t/acme/authorize']
export const everywhere: readonly string[] = [
  ...posts,
  ...readOnly,
  '/t/acme/jwks',
  '/register',
  '/nowhere',
  '/v1/clients',
]
