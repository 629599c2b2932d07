/**
 * A forgotten password. Asking costs the same for every name: one queued row, and the answer goes out. Only then is it
 * looked who that is, and mailed. The link sets a password once; a second factor stays asked for at the next sign-in.
 */
import { retryAfter } from '@grantor/protocol/http'
import type { Person } from '@grantor/protocol/people'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { LinkRow, MailRow, UserRow } from '@grantor/store'
import { newEvent, localOrigin } from '../events.ts'
import type { Hands } from '../hands.ts'
import type { Visitor } from '../interact/visitor.ts'
import { addressKey } from '../limits/limits.ts'
import { hashPassword, passwordProblem } from '../people/password.ts'
import {
  addressOf,
  resetRequestIn,
  resetRequestMail,
  languageOf,
  newMail,
  type ResetRequest,
} from '../mail/queued-mail.ts'
import type { Circumstances } from '../ports/mail.ts'

/** Longer input names nobody. */
const maxNamed = 320
/** One mailbox may serve a family; a list of people it is not. */
const maxPeople = 5
const maxAttempts = 4

export type ResetRequestOutcome = { readonly did: 'asked' } | { readonly did: 'throttled'; readonly seconds: number }

/** What whoever asked is told depends on where they asked from, and never on whom they named. */
export async function requestReset(
  by: { readonly named: string; readonly language: string | null },
  visitor: Visitor,
  hands: Hands,
): Promise<ResetRequestOutcome> {
  const policy = hands.limits.resetAddress
  if (policy !== null && visitor.ip !== null) {
    const seconds = retryAfter(await hands.limiter.take(policy, addressKey(visitor.ip)))
    if (seconds > 0) return { did: 'throttled', seconds }
  }
  const asked = {
    named: by.named.trim().slice(0, maxNamed),
    language: by.language,
    where: circumstancesOf(visitor, hands),
  }
  const at = { tenant: visitor.tenant, life: hands.policy.resetTtl * 1000 }
  await hands.store.mails.queue([resetRequestMail(asked, hands, at)], [])
  return { did: 'asked' }
}

export const circumstancesOf = (
  visitor: Pick<Visitor, 'ip' | 'userAgent'>,
  { clock }: Pick<Hands, 'clock'>,
): Circumstances => ({
  at: clock.now(),
  ip: visitor.ip,
  userAgent: visitor.userAgent?.slice(0, 300) ?? null,
})

/** The work behind an asked reset. 'unopened': the row was sealed under a key that nobody has any more. */
export async function answerResetRequest(row: MailRow, hands: Hands): Promise<'answered' | 'unopened'> {
  const asked = resetRequestIn(row, hands)
  if (asked === null) return 'unopened'
  const links = []
  const events = []
  for (const person of await peopleMeant(row, asked, hands)) {
    links.push(resetLink(person, asked, hands))
    const origin = { ...localOrigin(row.tenant), ip: asked.where.ip }
    const about = { actor: { kind: 'user' as const, id: null }, subject: person.id }
    events.push(newEvent(hands, origin, 'password.reset_requested', about))
  }
  await hands.store.links.mail({ links, instead: row, events })
  return 'answered'
}

/** By name or by address. A disabled person, one without an address and one who asked too often get nothing. */
async function peopleMeant({ tenant }: MailRow, { named }: ResetRequest, hands: Hands): Promise<readonly UserRow[]> {
  const { users } = hands.store
  const catalogue = await hands.directory.currentCatalogue(tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return []
  const byName = await users.byUsername(tenant, named)
  const found = byName === null ? await users.byEmail(tenant, named, maxPeople) : [byName]
  const policy = hands.limits.resetAccount
  const reached: UserRow[] = []
  for (const user of found) {
    if (user.disabledAt !== null || addressOf(user) === null) continue
    const within = policy === null || (await hands.limiter.take(policy, `${tenant} ${user.id}`)).allowed
    if (within) reached.push(user)
  }
  return reached
}

function resetLink(person: Person, { language, where }: ResetRequest, hands: Hands) {
  const secret = hands.ids.secret('gp_')
  const to = addressOf(person) ?? ''
  const life = hands.policy.resetTtl * 1000
  const link: LinkRow = {
    tenant: person.tenant,
    handle: hands.ids.handleOf(secret),
    purpose: 'reset',
    subject: person.id,
    email: to,
    madeAt: hands.clock.now(),
    expiresAt: (hands.clock.now() + life) as Instant,
  }
  const href = `${hands.issuers.issuerOf(person.tenant)}/reset-password?token=${secret}`
  const facts = { kind: 'reset', username: person.username, link: href, where } as const
  const about = { tenant: person.tenant, subject: person.id, to, language: languageOf(person, language), facts }
  return { link, mail: newMail(about, hands, life) }
}

/** Whose password a link would set; null where it sets nobody's. Looking uses nothing up: mail scanners look, too. */
export async function resettableUser(secret: Secret, visitor: Visitor, hands: Hands): Promise<UserRow | null> {
  const link = await hands.store.links.find(visitor.tenant, hands.ids.handleOf(secret))
  if (link === null || link.purpose !== 'reset' || link.expiresAt <= hands.clock.now()) return null
  const user = await hands.store.users.byId(visitor.tenant, link.subject)
  return user === null || user.disabledAt !== null ? null : user
}

export type ResetOutcome = 'reset' | 'gone' | 'too_short' | 'too_long' | 'is_name'

export async function resetPassword(
  by: { readonly secret: Secret; readonly next: string },
  visitor: Visitor,
  hands: Hands,
): Promise<ResetOutcome> {
  let passwordHash: string | null = null
  for (let tries = 0; tries < maxAttempts; tries++) {
    const user = await resettableUser(by.secret, visitor, hands)
    if (user === null) return 'gone'
    const problem = passwordProblem(by.next, user.username)
    if (problem !== null) return problem
    passwordHash ??= await hashPassword(by.next)
    const { tenant, id, version } = user
    const about = { actor: { kind: 'user' as const, id }, subject: id, reason: 'password_changed' }
    const outcome = await hands.store.links.spend({
      handle: hands.ids.handleOf(by.secret),
      change: { tenant, id, version, passwordHash, endSessionsBut: null, at: hands.clock.now() },
      mails: [],
      events: [newEvent(hands, visitor, 'admin.user_changed', { ...about, data: { cutoff: true, by: 'mail' } })],
    })
    if (outcome === 'spent') return 'reset'
    if (outcome === 'gone') return 'gone'
  }
  return 'gone'
}
