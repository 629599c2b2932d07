/** The WebAuthn relying party (WebAuthn §4), and its challenges: each for one browser, one purpose, one answer. */
import { isIP } from 'node:net'
import type { Policy } from '@grantor/protocol/oauth'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { CountedLimits } from '../limits/limits.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import { browserHandle, type Visitor } from '../interact/visitor.ts'

export interface RelyingParty {
  /** The host of the issuer: all tenants share it, and their passkeys differ by user handle. */
  readonly id: string
  readonly origin: string
}

/** Null where passkeys are impossible: browsers support none for an IP address. */
export function relyingParty(tenant: TenantId, issuers: Issuers): RelyingParty | null {
  const { hostname, origin } = new URL(issuers.issuerOf(tenant))
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null
}

/** WebAuthn §14.6.1: the user handle reveals nothing about the person, and differs by tenant. */
export const userHandleOf = (tenant: TenantId, subject: string, ids: Pick<Ids, 'handleOf'>): string =>
  ids.handleOf(`passkey user ${tenant} ${subject}`)

/** The purpose of a challenge: a sign-in at the account pages or in one interaction, or the enrolment of one person. */
export type ChallengePurpose = 'account' | Handle | { readonly enrol: string }

const purposeName = (purpose: ChallengePurpose): string =>
  typeof purpose === 'string' ? purpose : `enrol ${purpose.enrol}`

export interface ChallengeDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly limits: CountedLimits
  readonly policy: Policy
  readonly store: Pick<Store, 'factors'>
}

/**
 * Null for a browser without a cookie, whose answer could not be told from another's, and for one that exceeds the
 * limit.
 */
export async function poseChallenge(
  purpose: ChallengePurpose,
  visitor: Visitor,
  { clock, ids, limits, policy, store }: ChallengeDependencies,
): Promise<string | null> {
  const browser = browserHandle(visitor, ids)
  if (browser === null || (await interactionLimitReached('passkey', visitor, limits)) !== null) return null
  const challenge = Buffer.from(ids.salt()).toString('base64url')
  await store.factors.poseChallenge({
    tenant: visitor.tenant,
    handle: ids.handleOf(challenge),
    browser,
    purpose: purposeName(purpose),
    expiresAt: (clock.now() + policy.interactionTtl * 1000) as Instant,
  })
  return challenge
}

/** Whether this server posed the challenge to this browser for this purpose; true only once. */
export async function spendChallenge(
  { challenge, purpose }: { readonly challenge: string; readonly purpose: ChallengePurpose },
  visitor: Visitor,
  { clock, ids, store }: ChallengeDependencies,
): Promise<boolean> {
  const { tenant } = visitor
  const browser = browserHandle(visitor, ids)
  if (browser === null) return false
  const handle = ids.handleOf(challenge)
  const posed = { tenant, handle, browser, purpose: purposeName(purpose), now: clock.now() }
  return (await store.factors.takeChallenge(posed)) === 'taken'
}
