/** The list of grants. Adding one means one file and one line here. */
import { authorizationCode } from './authorization-code.ts'
import { ciba } from './ciba.ts'
import { clientCredentials } from './client-credentials.ts'
import { deviceCode } from './device-code.ts'
import { jwtBearer } from './jwt-bearer.ts'
import { refreshToken } from './refresh-token.ts'
import { tokenExchange } from './token-exchange.ts'
import type { AnyGrantRule } from './rule.ts'

export const grantRules: readonly AnyGrantRule[] = Object.freeze([
  authorizationCode,
  refreshToken,
  clientCredentials,
  deviceCode,
  ciba,
  tokenExchange,
  jwtBearer,
])
