/** The answer of the token endpoint (RFC 6749 §5.1, OIDC Core §3.1.3.3, RFC 9396 §7). */
import type { IssueDecision } from '@grantor/protocol/grants'
import { formatScope, tokenTypeOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import type { MintedAccessToken } from './mint-access-token.ts'
import type { MintedRefreshToken } from './mint-refresh-token.ts'

export interface MintedTokens {
  readonly access: MintedAccessToken
  readonly refresh: MintedRefreshToken
  readonly idToken: string | null
}

export const tokenResponse = (decision: IssueDecision, { access, refresh, idToken }: MintedTokens): JsonObject => ({
  ...decision.response,
  access_token: access.token,
  // RFC 8693 §2.2.1: `N_A` for what is not an access token.
  token_type: decision.idJag === undefined ? tokenTypeOf(access.facts.claims) : 'N_A',
  expires_in: access.expiresIn,
  scope: formatScope(access.facts.scope),
  // RFC 9396 §7: the details as granted.
  ...(decision.details === undefined ? {} : { authorization_details: decision.details }),
  ...(refresh.token === null ? {} : { refresh_token: refresh.token }),
  ...(idToken === null ? {} : { id_token: idToken }),
})
