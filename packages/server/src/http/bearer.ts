/** Admits a caller of the server's own resources by access token: RFC 6750 §2.1, audience the issuer, one scope. */
import type { IncomingMessage } from 'node:http'
import type { Authority } from '@grantor/authority'
import { bearerChallenge, bearerToken, type TokenChallenge } from '@grantor/protocol/http'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'

/** What is answered to a caller who is not admitted. */
export interface BearerError {
  readonly status: 400 | 401 | 503
  readonly headers: Readonly<Record<string, string>>
}

/** No event is written: whoever polls with a dead token must not fill the log. */
export async function admit(
  { headersDistinct: { authorization: shown = [] } }: Pick<IncomingMessage, 'headersDistinct'>,
  needs: { readonly tenant: TenantId; readonly scope: string; readonly audience: string },
  authority: Authority,
): Promise<Result<null, BearerError>> {
  // Which of two tokens is meant is not ours to guess (RFC 6750 §2).
  if (shown.length > 1) return refused({ error: 'invalid_request' }, 400)
  const token = bearerToken(shown[0])
  if (token === null) return refused({})
  const found = await authority.admin.tokens.inspect(needs.tenant, token)
  if (found.kind === 'error' && found.error.reason === 'unavailable') {
    return err({ status: 503, headers: { 'retry-after': '2' } })
  }
  if (found.kind === 'error') return refused({ error: 'invalid_token' })
  const { active, aud, cnf, scope } = found.value
  // A token that is bound to a key is worth nothing without a proof of it, and none is asked for here.
  if (active !== true || aud !== needs.audience || cnf !== undefined) return refused({ error: 'invalid_token' })
  const held = typeof scope === 'string' ? scope.split(' ') : []
  return held.includes(needs.scope) ? ok(null) : refused({ error: 'insufficient_scope', scope: needs.scope })
}

const refused = (challenge: TokenChallenge, status: 400 | 401 = 401): Err<BearerError> =>
  err({ status, headers: { 'www-authenticate': bearerChallenge({ realm: 'grantor', ...challenge }) } })
