/** A person's address: verified by a mailed link; a new address is used only after its link was opened. */
import { retryAfter } from '@grantor/protocol/http'
import type { Policy } from '@grantor/protocol/oauth'
import { emailKey, isMailAddress } from '@grantor/protocol/people'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { LinkRow, Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Ids, Issuers } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'
import type { CountedLimits } from '../limits/limits.ts'
import { countOwnAttempt, giveBackAttempt, lookAtProof } from '../limits/sign-in-attempts.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import { checkPassword } from '../people/password.ts'
import { addressOf, languageOf, newMail } from '../mail/queued-mail.ts'
import { circumstancesOf } from './reset-password.ts'

export interface EmailAddressDependencies extends EventDependencies {
  readonly ids: Ids
  readonly issuers: Issuers
  readonly limits: CountedLimits
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'users' | 'links'>
}

export interface AccountAddress {
  readonly email: string | null
  readonly verified: boolean
}

export function accountAddress({ person }: Account): AccountAddress {
  const { email, email_verified: verified } = person.claims
  return { email: typeof email === 'string' ? email : null, verified: verified === true }
}

/** 'stale': the sign-in is too old, somebody else may be at the browser. */
export type AddressLinkOutcome =
  | 'sent'
  | 'no_address'
  | 'stale'
  | 'wrong'
  | 'malformed'
  | 'unchanged'
  | { readonly did: 'throttled'; readonly seconds: number }

interface AddressRequest {
  readonly visitor: Visitor
  readonly language: string | null
}

/** Mails a link to the person's current address. */
export async function checkAddress(
  account: Account,
  asking: AddressRequest,
  deps: EmailAddressDependencies,
): Promise<AddressLinkOutcome> {
  const to = addressOf(account.person)
  return to === null ? 'no_address' : mailLink(to, account, asking, deps)
}

/**
 * Requires a recent sign-in and the password: whoever finds the browser open must not be able to take over the account.
 */
export async function changeAddress(
  account: Account,
  by: AddressRequest & { readonly email: string; readonly password: string },
  deps: EmailAddressDependencies,
): Promise<AddressLinkOutcome> {
  const { person } = account
  const email = by.email.trim()
  if (!isMailAddress(email)) return 'malformed'
  if (emailKey(email) === emailKey(accountAddress(account).email ?? '')) return 'unchanged'
  if (deps.clock.now() - account.authentication.at > deps.policy.recentSignIn * 1000) return 'stale'
  const tried = await countOwnAttempt(account, deps.limits)
  if (tried.seconds > 0) return { did: 'throttled', seconds: tried.seconds }
  const user = await deps.store.users.byId(person.tenant, person.id)
  // A person without a password has just shown a passkey instead.
  const hash = user?.passwordHash ?? null
  const right = hash === null || (await lookAtProof(tried, deps.limits, () => checkPassword(hash, by.password)))
  if (user === null || !right) return 'wrong'
  await giveBackAttempt(tried, deps.limits)
  return mailLink(email, account, by, deps)
}

async function mailLink(
  to: string,
  { person }: Account,
  { visitor, language }: AddressRequest,
  deps: EmailAddressDependencies,
): Promise<AddressLinkOutcome> {
  const { tenant, id, username } = person
  const decision = await deps.limits.take('resetAccount', `address ${tenant} ${id}`)
  if (decision !== null && !decision.allowed) return { did: 'throttled', seconds: retryAfter(decision) }
  const secret = deps.ids.secret('gp_')
  const life = deps.policy.addressCheckTtl * 1000
  const expiresAt = (deps.clock.now() + life) as Instant
  const handle = deps.ids.handleOf(secret)
  const link: LinkRow = {
    tenant,
    handle,
    purpose: 'address',
    subject: id,
    email: to,
    madeAt: deps.clock.now(),
    expiresAt,
  }
  const href = `${deps.issuers.issuerOf(tenant)}/account/address?token=${secret}`
  const facts = { kind: 'address', username, link: href, where: circumstancesOf(visitor, deps) } as const
  const about = { tenant, subject: id, to, language: languageOf(person, language), facts }
  await deps.store.links.mail({ links: [{ link, mail: newMail(about, deps, life) }], instead: null, events: [] })
  return 'sent'
}

/**
 * The address that a link would confirm for this account; null where the link is not for this account, or no longer
 * valid.
 */
export async function pendingAddress(
  secret: Secret,
  { person }: Account,
  deps: EmailAddressDependencies,
): Promise<string | null> {
  const link = await deps.store.links.find(person.tenant, deps.ids.handleOf(secret))
  if (link === null || link.purpose !== 'address' || link.expiresAt <= deps.clock.now()) return null
  // Only its own account confirms an address: the owner of the mailbox must not be led to verify it for a stranger.
  return link.subject === person.id ? link.email : null
}

export type AddressConfirmation = 'confirmed' | 'gone'

interface ShownLink {
  readonly secret: Secret
  readonly account: Account
}

const maxAttempts = 4

/** The link is not used up if another change of the account came first. */
export async function confirmAddress(
  by: ShownLink,
  visitor: Visitor,
  deps: EmailAddressDependencies,
): Promise<AddressConfirmation> {
  for (let tries = 0; tries < maxAttempts; tries++) {
    const outcome = await spendLink(by, visitor, deps)
    if (outcome !== 'changed-meanwhile') return outcome === 'spent' ? 'confirmed' : 'gone'
  }
  return 'gone'
}

async function spendLink({ secret, account }: ShownLink, visitor: Visitor, deps: EmailAddressDependencies) {
  const email = await pendingAddress(secret, account, deps)
  const user = await deps.store.users.byId(account.person.tenant, account.person.id)
  if (email === null || user === null) return 'gone'
  const { tenant, id, version } = user
  const before = addressOf(user)
  const moves = before !== null && emailKey(before) !== emailKey(email)
  const reason = moves ? 'address_changed' : 'address_checked'
  const facts = { kind: 'address_changed', username: user.username, where: circumstancesOf(visitor, deps) } as const
  const notice = { tenant, subject: id, to: before ?? '', language: languageOf(user, null), facts }
  return deps.store.links.spend({
    handle: deps.ids.handleOf(secret),
    change: { tenant, id, version, claims: { ...user.claims, email, email_verified: true }, at: deps.clock.now() },
    // To the old address, which receives no further mail.
    mails: moves ? [newMail(notice, deps)] : [],
    events: [newEvent(deps, visitor, 'admin.user_changed', { actor: { kind: 'user', id }, subject: id, reason })],
  })
}
