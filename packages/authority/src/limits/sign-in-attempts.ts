/** Attempts to sign in are counted before they are checked: for passwords and codes alike. */
import { acrValues, meetsAcr } from '@grantor/protocol/authorize'
import { retryAfter } from '@grantor/protocol/http'
import { normaliseUsername, type Person } from '@grantor/protocol/people'
import type { Handle, JsonObject, TenantId } from '@grantor/protocol/types'
import type { KnownPerson, Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import { type Account, browserHandle, type Visitor } from '../interact/visitor.ts'
import type { Ids } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'
import { addressKey, type CountedKeys, type CountedLimits, type LimitName } from './limits.ts'

export interface CountedAttempt {
  /** Seconds to wait; 0 for none. */
  readonly seconds: number
  readonly counted: CountedKeys
  /** People who signed in with this browser before; absent where nobody looked them up. */
  readonly knownHere?: readonly KnownPerson[]
}

export interface AttemptDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly limits: CountedLimits
  readonly people: Pick<People, 'find'>
  readonly store: Pick<Store, 'sessions'>
}

/** Longer names exist nowhere. */
const longestCountedName = 256

/**
 * Every attempt is charged as a failure before it is checked, and refunded if it was right: a hundred attempts at once
 * cannot all slip past the count. Failures are counted per address, per account name, whether or not it exists, and for
 * the whole tenant, so that trying one password on many accounts is bounded, too. A browser in which the person has
 * signed in before has its own count instead: nobody else can use it up, and whoever copies its cookie gains only that
 * allowance.
 */
export async function countSignInAttempt(
  username: string,
  visitor: Visitor,
  deps: AttemptDependencies,
): Promise<CountedAttempt> {
  return countNamedAttempt({ username, knownHere: await peopleKnownHere(visitor, deps) }, visitor, deps)
}

interface NamedAttempt {
  readonly username: string
  readonly knownHere: readonly KnownPerson[]
}

async function countNamedAttempt(
  { username, knownHere }: NamedAttempt,
  visitor: Visitor,
  deps: AttemptDependencies,
): Promise<CountedAttempt> {
  const { tenant, ip } = visitor
  const known = await personKnownAs({ username, knownHere }, visitor, deps)
  if (known !== null) return { ...(await countAttempt([knownKey(known, tenant)], deps.limits)), knownHere }
  const counted: (readonly [LimitName, string])[] = ip === null ? [] : [['loginAddress', addressKey(ip)]]
  counted.push(['loginAccount', `${tenant} ${accountName(username)}`], ['loginTenant', tenant])
  return { ...(await countAttempt(counted, deps.limits)), knownHere }
}

/**
 * A name that is impossible here, for example with a blank, may still exist in a directory, so each has its own count.
 */
const accountName = (typed: string): string =>
  normaliseUsername(typed) ??
  typed
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, longestCountedName)

/** Counted by address, since no name is typed; a browser with which somebody signed in before has its own count. */
export async function countNamelessAttempt(visitor: Visitor, deps: AttemptDependencies): Promise<CountedAttempt> {
  const { tenant, ip } = visitor
  const browser = browserHandle(visitor, deps.ids)
  const knownHere = await peopleKnownHere(visitor, deps)
  const byAddress: CountedKeys = ip === null ? [] : [['loginAddress', addressKey(ip)]]
  const isKnownBrowser = browser !== null && knownHere.length > 0
  const counted = isKnownBrowser ? [knownKey({ browser, subject: '' }, tenant)] : byAddress
  return { ...(await countAttempt(counted, deps.limits)), knownHere }
}

/** A person who is signed in enters the password again: counted by their own browser alone. */
export const countOwnAttempt = ({ person, session }: Account, limits: CountedLimits): Promise<CountedAttempt> =>
  countAttempt([knownKey({ browser: session.browser, subject: person.id }, person.tenant)], limits)

interface KnownPersonHere {
  readonly browser: Handle
  readonly subject: string
}

const knownKey = ({ browser, subject }: KnownPersonHere, tenant: TenantId): readonly [LimitName, string] => [
  'loginBrowser',
  `${tenant} ${subject} ${browser}`,
]

/**
 * The person whom the name means among those who signed in with this browser before. The lookups depend on the browser
 * alone, never on the name: neither answer nor time reveals whether the account exists.
 */
