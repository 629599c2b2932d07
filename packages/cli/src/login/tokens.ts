/** The tokens of a login, and a valid access token: refreshed shortly before it expires, by one process at a time. */
import { ok } from '@grantor/protocol/result'
import { refreshTokenGrant, type TokenEndpointResponse } from 'openid-client'
import { type CommandResult, failure } from '../program/exit.ts'
import { answered, discoverIssuer, exitAt } from './issuer-client.ts'
import { readStoredLogin, type StoredLogin, storeLogin, withLogin } from './stored-login.ts'
import { loginEnded, type LoginTarget, notSignedIn } from './target.ts'

/** Milliseconds: an access token with less time left is refreshed, because a script could not use it for long. */
const nearEnd = 60_000

export const loginFrom = (
  tokens: TokenEndpointResponse,
  before: Pick<StoredLogin, 'issuer' | 'clientId' | 'scope' | 'refreshToken'>,
): StoredLogin => ({
  issuer: before.issuer,
  clientId: before.clientId,
  scope: tokens.scope ?? before.scope,
  accessToken: tokens.access_token,
  expiresAt: Date.now() + (tokens.expires_in ?? 0) * 1000,
  // RFC 6749 §6: if the answer has no new refresh token, the old one stays valid.
  refreshToken: tokens.refresh_token ?? before.refreshToken,
})

const isFresh = (login: StoredLogin): boolean => login.expiresAt - Date.now() > nearEnd

export async function freshLogin(target: LoginTarget): Promise<CommandResult<StoredLogin>> {
  const { folder, issuer } = target
  const held = readStoredLogin(folder, issuer)
  if (held === null) return notSignedIn(issuer)
  if (isFresh(held)) return ok(held)
  return withLogin(folder, issuer, async () => {
    // Another process may have refreshed the login, or signed out, while this one waited for the lock.
    const now = readStoredLogin(folder, issuer)
    if (now === null) return notSignedIn(issuer)
    return isFresh(now) ? ok(now) : refreshLogin(target, now)
  })
}

async function refreshLogin(target: LoginTarget, login: StoredLogin): Promise<CommandResult<StoredLogin>> {
  const { folder, issuer } = target
  if (login.refreshToken === null) return loginEnded(issuer)
  const config = await discoverIssuer(target, login.clientId)
  if (config.kind === 'error') return config
  const answer = await answered(refreshTokenGrant(config.value, login.refreshToken))
  if (answer.kind === 'ok') {
    const renewed = loginFrom(answer.value, login)
    storeLogin(folder, renewed)
    return ok(renewed)
  }
  const { status, error } = answer.error
  if (error === 'invalid_grant') return loginEnded(issuer)
  return failure(exitAt(status), `${issuer} cannot be used: ${`it answered ${status} ${error ?? ''}`.trim()}`)
}
