/** Creates a session with a new secret for a person who has proven who they are. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Authentication } from '@grantor/protocol/people'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { NewSession, Store, UpstreamSession } from '@grantor/store'
import { keepAccount } from '../account/deletion.ts'
import { newEvent } from '../events.ts'
import type { RememberedBrowserDependencies } from '../factors/remembered-browser.ts'
import type { Proof } from '../ports/people.ts'
import {
  type AttemptDependencies,
  type CountedAttempt,
  peopleKnownHere,
  recordSignInFailure,
} from '../limits/sign-in-attempts.ts'
import { type PendingFactorDependencies, sealPendingSecondFactor } from './pending-second-factor.ts'
import type { SignInOutcome } from './response.ts'
import { type Account, type AccountDependencies, accountsOf, maxAccounts, type Visitor } from './visitor.ts'

export type SignInDependencies = AccountDependencies &
  PendingFactorDependencies &
  RememberedBrowserDependencies &
  AttemptDependencies & {
    readonly store: Pick<Store, 'events' | 'users'>
  }

export type SignInOfSubject =
  | Exclude<SignInOutcome, { did: 'signed-in' | 'second-factor-pending' }>
  | (Extract<SignInOutcome, { did: 'signed-in' | 'second-factor-pending' }> & { readonly subject: string })

/** The factors that a person has proven, and the times that limit the session. */
export interface ProvenSignIn extends Proof {
  readonly at: Instant
  /** When the check of the last factor began. */
  readonly since: Instant
  readonly until: Instant | null
  /** The provider that signed the person in; null for a sign-in here. */
  readonly upstream: UpstreamSession | null
  /** The limits charged before the factor was checked, to be refunded when the session begins. Null where none were. */
  readonly tried: CountedAttempt | null
  /** Where the person has a second factor here, the sign-in stays pending until it is shown. */
  readonly unlessSecondFactor?: boolean
}

/** Every sign-in makes a new secret (session fixation), and ends the session of the same person in this browser. */
export async function beginSession(
  proof: ProvenSignIn,
  visitor: Visitor,
  deps: SignInDependencies,
): Promise<SignInOfSubject> {
  await keepAccount(proof.person, visitor, deps)
  const now = proof.since
  const accounts = await accountsOf(visitor, deps)
  const before = accounts.find((account) => account.person.id === proof.person.id)
  const secret = deps.ids.secret('gl_')
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const knownHere = proof.tried?.knownHere ?? (await peopleKnownHere(visitor, deps))
  const known = knownHere.some(({ subject }) => subject === proof.person.id)
  const id = deps.ids.id()
  const authentication: Authentication = {
    subject: proof.person.id,
    sessionId: id,
    at: proof.at,
    acr: proof.acr,
    amr: proof.amr,
  }
  const session: NewSession = {
    tenant: visitor.tenant,
    id,
    handle: deps.ids.handleOf(secret),
    browser: deps.ids.handleOf(browser),
    authentication,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: Math.min(now + deps.policy.sessionMaxTtl * 1000, proof.until ?? Infinity) as Instant,
    endedAt: null,
    ip: visitor.ip,
    userAgent: visitor.userAgent?.slice(0, 300) ?? null,
    passwordSeen: proof.person.passwordChangedAt,
    ...(proof.upstream === null ? {} : { upstream: proof.upstream }),
    unlessSecondFactor: proof.unlessSecondFactor ?? false,
    returned: deps.limits.giveBackWithCommit(proof.tried?.counted ?? []),
  }
  const replaced = before?.session.id ?? null
  const events = sessionEvents(proof, { id, replaced, known }, visitor, deps)
  const outcome = await deps.store.sessions.start(session, replaced, events)
  if (outcome === 'outdated')
    return recordSignInFailure({ subject: proof.person.id, reason: 'password' }, visitor, deps)
  if (outcome === 'second-factor')
    return {
      did: 'second-factor-pending',
      subject: proof.person.id,
      cookies: sealPendingSecondFactor(proof, visitor, deps),
    }
  const kept = await keptBeside(
    accounts.filter((account) => account !== before),
    visitor,
    deps,
  )
  const pending = visitor.pendingSecondFactor === null ? {} : { pendingSecondFactor: null }
  const cookies = { sessions: [...kept, secret], ...pending, ...(visitor.browser === null ? { browser } : {}) }
  return { did: 'signed-in', subject: proof.person.id, cookies }
}

interface StartedSession {
  readonly id: string
  /** The session of the same person that the new one ends. */
  readonly replaced: string | null
  /** Whether the person signed in with this browser before. */
  readonly known: boolean
}

function sessionEvents(
  { person, acr, amr, upstream }: ProvenSignIn,
  { id, replaced, known }: StartedSession,
  visitor: Visitor,
  deps: SignInDependencies,
): readonly NewEvent[] {
  const about = { actor: { kind: 'user' as const, id: person.id }, subject: person.id }
  const provider = upstream === null ? {} : { provider: upstream.provider }
  const data = { sid: id, acr, amr: [...amr], known_browser: known, ...provider }
  const started = newEvent(deps, visitor, 'session.started', { ...about, data })
  if (replaced === null) return [started]
  return [started, newEvent(deps, visitor, 'session.ended', { ...about, reason: 'replaced', data: { sid: replaced } })]
}

/**
 * The secrets of the other accounts in this browser. Accounts beyond the maximum that the cookie holds are signed out.
 */
async function keptBeside(
  others: readonly Account[],
  visitor: Visitor,
  deps: SignInDependencies,
): Promise<readonly Secret[]> {
  const kept = others.slice(1 - maxAccounts)
  for (const { person, session } of others.slice(0, others.length - kept.length)) {
    const about = { actor: { kind: 'user' as const, id: person.id }, subject: person.id, data: { sid: session.id } }
    const ended = newEvent(deps, visitor, 'session.ended', about)
    await deps.store.sessions.end(visitor.tenant, session.id, deps.clock.now(), [ended])
  }
  return kept.map(({ secret }) => secret)
}
