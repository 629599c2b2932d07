/** Signing in: limits first, then the proof, then a session with a fresh secret. */
import {
  type Authentication,
  type Instant,
  normaliseUsername,
  type Person,
  retryAfter,
  type Secret,
} from '@grantor/protocol'
import type { SessionRow } from '@grantor/store'
import { event } from '../events.ts'
import type { Hands } from '../hands.ts'
import { addressKey, type LimitName } from '../limits.ts'
import type { Proof } from '../people/port.ts'
import type { SignedIn } from './shown.ts'
import { accountsOf, browserHandle, type Visitor } from './visitor.ts'

type Started =
  | Exclude<SignedIn, { did: 'signed-in' }>
  | (Extract<SignedIn, { did: 'signed-in' }> & { readonly subject: string })

export async function startSession(
  by: { readonly username: string; readonly password: string },
  visitor: Visitor,
  hands: Hands,
): Promise<Started> {
  const attempts = attemptKeys(by.username, visitor)
  const seconds = await spend(attempts, hands)
  if (seconds > 0) return { did: 'throttled', seconds }
  const proof = await hands.people.byPassword(visitor.tenant, by.username, by.password)
  if (proof.person === null) {
    const about = { actor: { kind: 'user' as const, id: proof.subject }, subject: proof.subject, reason: 'password' }
    await hands.store.events.append([event(hands, visitor, 'login.failed', about)])
    return { did: 'rejected' }
  }
  for (const [limit, key] of attempts) {
    const policy = hands.limits[limit]
    if (policy !== null) await hands.limiter.giveBack(policy, key)
  }
  return { did: 'signed-in', subject: proof.person.id, keep: await begin(proof, visitor, hands) }
}

/** Failures are counted per account name, whether or not anybody has it, and per address. */
const attemptKeys = (username: string, { tenant, ip }: Visitor): readonly (readonly [LimitName, string])[] => [
  ['loginAccount', `${tenant} ${normaliseUsername(username) ?? ''}`],
  ...(ip === null ? [] : [['loginAddress', addressKey(ip)] as const]),
]

/**
 * Every attempt is taken as a failure before it is tried, and given back when it was none: a hundred attempts at once
 * do not all slip past the count. Returns the seconds to wait, 0 for none.
 */
async function spend(attempts: readonly (readonly [LimitName, string])[], { limits, limiter }: Hands): Promise<number> {
  let wait = 0
  for (const [limit, key] of attempts) {
    const policy = limits[limit]
    if (policy !== null) wait = Math.max(wait, retryAfter(await limiter.take(policy, key)))
  }
  return wait
}

/** A new secret at every sign-in (fixation), and the session of the same person in this browser ends with it. */
async function begin(proof: Proof, visitor: Visitor, hands: Hands) {
  const now = hands.now()
  const accounts = await accountsOf(visitor, hands)
  const before = accounts.find((account) => account.person.id === proof.person.id)
  const secret = hands.secret('gl_')
  const browser = visitor.browser ?? hands.secret('gb_')
  const known = await isKnown(proof.person, visitor, hands)
  const id = hands.id()
  const authentication: Authentication = {
    subject: proof.person.id,
    sessionId: id,
    at: now,
    acr: proof.acr,
    amr: proof.amr,
  }
  const session: SessionRow = {
    tenant: visitor.tenant,
    id,
    handle: hands.handleOf(secret),
    browser: hands.handleOf(browser),
    authentication,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: (now + hands.policy.sessionMaxTtl * 1000) as Instant,
    endedAt: null,
    ip: visitor.ip,
    userAgent: visitor.userAgent?.slice(0, 300) ?? null,
  }
  const about = { actor: { kind: 'user' as const, id: proof.person.id }, subject: proof.person.id }
  const events = [
    event(hands, visitor, 'session.started', {
      ...about,
      data: { sid: id, acr: proof.acr, amr: [...proof.amr], known_browser: known },
    }),
    ...(before === undefined
      ? []
      : [event(hands, visitor, 'session.ended', { ...about, reason: 'replaced', data: { sid: before.session.id } })]),
  ]
  await hands.store.sessions.start(session, before?.session.id ?? null, events)
  const others: readonly Secret[] = accounts.filter((account) => account !== before).map((account) => account.secret)
  return { sessions: [...others, secret], ...(visitor.browser === null ? { browser } : {}) }
}

/** Whether this person signed in with this browser before, as far back as sessions are kept. */
async function isKnown({ tenant, id }: Person, visitor: Visitor, hands: Hands): Promise<boolean> {
  const browser = browserHandle(visitor, hands)
  if (browser === null) return false
  return (await hands.store.sessions.ofBrowser(tenant, browser)).some((it) => it.authentication.subject === id)
}