async function personKnownAs(
  { username, knownHere }: NamedAttempt,
  visitor: Visitor,
  { ids, people }: AttemptDependencies,
): Promise<KnownPersonHere | null> {
  const browser = browserHandle(visitor, ids)
  if (browser === null) return null
  const typed = normaliseUsername(username)
  let found: KnownPersonHere | null = null
  for (const subject of new Set(knownHere.map((known) => known.subject))) {
    const person = await people.find(visitor.tenant, subject)
    if (person !== null && typed !== null && normaliseUsername(person.username) === typed) found = { browser, subject }
  }
  return found
}

/** People who signed in with this browser before, as far back as sessions are kept. */
export async function peopleKnownHere(
  visitor: Visitor,
  { ids, store }: Pick<AttemptDependencies, 'ids' | 'store'>,
): Promise<readonly KnownPerson[]> {
  const browser = browserHandle(visitor, ids)
  return browser === null ? [] : store.sessions.knownIn(visitor.tenant, browser)
}

/** The browser, if anybody has signed in with it before. */
export const knownBrowser = async (
  visitor: Visitor,
  deps: Pick<AttemptDependencies, 'ids' | 'store'>,
): Promise<Handle | null> =>
  (await peopleKnownHere(visitor, deps)).length > 0 ? browserHandle(visitor, deps.ids) : null

/** Charges all or none: if one limit refuses, nothing is checked and nothing is counted. */
async function countAttempt(counted: CountedKeys, limits: CountedLimits): Promise<CountedAttempt> {
  const { refused } = await limits.takeAll(counted)
  return refused === null ? { seconds: 0, counted } : { seconds: retryAfter(refused), counted: [] }
}

const [, twoFactors] = acrValues

/**
 * An app's code is short enough to be guessed in the long run by whoever knows the password, so there is a second,
 * slower limit. It must not lock out the owner: a browser in which they once showed a second factor has its own count,
 * and passkeys, recovery codes and trusted browsers are not limited by it.
 */
export async function countCodeAttempt(
  person: Person,
  visitor: Visitor,
  deps: AttemptDependencies,
): Promise<CountedAttempt> {
  const { limits } = deps
  const knownHere = await peopleKnownHere(visitor, deps)
  const proven = knownHere.some(({ subject, acr }) => subject === person.id && meetsAcr(acr, twoFactors))
  // A browser in which this person has shown two factors before has its own count; all others share one.
  const browser = proven ? browserHandle(visitor, deps.ids) : ''
  const cap = await countAttempt([['secondFactor', `${person.tenant} ${person.id} ${browser}`]], limits)
  if (cap.seconds > 0) return cap
  const tried = await countNamedAttempt({ username: person.username, knownHere }, visitor, deps)
  // The code will not be checked, so it must not count as wrong.
  if (tried.seconds > 0) await giveBackAttempt(cap, limits)
  return { ...tried, counted: [...cap.counted, ...tried.counted] }
}

export const giveBackAttempt = ({ counted }: Pick<CountedAttempt, 'counted'>, limits: CountedLimits): Promise<void> =>
  limits.giveBack(counted)

/**
 * Checks a proof whose attempt was counted. If the check fails by an outage, the proof was not wrong: the attempt is
 * refunded.
 */
export async function lookAtProof<T>(tried: CountedAttempt, limits: CountedLimits, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (cause) {
    await giveBackAttempt(tried, limits)
    throw cause
  }
}

export interface SignInFailure {
  readonly subject: string | null
  readonly reason: 'password' | 'second_factor' | 'passkey' | 'link' | 'provider'
  /** For a provider: its id and the problem. */
  readonly data?: JsonObject | null
}

/** Logs the reason; the visitor is not told it. */
export async function recordSignInFailure(
  { subject, reason, data = null }: SignInFailure,
  visitor: Visitor,
  deps: EventDependencies & { readonly store: Pick<Store, 'events'> },
): Promise<{ readonly did: 'rejected' }> {
  const about = { actor: { kind: 'user' as const, id: subject }, subject, reason, data }
  await deps.store.events.append([newEvent(deps, visitor, 'login.failed', about)])
  return { did: 'rejected' }
}
