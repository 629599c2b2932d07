/**
 * Sends a browser to a provider (OIDC Core §3.1.2.1, RFC 7636). The purpose of the visit is sealed, and opens only for
 * that browser.
 */
import { createHash } from 'node:crypto'
import type { Policy } from '@grantor/protocol/oauth'
import { presetOf, scopesOf, type StoredProvider } from '@grantor/protocol/providers'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import { browserHandle, type CookieChanges, type Visitor } from '../interact/visitor.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import type { CountedLimits } from '../limits/limits.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import type { Vault } from '../ports/vault.ts'
import { visitedProviders } from './served-providers.ts'
import { samlRequestAddress, samlRequestId } from './saml/relying-party.ts'
import { upstreamOf } from './upstream.ts'

/** Why a person leaves for a provider, which determines where they return to. */
export type VisitPurpose =
  | { readonly kind: 'interaction'; readonly interaction: Secret }
  /** Returns to the account pages; `section` is a name from the pages' own list. */
  | { readonly kind: 'account'; readonly section: string; readonly confirming: boolean }
  /** Links the person to their identity there; `sid` is the session that asked for it. */
  | { readonly kind: 'link'; readonly subject: string; readonly sid: string }

/** The sealed state that awaits the browser's return. */
export interface SealedVisit {
  readonly purpose: VisitPurpose
  readonly nonce: string
  readonly verifier: string
  readonly leftAt: Instant
}

export interface DepartureRequest {
  readonly provider: string
  readonly purpose: VisitPurpose
  /** The address that the person typed, so that they need not type it again. */
  readonly loginHint: string | null
  /** Whether the person must authenticate again. */
  readonly again: boolean
  readonly acrValues: readonly string[]
}

export type Departure =
  | { readonly did: 'left'; readonly location: string; readonly cookies: CookieChanges }
  /** The provider cannot be asked now, or is not served (any more): other ways to sign in remain. */
  | { readonly did: 'unavailable' }
  | { readonly did: 'throttled'; readonly seconds: number }

export interface DepartureDependencies {
  readonly clock: Clock
  readonly directory: Pick<Directory, 'currentCatalogue'>
  readonly ids: Ids
  readonly issuers: Issuers
  readonly limits: CountedLimits
  readonly outbound: Outbound
  readonly policy: Pick<Policy, 'interactionTtl'>
  readonly store: Pick<Store, 'identities'>
  readonly vault: Vault
}

export const visitContext = (tenant: string): string => `provider-visit ${tenant}`

/** The address to which a provider sends people back; it must be registered there exactly so. */
export const returnAddress = (issuer: string, provider: string): string => `${issuer}/callback/${provider}`

const random = (ids: Ids): string => Buffer.from(ids.salt()).toString('base64url')

export async function leaveForProvider(
  asked: DepartureRequest,
  visitor: Visitor,
  deps: DepartureDependencies,
): Promise<Departure> {
  const { tenant } = visitor
  const provider = visitedProviders(await deps.directory.currentCatalogue(tenant)).find(
    (it) => it.id === asked.provider,
  )
  if (provider === undefined) return { did: 'unavailable' }
  const limited = await interactionLimitReached('provider', visitor, deps.limits)
  if (limited !== null)
    return { did: 'throttled', seconds: 'retryAfter' in limited.error ? limited.error.retryAfter : 60 }
  const redirectUri = returnAddress(deps.issuers.issuerOf(tenant), provider.id)
  const values = { state: random(deps.ids), nonce: random(deps.ids), verifier: random(deps.ids), redirectUri }
  const location = await requestAddress(provider, asked, values, deps)
  if (location === null) return { did: 'unavailable' }
  const now = deps.clock.now()
  const { state, nonce, verifier } = values
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const visit: SealedVisit = { purpose: asked.purpose, nonce, verifier, leftAt: now }
  await deps.store.identities.leave({
    tenant,
    handle: deps.ids.handleOf(state),
    provider: provider.id,
    browser: deps.ids.handleOf(browser),
    sealed: deps.vault.sealShortLived(Buffer.from(JSON.stringify(visit)), visitContext(tenant)),
    expiresAt: (now + deps.policy.interactionTtl * 1000) as Instant,
  })
  return { did: 'left', location, cookies: visitor.browser === null ? { browser } : {} }
}

interface FreshValues {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** The address with the request, in the provider's protocol; null where it cannot be asked now. */
async function requestAddress(
  provider: StoredProvider,
  asked: DepartureRequest,
  values: FreshValues,
  { outbound }: Pick<DepartureDependencies, 'outbound'>,
): Promise<string | null> {
  if (presetOf(provider).protocol === 'saml') {
    const { state: relayState, nonce, redirectUri: recipient } = values
    return samlRequestAddress({ provider, recipient, requestId: samlRequestId(nonce), relayState, again: asked.again })
  }
  const upstream = await upstreamOf(provider, outbound)
  if (upstream.kind === 'error') return null
  const url = new URL(upstream.value.authorization)
  const parameters = requestParameters(provider, asked, values)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function requestParameters(
  provider: StoredProvider,
  { loginHint, again, acrValues }: DepartureRequest,
  { state, nonce, verifier, redirectUri }: FreshValues,
): Readonly<Record<string, string>> {
  const preset = presetOf(provider)
  const isOidc = preset.protocol === 'oidc'
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: redirectUri,
    scope: scopesOf(provider).join(' '),
    state,
    ...(isOidc ? { nonce } : {}),
    ...(preset.pkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
    ...(preset.formPost ? { response_mode: 'form_post' } : {}),
    // max_age makes the provider return auth_time (OIDC Core §2).
    ...(again && preset.asksAgain ? { prompt: 'login', max_age: '0' } : {}),
    ...(provider.trust_amr === true && acrValues.length > 0 ? { acr_values: acrValues.join(' ') } : {}),
    ...(loginHint === null || loginHint === '' ? {} : { [isOidc ? 'login_hint' : 'login']: loginHint }),
  }
}

/** The state that was sealed when this browser left; null where it did not leave, or has returned already. */
export async function visitBehind(
  { state, provider }: { readonly state: string; readonly provider: string },
  visitor: Visitor,
  { clock, ids, store, vault }: Pick<DepartureDependencies, 'clock' | 'ids' | 'store' | 'vault'>,
): Promise<SealedVisit | null> {
  const { tenant } = visitor
  const browser = browserHandle(visitor, ids)
  if (browser === null) return null
  const way = { tenant, handle: ids.handleOf(state), provider, browser, now: clock.now() }
  const sealed = await store.identities.comeBack(way)
  const opened = sealed === null ? null : vault.open(sealed, visitContext(tenant))
  return opened === null ? null : (JSON.parse(Buffer.from(opened).toString()) as SealedVisit)
}
