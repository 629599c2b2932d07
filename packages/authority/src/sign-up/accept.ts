/**
 * Uses a sign-up link or an invitation: creates the account of its address, records the agreement to the terms, and
 * signs the person in.
 */
import { byPassword } from '@grantor/protocol/authorize'
import { displayTextProblem } from '@grantor/protocol/oauth'
import { type AcceptedTerms, outstandingTerms, type Terms } from '@grantor/protocol/people'
import type { Secret } from '@grantor/protocol/types'
import type { InvitationRow, Store, UserRow } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import { beginSession, type SignInDependencies } from '../interact/sign-in.ts'
import type { CookieChanges, Visitor } from '../interact/visitor.ts'
import { hashPassword, type PasswordProblem, passwordProblem, type PasswordPolicy } from '../people/password.ts'
import { presetClaims, presetHoldings } from './preset.ts'
import { isSignUpOpen, returnContext, type SignUpRequestDependencies } from './request.ts'

export type AcceptanceDependencies = SignInDependencies &
  Pick<SignUpRequestDependencies, 'directory' | 'vault' | 'ids'> & {
    readonly passwords: PasswordPolicy
    readonly store: Pick<Store, 'invitations'>
  }

/** What a link offers. Reading does not use up the link: mail scanners open it, too. */
export interface OfferedAccount {
  readonly email: string
  /** The name that the inviter suggested; empty where they did not. */
  readonly name: string
  readonly terms: Terms | null
}

/** The link as this browser opened it. */
export interface ShownInvitation {
  readonly secret: Secret
  readonly kind: InvitationRow['kind']
}

export interface Acceptance extends ShownInvitation {
  readonly name: string
  readonly password: string
  /** The version of the accepted terms; null for none. */
  readonly terms: string | null
}

export type AcceptanceOutcome =
  | { readonly did: 'signed-in'; readonly cookies: CookieChanges; readonly returnTo: Secret | null }
  /** The account was created, but signing in failed: the person must sign in again. */
  | { readonly did: 'made' }
  | { readonly did: 'gone' }
  | { readonly did: 'refused'; readonly why: PasswordProblem | 'name' | 'terms' }

async function find(
  { secret, kind }: ShownInvitation,
  visitor: Visitor,
  deps: AcceptanceDependencies,
): Promise<InvitationRow | null> {
  const found = await deps.store.invitations.find(visitor.tenant, deps.ids.handleOf(secret))
  if (found === null || found.kind !== kind || found.expiresAt <= deps.clock.now()) return null
  // An invitation is valid even where sign-up is off; a link that a person requested becomes invalid when sign-up is
  // switched off, or their domain is removed.
  return kind === 'sign_up' && !(await isSignUpOpen(found.email, visitor, deps)) ? null : found
}

const termsOf = async ({ tenant }: Visitor, { directory }: AcceptanceDependencies): Promise<Terms | null> =>
  outstandingTerms((await directory.servedCatalogue(tenant))?.tenant.accounts, null)

export async function offeredAccount(
  shown: ShownInvitation,
  visitor: Visitor,
  deps: AcceptanceDependencies,
): Promise<OfferedAccount | null> {
  const found = await find(shown, visitor, deps)
  if (found === null) return null
  const { name } = presetClaims(found.preset)
  return { email: found.email, name: typeof name === 'string' ? name : '', terms: await termsOf(visitor, deps) }
}

export async function acceptInvitation(
  by: Acceptance,
  visitor: Visitor,
  deps: AcceptanceDependencies,
): Promise<AcceptanceOutcome> {
  const found = await find(by, visitor, deps)
  if (found === null) return { did: 'gone' }
  const name = by.name.trim()
  if (displayTextProblem(name) !== null) return { did: 'refused', why: 'name' }
  const problem = await passwordProblem(by.password, found.email, deps.passwords)
  if (problem !== null) return { did: 'refused', why: problem }
  const terms = await termsOf(visitor, deps)
  if (terms !== null && terms.version !== by.terms) return { did: 'refused', why: 'terms' }
  const passwordHash = await hashPassword(by.password)
  const at = deps.clock.now()
  const { roles, groupIds } = presetHoldings(found.preset)
  const accepted = terms === null ? {} : { terms: { version: terms.version, at } }
  const user: Omit<UserRow, 'version'> = {
    tenant: visitor.tenant,
    id: deps.ids.id(),
    username: found.email,
    claims: { ...presetClaims(found.preset), name, email: found.email },
    createdAt: at,
    disabledAt: null,
    administrator: null,
    mustChangePassword: false,
    passwordHash,
    passwordChangedAt: at,
    ...(roles.length === 0 ? {} : { ownRoles: roles }),
    ...accepted,
  }
  const outcome = await deps.store.invitations.accept({
    handle: found.handle,
    user,
    groupIds,
    at,
    events: eventsOf(user, found, visitor, deps),
  })
  // The address was taken meanwhile; the holder of the link gets the same answer as for a used link.
  if (outcome !== 'accepted') return { did: 'gone' }
  const begun = await beginSession(
    { person: user, ...byPassword, at, since: at, until: null, upstream: null, tried: null },
    visitor,
    deps,
  )
  if (begun.did !== 'signed-in') return { did: 'made' }
  return { did: 'signed-in', cookies: begun.cookies, returnTo: returnOf(found, deps) }
}

function eventsOf(
  { id, terms }: Pick<UserRow, 'id' | 'terms'>,
  { kind, preset }: InvitationRow,
  visitor: Visitor,
  deps: AcceptanceDependencies,
) {
  const about = { actor: { kind: 'user' as const, id }, subject: id }
  const { roles } = presetHoldings(preset)
  const data = { created: true, ...(roles.length === 0 ? {} : { roles: roles.join(' ') }) }
  return [
    newEvent(deps, visitor, 'admin.user_changed', { ...about, reason: kind, data }),
    ...(terms === undefined ? [] : [acceptedEvent(about.subject, terms, visitor, deps)]),
  ]
}

export const acceptedEvent = (
  subject: string,
  { version }: Pick<AcceptedTerms, 'version'>,
  visitor: Visitor,
  deps: EventDependencies,
) => newEvent(deps, visitor, 'terms.accepted', { actor: { kind: 'user', id: subject }, subject, data: { version } })

/** Null where no interaction waited, or the key it was sealed under is gone. */
function returnOf({ tenant, id, sealedReturn }: InvitationRow, { vault }: AcceptanceDependencies): Secret | null {
  const opened = sealedReturn === null ? null : vault.open(sealedReturn, returnContext({ tenant, id }))
  return opened === null ? null : (Buffer.from(opened).toString() as Secret)
}
