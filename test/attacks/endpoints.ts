/** Every address of the server that answers, so that an attack on one is an attack on all. */
const interaction = `/interact/gi_${'a'.repeat(43)}`

export const machineEndpoints = ['/token', '/revoke', '/introspect', '/userinfo', '/device_authorization'] as const

export const pagePosts = [
  '/authorize',
  '/logout',
  `/logout/gi_${'a'.repeat(43)}`,
  '/account',
  '/account/sessions',
  '/account/password',
  '/account/enter',
  '/account/enter/passkey',
  '/account/enter/second-factor',
  '/account/confirm',
  '/account/sign-in-methods',
  '/account/sign-in-methods/authenticator',
  '/account/address',
  '/device',
  '/forgot-password',
  '/reset-password',
  '/account/sign-out',
  `${interaction}/sign-in`,
  `${interaction}/passkey`,
  `${interaction}/second-factor`,
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
export const allEndpoints: readonly string[] = [
  ...posts,
  ...readOnly,
  '/t/acme/jwks',
  '/register',
  '/logos?client_id=web',
  '/nowhere',
  '/v1/clients',
]
