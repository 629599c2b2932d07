/**
 * A provider reports that a session there has ended (OIDC Back-Channel Logout §2.5): the sessions here that came from
 * it end.
 */
import type { NewEvent } from '@grantor/protocol/events'
import { parseJwt, type ParsedJwt } from '@grantor/protocol/jose'
import { type Policy, textLimits } from '@grantor/protocol/oauth'
import { issuerOfToken, logoutTokenProblem, presetOf, type StoredProvider } from '@grantor/protocol/providers'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { SessionRow, Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import { type EventDependencies, localOrigin, newEvent, systemActor } from '../events.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { issuerKeys } from '../trust/issuer-keys.ts'
import { servedProviders } from './served-providers.ts'
import { providerCause, upstreamOf } from './upstream.ts'

export interface UpstreamLogoutDependencies extends EventDependencies {
  readonly clock: Clock
  readonly directory: Pick<Directory, 'currentCatalogue'>
  readonly ids: Ids
  readonly outbound: Outbound
  readonly policy: Pick<Policy, 'leeway'>
  readonly store: Pick<Store, 'assertions' | 'identities' | 'sessions'>
}

export interface UpstreamLogout {
  readonly tenant: TenantId
  readonly provider: string
  readonly token: string
}

export type UpstreamLogoutOutcome =
  | { readonly did: 'ended'; readonly sessions: number }
  /** `problem` is for the operator's log. */
  | { readonly did: 'refused'; readonly problem: string }
  | { readonly did: 'unavailable' }
  | { readonly did: 'unknown' }

/** Sessions read in one page. */
const batchSize = 100

export async function endUpstreamSessions(
  { tenant, provider: id, token }: UpstreamLogout,
  deps: UpstreamLogoutDependencies,
): Promise<UpstreamLogoutOutcome> {
  const provider = servedProviders(await deps.directory.currentCatalogue(tenant)).find((it) => it.id === id)
  if (provider === undefined || presetOf(provider).protocol !== 'oidc') return { did: 'unknown' }
  const jwt = token.length > textLimits.jwt ? null : parseJwt(token)
  if (jwt === null) return { did: 'refused', problem: 'token_malformed' }
  const checked = await believedToken(provider, { jwt, problemOf: logoutTokenProblem }, deps)
  if (checked.did !== 'believed') return checked
  const { issuer } = checked
  const { iat, jti, exp } = jwt.claims
  // A session that began after the token was made is not affected, however often the token is sent.
  const upTo = (Number(iat) + deps.policy.leeway) * 1000 + 999
  const affected = await sessionsMeant({ tenant, provider: id, issuer }, jwt, deps)
  const over = affected.filter((it) => it.createdAt <= upTo)
  for (const session of over)
    await deps.store.sessions.end(tenant, session.id, deps.clock.now(), [sessionEnded(session, id, deps)])
  // After all sessions have ended: a provider that is told of a failure sends the same token again.
  const handle = deps.ids.handleOf(`${issuer} ${jti as string}`)
  const expiresAt = Math.ceil((Number(exp) + deps.policy.leeway) * 1000) as Instant
  const spent = await deps.store.assertions.spend({ tenant, clientId: `provider ${id}`, handle, expiresAt })
  return spent === 'spent' ? { did: 'ended', sessions: over.length } : { did: 'refused', problem: 'token_jti_used' }
}

/** Whether a token was signed by the provider, for this server; `problemOf` checks what is specific to its kind. */
export async function believedToken(
  provider: StoredProvider,
  { jwt, problemOf }: { readonly jwt: ParsedJwt; readonly problemOf: typeof logoutTokenProblem },
  deps: Pick<UpstreamLogoutDependencies, 'clock' | 'outbound' | 'policy'>,
): Promise<Exclude<UpstreamLogoutOutcome, { did: 'ended' }> | { readonly did: 'believed'; readonly issuer: string }> {
  const upstream = await upstreamOf(provider, deps.outbound)
  if (upstream.kind === 'error') return { did: 'unavailable' }
  const { issuer, jwksUri, algs } = upstream.value
  const on = { issuer, algs, clientId: provider.client_id, now: deps.clock.now(), leeway: deps.policy.leeway }
  // What fails without keys is not worth asking for them.
  const early = problemOf(jwt, { ...on, keys: [] })
  if (early !== null && early !== 'token_signature') return { did: 'refused', problem: early }
  const keys = await issuerKeys({ issuer, jwks_uri: jwksUri }, jwt, deps.outbound, providerCause)
  if (keys === 'unavailable') return { did: 'unavailable' }
  const problem = problemOf(jwt, { ...on, keys })
  if (problem !== null) return { did: 'refused', problem }
  return { did: 'believed', issuer: issuerOfToken(jwt.claims, issuer) ?? issuer }
}

interface AtProvider {
  readonly tenant: TenantId
  readonly provider: string
  readonly issuer: string
}

/** §2.6: one session, or all of a person; where the token names both, the session must be that person's. */
export async function sessionsMeant(
  { tenant, provider, issuer }: AtProvider,
  { claims: { sub, sid } }: Pick<ParsedJwt, 'claims'>,
  { clock, store }: UpstreamLogoutDependencies,
): Promise<readonly SessionRow[]> {
  const name = { provider, issuer, upstreamSubject: sub as string }
  const identity = sub === undefined ? null : await store.identities.find(tenant, name)
  if (typeof sid === 'string') {
    const found = await store.sessions.byUpstream(tenant, provider, sid)
    return sub === undefined ? found : found.filter((it) => it.authentication.subject === identity?.subject)
  }
  if (identity === null) return []
  const all: SessionRow[] = []
  for (let before: SessionRow | null = null; ;) {
    const page = { now: clock.now(), before, limit: batchSize }
    const found: readonly SessionRow[] = await store.sessions.livingOf(tenant, identity.subject, page)
    all.push(...found.filter(({ upstream }) => upstream?.provider === provider))
    before = found.at(-1) ?? null
    if (found.length < batchSize) return all
  }
}

export function sessionEnded(
  { tenant, id, authentication: { subject } }: SessionRow,
  provider: string,
  deps: EventDependencies,
): NewEvent {
  const about = { actor: systemActor, subject, reason: 'provider', data: { sid: id, provider } }
  return newEvent(deps, localOrigin(tenant), 'session.ended', about)
}
