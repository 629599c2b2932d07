/** client_secret_basic — RFC 6749 §2.3.1, RFC 7617 §2. */
import { parseAuthorizationHeader } from '../http/authorization.ts'
import { decodeComponent } from '../oauth/form.ts'
import type { Handle } from '../types.ts'
import { err, ok } from '../result.ts'
import { type ClientAuthRule, isClientId, type PresentedClient } from './rule.ts'
import { matchesSecret } from './secret.ts'

export const clientSecretBasic: ClientAuthRule = {
  method: 'client_secret_basic',
  scheme: 'basic',
  recognise({ authorization, form }, handleOf) {
    const header = parseAuthorizationHeader(authorization)
    if (header?.scheme !== 'basic') return null
    const presented = header.token === null ? null : credentials(header.token, handleOf)
    if (presented === null) return err({ reason: 'client_auth_malformed' })
    // RFC 6749 §3.2.1 allows client_id in the body as well; it must be the same.
    const again = form.get('client_id')
    return again === undefined || again === presented.clientId
      ? ok(presented)
      : err({ reason: 'client_auth_ambiguous' })
  },
  proves: ({ presented, client, now }) => matchesSecret(presented.secret, client, now),
}

/** RFC 7617 §2: base64 of id:secret; RFC 6749 §2.3.1: both were form-encoded before that. */
function credentials(token: string, handleOf: (secret: string) => Handle): PresentedClient | null {
  if (token.length > 8192 || !/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return null
  const pair = Buffer.from(token, 'base64').toString('latin1')
  const colon = pair.indexOf(':')
  if (colon === -1) return null
  const clientId = decodeComponent(pair.slice(0, colon))
  const secret = decodeComponent(pair.slice(colon + 1))
  if (clientId === null || secret === null || !isClientId(clientId)) return null
  return { method: 'client_secret_basic', clientId, secret: handleOf(secret) }
}
