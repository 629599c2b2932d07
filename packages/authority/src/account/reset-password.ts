/**
 * A forgotten password. The request costs the same for every name: one row is queued, and the answer is sent; only then
 * the person is looked up and mailed. The link sets a password once; the next sign-in still requires the second factor.
 */
import { retryAfter } from '@grantor/protocol/http'
import type { Policy } from '@grantor/protocol/oauth'
import { emailKey, type Person } from '@grantor/protocol/people'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { LinkRow, MailRow, Store, UserRow } from '@grantor/store'
import { newEvent, localOrigin } from '../events.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'
import type { Visitor } from '../interact/visitor.ts'
import { knownBrowser } from '../limits/sign-in-attempts.ts'
import { hashPassword, type PasswordProblem, passwordProblem, type PasswordPolicy } from '../people/password.ts'
import {
  addressOf,
  resetRequestIn,
  resetRequestMail,
  languageOf,
  newMail,
  type ResetRequest,
} from '../mail/queued-mail.ts'
import type { Circumstances } from '../ports/mail.ts'
import { type NamedPeopleDependencies, peopleNamed, typedName } from './named-people.ts'

export interface ResetDependencies extends NamedPeopleDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly passwords: PasswordPolicy
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'users' | 'links' | 'mails' | 'sessions'>
}

const maxAttempts = 4

export type ResetRequestOutcome = { readonly did: 'asked' } | { readonly did: 'throttled'; readonly seconds: number }

/** The answer depends on the origin of the request, and never on the name. */
export async function requestReset(
  by: { readonly named: string; readonly language: string | null },
  visitor: Visitor,
  deps: ResetDependencies,
): Promise<ResetRequestOutcome> {
  const browser = await knownBrowser(visitor, deps)
  // Strangers behind the same address cannot use up the limit of a browser that was used before.
  const decision =
    browser === null
      ? await deps.limits.takeByAddress('resetAddress', visitor.ip)
      : await deps.limits.take('resetAddress', `browser ${visitor.tenant} ${browser}`)
  const seconds = decision === null ? 0 : retryAfter(decision)
  if (seconds > 0) return { did: 'throttled', seconds }
  const asked = {
    named: typedName(by.named),
    browser,
    language: by.language,
    where: circumstancesOf(visitor, deps),
  }
  const at = { tenant: visitor.tenant, life: deps.policy.resetTtl * 1000 }
  await deps.store.mails.queue([resetRequestMail(asked, deps, at)], [])
  return { did: 'asked' }
}

export const circumstancesOf = (
  visitor: Pick<Visitor, 'ip' | 'userAgent'>,
  { clock }: { readonly clock: Clock },
): Circumstances => ({
  at: clock.now(),
  ip: visitor.ip,
  userAgent: visitor.userAgent?.slice(0, 300) ?? null,
})

/** Answers a queued request. 'unopened': the row was sealed under a key that no longer exists. */
export async function answerResetRequest(row: MailRow, deps: ResetDependencies): Promise<'answered' | 'unopened'> {
  const asked = resetRequestIn(row, deps.vault)
  if (asked === null) return 'unopened'
  const links = []
  const events = []
  const { named, browser = null, byAdministrator = false } = asked
  for (const person of await peopleNamed(row, { named, browser, counted: byAdministrator ? null : '' }, deps)) {
    links.push(resetLink(person, asked, deps))
    const origin = { ...localOrigin(row.tenant), ip: asked.where.ip }
    const about = { actor: { kind: 'user' as const, id: null }, subject: person.id }
    events.push(newEvent(deps, origin, 'password.reset_requested', about))
  }
  await deps.store.links.mail({ links, instead: row, events })
  return 'answered'
}

function resetLink(person: Person, { language, where }: ResetRequest, deps: ResetDependencies) {
  const secret = deps.ids.secret('gp_')
  const to = addressOf(person) ?? ''
  const life = deps.policy.resetTtl * 1000
  const link: LinkRow = {
    tenant: person.tenant,
    handle: deps.ids.handleOf(secret),
    purpose: 'reset',
    subject: person.id,
    email: to,
    madeAt: deps.clock.now(),
    expiresAt: (deps.clock.now() + life) as Instant,
  }
  const href = `${deps.issuers.issuerOf(person.tenant)}/reset-password?token=${secret}`
  const facts = { kind: 'reset', username: person.username, link: href, where } as const
  const about = { tenant: person.tenant, subject: person.id, to, language: languageOf(person, language), facts }
  return { link, mail: newMail(about, deps, life) }
}

/**
 * The person whose password a link would set; null where it is not valid. Reading does not use up the link: mail
 * scanners open it, too.
 */
export async function resettableUser(
  secret: Secret,
  visitor: Visitor,
  deps: ResetDependencies,
): Promise<UserRow | null> {
  const link = await deps.store.links.find(visitor.tenant, deps.ids.handleOf(secret))
  if (link === null || link.purpose !== 'reset' || link.expiresAt <= deps.clock.now()) return null
  const user = await deps.store.users.byId(visitor.tenant, link.subject)
  if (user === null || user.disabledAt !== null) return null
  // Mailed at the moment when the address was changed: the link went to the old one.
  return emailKey(addressOf(user) ?? '') === emailKey(link.email) ? user : null
}

export type ResetOutcome = 'reset' | 'gone' | PasswordProblem

export async function resetPassword(
  by: { readonly secret: Secret; readonly next: string },
  visitor: Visitor,
  deps: ResetDependencies,
): Promise<ResetOutcome> {
  let passwordHash: string | null = null
  for (let tries = 0; tries < maxAttempts; tries++) {
    const user = await resettableUser(by.secret, visitor, deps)
    if (user === null) return 'gone'
    const problem = await passwordProblem(by.next, user.username, deps.passwords)
    if (problem !== null) return problem
    passwordHash ??= await hashPassword(by.next)
    const { tenant, id, version } = user
    const about = { actor: { kind: 'user' as const, id }, subject: id, reason: 'password_changed' }
    const outcome = await deps.store.links.spend({
      handle: deps.ids.handleOf(by.secret),
      change: { tenant, id, version, passwordHash, endSessionsBut: null, at: deps.clock.now() },
      mails: [],
      events: [newEvent(deps, visitor, 'admin.user_changed', { ...about, data: { cutoff: true, by: 'mail' } })],
    })
    if (outcome === 'spent') return 'reset'
    if (outcome === 'gone') return 'gone'
  }
  return 'gone'
}
