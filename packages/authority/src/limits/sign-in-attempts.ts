/** Attempts to sign in, counted before they are tried: guesses at passwords and at codes alike. */
import { acrValues, meetsAcr } from '@grantor/protocol/authorize'
import { retryAfter } from '@grantor/protocol/http'
import { normaliseUsername, type Person } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import { browserHandle, type Visitor } from '../interact/visitor.ts'
import type { Ids } from '../ports/environment.ts'
import { addressKey, type CountedLimits, type LimitName } from './limits.ts'

type CountedKeys = readonly (readonly [LimitName, string])[]

export interface CountedAttempt {
  /** To wait; 0 for none. */
  readonly seconds: number
  readonly counted: CountedKeys
}

/** However they spell their name: it is one account, and has one count. */
export const accountKey = (tenant: TenantId, username: string): string =>
  `${tenant} ${normaliseUsername(username) ?? ''}`

/**
 * Every attempt is taken as a failure before it is tried, and given back when it was none: a hundred attempts at once
 * do not all slip past the count. Failures are counted per account name, whether or not anybody has it, and per
 * address; where no name is typed, per address.
 */
export async function countSignInAttempt(
  username: string | null,
  { tenant, ip }: Visitor,
  limits: CountedLimits,
): Promise<CountedAttempt> {
  const counted: (readonly [LimitName, string])[] = []
  if (username !== null) counted.push(['loginAccount', accountKey(tenant, username)])
  if (ip !== null) counted.push(['loginAddress', addressKey(ip)])
  return countAttempt(counted, limits)
}

async function countAttempt(counted: CountedKeys, limits: CountedLimits): Promise<CountedAttempt> {
  let seconds = 0
  for (const [limit, key] of counted) {
    const taken = await limits.take(limit, key)
    if (taken !== null) seconds = Math.max(seconds, retryAfter(taken))
  }
  return { seconds, counted }
}

const [, twoFactors] = acrValues

export interface CodeAttemptDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly limits: CountedLimits
  readonly store: Pick<Store, 'sessions'>
}

/**
 * A code of an app is short enough to be guessed in the long run by whoever knows the password, so there is a second,
 * slower count. It must not keep its owner out: a browser in which they once showed a second factor has a count of its
 * own, and passkeys, recovery codes and trusted browsers are not asked for this one.
 */
export async function countCodeAttempt(
  person: Person,
  visitor: Visitor,
  deps: CodeAttemptDependencies,
): Promise<CountedAttempt> {
  const { limits } = deps
  const key = `${person.tenant} ${person.id}`
  const cap = await countAttempt([['secondFactor', `${key} ${await provenBrowser(person, visitor, deps)}`]], limits)
  if (cap.seconds > 0) return cap
  const tried = await countSignInAttempt(person.username, visitor, limits)
  // Not looked at, so not a wrong one.
  if (tried.seconds > 0) await giveBackAttempt(cap, limits)
  return { seconds: tried.seconds, counted: [...cap.counted, ...tried.counted] }
}

/** The browser, where this person has shown two factors in it before; else nothing: all others are one. */
async function provenBrowser(
  { tenant, id }: Person,
  visitor: Visitor,
  { ids, store }: CodeAttemptDependencies,
): Promise<string> {
  const browser = browserHandle(visitor, ids)
  if (browser === null) return ''
  const sessions = await store.sessions.ofBrowser(tenant, browser)
  const isProven = sessions.some(({ authentication: it }) => it.subject === id && meetsAcr(it.acr, twoFactors))
  return isProven ? browser : ''
}

export async function giveBackAttempt({ counted }: CountedAttempt, limits: CountedLimits): Promise<void> {
  for (const [limit, key] of counted) await limits.giveBack(limit, key)
}

/** Tells the log why; whoever tried is told nothing. */
export async function recordSignInFailure(
  { subject, reason }: { readonly subject: string | null; readonly reason: 'password' | 'second_factor' | 'passkey' },
  visitor: Visitor,
  deps: EventDependencies & { readonly store: Pick<Store, 'events'> },
): Promise<{ readonly did: 'rejected' }> {
  const about = { actor: { kind: 'user' as const, id: subject }, subject, reason }
  await deps.store.events.append([newEvent(deps, visitor, 'login.failed', about)])
  return { did: 'rejected' }
}
