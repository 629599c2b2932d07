/** The list of grants. Adding one means one file and one line here. */
import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import { deviceCode } from './device-code.ts'
import { refreshToken } from './refresh-token.ts'
import type { Facts, GrantRule } from './rule.ts'

export const grantRules = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  client_credentials: clientCredentials,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCode,
} as const
export type GrantType = keyof typeof grantRules

/** The rule of a `grant_type`, with its own types forgotten: whoever drives it only carries them from parse to decide. */
export const grantRule = (type: string): GrantRule<unknown, keyof Facts> | null =>
  Object.hasOwn(grantRules, type) ? grantRules[type as GrantType] : null
