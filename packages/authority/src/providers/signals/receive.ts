/**
 * A provider reports by a security event token (SSF 1.0, CAEP 1.0) a change of a person's session or credentials: the
 * sessions here that came from it end.
 */
import { parseJwt } from '@grantor/protocol/jose'
import { textLimits } from '@grantor/protocol/oauth'
import { longestSignalAge, presetOf, signalTokenProblem } from '@grantor/protocol/providers'
import { signalType, subjectOfSignal } from '@grantor/protocol/ssf'
import { type Instant, isJsonObject, type JsonObject, type TenantId } from '@grantor/protocol/types'
import type { SessionRow } from '@grantor/store'
import { believedToken, sessionEnded, sessionsMeant, type UpstreamLogoutDependencies } from '../backchannel-logout.ts'
import { servedProviders } from '../served-providers.ts'

export type ReceivedSignalOutcome =
  /** `ignored`: the event types that have no effect here, for the operator's log. */
  | { readonly did: 'taken'; readonly sessions: number; readonly ignored: readonly string[] }
  | { readonly did: 'refused'; readonly problem: string }
  | { readonly did: 'unavailable' }
  | { readonly did: 'unknown' }

/** Both require the person to sign in again: the sessions that came from there end. */
const ending: ReadonlySet<string> = new Set([signalType.sessionRevoked, signalType.credentialChange])

export async function receiveSignal(
  { tenant, provider: id, token }: { readonly tenant: TenantId; readonly provider: string; readonly token: string },
  deps: UpstreamLogoutDependencies,
): Promise<ReceivedSignalOutcome> {
  const provider = servedProviders(await deps.directory.currentCatalogue(tenant)).find((it) => it.id === id)
  if (provider === undefined || presetOf(provider).protocol !== 'oidc') return { did: 'unknown' }
  const jwt = token.length > textLimits.jwt ? null : parseJwt(token)
  if (jwt === null) return { did: 'refused', problem: 'token_malformed' }
  const checked = await believedToken(provider, { jwt, problemOf: signalTokenProblem }, deps)
  if (checked.did !== 'believed') return checked
  const { issuer } = checked
  const { iat, jti, events, sub_id: subject } = jwt.claims
  const types = Object.entries(events as JsonObject)
  const signalSubject = subjectOfSignal(subject, issuer)
  const ends = signalSubject === null ? [] : types.filter(([type]) => ending.has(type))
  const over = new Map<string, SessionRow>()
  for (const [type, body] of ends) {
    // A changed credential affects all sessions of the person.
    const claims = type === signalType.credentialChange ? { sub: signalSubject?.sub ?? '' } : { ...signalSubject }
    const upTo = (whenIn(body, Number(iat)) + deps.policy.leeway) * 1000 + 999
    const found = await sessionsMeant({ tenant, provider: id, issuer }, { claims }, deps)
    // A session that began after the event is not affected.
    for (const session of found) if (session.createdAt <= upTo) over.set(session.id, session)
  }
  const handle = deps.ids.handleOf(`${issuer} ${jti as string}`)
  const expiresAt = Math.ceil((Number(iat) + longestSignalAge + deps.policy.leeway) * 1000) as Instant
  // A token without effect need not be remembered.
  const sessions =
    ends.length === 0
      ? 0
      : await deps.store.sessions.endOnce({
          spent: { tenant, clientId: `signals ${id}`, handle, expiresAt },
          ends: [...over.values()].map((it) => ({ id: it.id, events: [sessionEnded(it, id, deps)] })),
          at: deps.clock.now(),
        })
  const ignored = types.filter((it) => !ends.includes(it)).map(([type]) => type)
  // RFC 8935 §2.2: a token that is sent again is accepted again, without any further effect.
  return { did: 'taken', sessions: sessions === 'already-spent' ? 0 : sessions, ignored }
}

/** Seconds: CAEP 1.0 §2, but never later than the token was issued. */
function whenIn(body: unknown, iat: number): number {
  const at = isJsonObject(body) ? body['event_timestamp'] : undefined
  return typeof at === 'number' && Number.isFinite(at) ? Math.min(at, iat) : iat
}
