/** The link came back: whoever shows it in the browser that asked for it is signed in, after their second factor if they have one. */
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

/** What a link would do here. 'elsewhere': it is for the browser that asked for it. */
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
  // Asked for before the password was changed, and made only after: it dies with the old one like those made before.
  return (person.passwordChangedAt ?? 0) > link.madeAt ? null : { link, person }
}

/** Looking uses nothing up: mail scanners look, too. */
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
  /** The authorization that was left for it; null where none was. */
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
  // Whoever is signed in here already signs in anew to show all that they can, before a sign-in method is changed say.
  const trusting = !(await accountsOf(visitor, deps)).some((it) => it.person.id === person.id)
  const proof = { person, ...byMailedLink, at: since, since, until: null, upstream: null, trusting, tried }
  return { outcome: await afterFirstFactor(proof, visitor, deps), returnTo: returnOf(spent.link, deps) }
}

type Spent = ({ readonly did: 'spent' } & FoundLink) | { readonly did: 'refused'; readonly subject: string | null }

/** Whoever shows somebody's link in another browser is told nothing, and the log whose it was. */
async function spend(secret: Secret, visitor: Visitor, deps: SignInLinkDependencies): Promise<Spent> {
  const found = await find(secret, visitor, deps)
  const browser = browserHandle(visitor, deps.ids)
  if (found === null || browser === null) return { did: 'refused', subject: null }
  const { tenant, handle, subject } = found.link
  const outcome = await deps.store.signInLinks.spend({ tenant, handle, browser, at: deps.clock.now() })
  return outcome === 'spent' ? { did: 'spent', ...found } : { did: 'refused', subject }
}

/** Null where none was left, or the key it was sealed under is gone. */
function returnOf(link: SignInLinkRow, { vault }: SignInLinkDependencies): Secret | null {
  const opened = link.sealedReturn === null ? null : vault.open(link.sealedReturn, returnContext(link))
  return opened === null ? null : (Buffer.from(opened).toString() as Secret)
}
