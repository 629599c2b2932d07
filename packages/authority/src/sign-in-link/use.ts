/**
 * Uses a sign-in link: the person who opens it in the browser that requested it is signed in, after their second factor
 * if they have one.
 */
import { byMailedLink } from '@grantor/protocol/authorize'
import type { Person } from '@grantor/protocol/people'
import type { Secret } from '@grantor/protocol/types'
import type { SignInLinkRow, Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import { afterFirstFactor } from '../factors/after-first-factor.ts'
import type { SignInDependencies, SignInOfSubject } from '../interact/sign-in.ts'
import { accountsOf, browserHandle, type Visitor } from '../interact/visitor.ts'
import { countNamelessAttempt, lookAtProof, recordSignInFailure } from '../limits/sign-in-attempts.ts'
import { offersSignInLinks, returnContext } from './request.ts'

export type SignInLinkDependencies = SignInDependencies & {
  readonly directory: Directory
  readonly store: Pick<Store, 'signInLinks'>
}

/** The effect of a link here. 'elsewhere': only the browser that requested it may use it. */
export type OfferedSignIn =
  | { readonly did: 'offered'; readonly username: string }
  | { readonly did: 'elsewhere' }
  | { readonly did: 'gone' }

interface FoundLink {
  readonly link: SignInLinkRow
  readonly person: Person
}

async function find(secret: Secret, visitor: Visitor, deps: SignInLinkDependencies): Promise<FoundLink | null> {
  const link = await deps.store.signInLinks.find(visitor.tenant, deps.ids.handleOf(secret))
  if (link === null || link.expiresAt <= deps.clock.now() || !(await offersSignInLinks(visitor, deps))) return null
  const person = await deps.people.find(visitor.tenant, link.subject)
  if (person === null || person.disabledAt !== null) return null
  // The mail may have been requested before the password was changed and made afterwards: such a link is invalid, too.
  return (person.passwordChangedAt ?? 0) > link.madeAt ? null : { link, person }
}

/** Does not use up the link: mail scanners open it, too. */
export async function offeredSignIn(
  secret: Secret,
  visitor: Visitor,
  deps: SignInLinkDependencies,
): Promise<OfferedSignIn> {
  const found = await find(secret, visitor, deps)
  if (found === null) return { did: 'gone' }
  const here = found.link.browser === browserHandle(visitor, deps.ids)
  return here ? { did: 'offered', username: found.person.username } : { did: 'elsewhere' }
}

export interface LinkSignIn {
  readonly outcome: SignInOfSubject
  /** The interaction that waited for the sign-in; null where none did. */
  readonly returnTo: Secret | null
}

export async function signInByLink(
  secret: Secret,
  visitor: Visitor,
  deps: SignInLinkDependencies,
): Promise<LinkSignIn> {
  const tried = await countNamelessAttempt(visitor, deps)
  if (tried.seconds > 0) return { outcome: { did: 'throttled', seconds: tried.seconds }, returnTo: null }
  const since = deps.clock.now()
  const spent = await lookAtProof(tried, deps.limits, () => spend(secret, visitor, deps))
  if (spent.did === 'refused')
    return { outcome: await recordSignInFailure({ ...spent, reason: 'link' }, visitor, deps), returnTo: null }
  const { person } = spent
  // A person who is already signed in here must show every factor, for example to change a sign-in method.
  const trusting = !(await accountsOf(visitor, deps)).some((it) => it.person.id === person.id)
  const proof = { person, ...byMailedLink, at: since, since, until: null, upstream: null, trusting, tried }
  return { outcome: await afterFirstFactor(proof, visitor, deps), returnTo: returnOf(spent.link, deps) }
}

type Spent = ({ readonly did: 'spent' } & FoundLink) | { readonly did: 'refused'; readonly subject: string | null }

/** A link opened in another browser is refused without details; the log names its person. */
async function spend(secret: Secret, visitor: Visitor, deps: SignInLinkDependencies): Promise<Spent> {
  const found = await find(secret, visitor, deps)
  const browser = browserHandle(visitor, deps.ids)
  if (found === null || browser === null) return { did: 'refused', subject: null }
  const { tenant, handle, subject } = found.link
  const outcome = await deps.store.signInLinks.spend({ tenant, handle, browser, at: deps.clock.now() })
  return outcome === 'spent' ? { did: 'spent', ...found } : { did: 'refused', subject }
}

/** Null where no interaction waited, or the key it was sealed under is gone. */
function returnOf(link: SignInLinkRow, { vault }: SignInLinkDependencies): Secret | null {
  const opened = link.sealedReturn === null ? null : vault.open(link.sealedReturn, returnContext(link))
  return opened === null ? null : (Buffer.from(opened).toString() as Secret)
}
