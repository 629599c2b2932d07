/** Token answers as a login keeps them, and an access token that still lives: refreshed when near its end, by one process. */
import { type Answer, type Ask, numberIn, textIn } from './ask.ts'
import { storeLogin, type StoredLogin, loginFile, readStoredLogin } from './stored-login.ts'
import { withFileLock } from './lock.ts'
import { endpointsOf } from './metadata.ts'

/** Less than this left is too little to be of use to a script. */
const nearEnd = 60_000

/** Null where the answer holds no bearer token. */
export function loginFrom(
  { body }: Answer,
  before: Pick<StoredLogin, 'issuer' | 'clientId' | 'scope' | 'refreshToken'>,
): StoredLogin | null {
  const accessToken = textIn(body, 'access_token')
  if (accessToken === null || textIn(body, 'token_type')?.toLowerCase() !== 'bearer') return null
  return {
    issuer: before.issuer,
    clientId: before.clientId,
    scope: textIn(body, 'scope') ?? before.scope,
    accessToken,
    expiresAt: Date.now() + (numberIn(body, 'expires_in') ?? 0) * 1000,
    // RFC 6749 §6: a refresh that brings none leaves the one there was.
    refreshToken: textIn(body, 'refresh_token') ?? before.refreshToken,
  }
}

export type Fresh =
  | { readonly ok: true; readonly login: StoredLogin }
  /** Signed out, revoked, or over: only signing in again helps. */
  | { readonly ok: false; readonly why: 'absent' | 'ended' }
  | { readonly ok: false; readonly why: 'refused'; readonly what: string }

const isFresh = (login: StoredLogin): boolean => login.expiresAt - Date.now() > nearEnd

export async function freshLogin(folder: string, issuer: string, ask: Ask): Promise<Fresh> {
  const held = readStoredLogin(folder, issuer)
  if (held === null) return { ok: false, why: 'absent' }
  if (isFresh(held)) return { ok: true, login: held }
  return withFileLock(loginFile(folder, issuer), async () => {
    // Another process may have refreshed it, or signed out, while this one waited.
    const now = readStoredLogin(folder, issuer)
    if (now === null) return { ok: false, why: 'absent' }
    return isFresh(now) ? { ok: true, login: now } : refresh(folder, now, ask)
  })
}

async function refresh(folder: string, login: StoredLogin, ask: Ask): Promise<Fresh> {
  if (login.refreshToken === null) return { ok: false, why: 'ended' }
  const endpoints = await endpointsOf(login.issuer, ask)
  if (typeof endpoints === 'string') return { ok: false, why: 'refused', what: endpoints }
  const form = { grant_type: 'refresh_token', refresh_token: login.refreshToken, client_id: login.clientId }
  const answer = await ask(endpoints.token, { form })
  const renewed = answer.status === 200 ? loginFrom(answer, login) : null
  if (renewed !== null) {
    storeLogin(folder, renewed)
    return { ok: true, login: renewed }
  }
  const error = textIn(answer.body, 'error')
  if (error === 'invalid_grant') return { ok: false, why: 'ended' }
  return { ok: false, why: 'refused', what: `it answered ${answer.status} ${error ?? ''}`.trim() }
}
