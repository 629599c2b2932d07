/**
 * A person requests an account. The request costs the same for every address: one row is queued, and the answer is
 * sent; only then the address is looked up, and exactly one mail is sent: a link to create the account, or a note that
 * it exists. Nothing is created before the link is opened.
 */
import { retryAfter } from '@grantor/protocol/http'
import type { Policy } from '@grantor/protocol/oauth'
import { type AccountPolicy, emailKey, isMailAddress, maySignUp, normaliseUsername } from '@grantor/protocol/people'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { InvitationRow, MailRow, Store, UserRow } from '@grantor/store'
import { circumstancesOf } from '../account/reset-password.ts'
import type { Directory } from '../directory.ts'
import type { RefusalRecorder } from '../events.ts'
import type { Visitor } from '../interact/visitor.ts'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import { addressOf, newMail, signUpRequestIn, signUpRequestMail, type SignUpRequest } from '../mail/queued-mail.ts'
import type { Vault } from '../ports/vault.ts'
import { askSignUpHook, type SignUpHookDependencies } from './ask-hook.ts'

export interface SignUpRequestDependencies extends SignUpHookDependencies {
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'users' | 'invitations' | 'mails'>
}

export type SignUpRequestOutcome =
  | 'asked'
  | 'off'
  | 'malformed'
  /** The tenant accepts addresses of certain domains only. */
  | 'domain'
  | { readonly did: 'throttled'; readonly seconds: number }
  /** The operator's hook refused; `url` is where the person can do something about it. */
  | { readonly did: 'refused'; readonly url: string | null }
  /** The hook did not answer. */
  | 'unavailable'

/** The account policy of a served tenant; null where sign-up is off. */
export async function signUpPolicy(
  { tenant }: Pick<Visitor, 'tenant'>,
  { directory }: Pick<SignUpRequestDependencies, 'directory'>,
): Promise<AccountPolicy | null> {
  const accounts = (await directory.servedCatalogue(tenant))?.tenant.accounts
  return accounts?.sign_up === true ? accounts : null
}

/** Whether the owner of that address may create an account now. */
export async function isSignUpOpen(
  email: string,
  of: Pick<Visitor, 'tenant'>,
  deps: Pick<SignUpRequestDependencies, 'directory'>,
): Promise<boolean> {
  const accounts = await signUpPolicy(of, deps)
  return accounts !== null && maySignUp(email, accounts)
}

export interface SignUpAsked {
  readonly email: string
  /** The interaction that waits for the account. */
  readonly returnTo: Secret | null
  readonly language: string | null
}

/** The answer depends on the origin of the request and on the form of the address, never on whether it is taken. */
export async function requestSignUp(
  by: SignUpAsked,
  visitor: Visitor,
  deps: SignUpRequestDependencies & { readonly refusedRequests: RefusalRecorder },
): Promise<SignUpRequestOutcome> {
  const accounts = await signUpPolicy(visitor, deps)
  if (accounts === null) return 'off'
  const email = by.email.trim().normalize('NFC')
  // The address becomes the username, too.
  if (!isMailAddress(email) || normaliseUsername(email) === null) return 'malformed'
  if (!maySignUp(email, accounts)) return 'domain'
  const decision = await deps.limits.takeByAddress('resetAddress', visitor.ip)
  const seconds = decision === null ? 0 : retryAfter(decision)
  if (seconds > 0) return { did: 'throttled', seconds }
  const verdict = await askSignUpHook(email, visitor, deps)
  if (verdict === 'unavailable' || verdict.decision === 'deny') {
    const reason = verdict === 'unavailable' ? 'hook_unavailable' : verdict.url === null ? 'hook_denied' : 'hook_step'
    deps.refusedRequests.record({ name: 'sign_up.refused', tenant: visitor.tenant, clientId: null, reason })
    return verdict === 'unavailable' ? verdict : { did: 'refused', url: verdict.url }
  }
  const asked = { email, returnTo: by.returnTo, language: by.language, where: circumstancesOf(visitor, deps) }
  const at = { tenant: visitor.tenant, life: deps.policy.addressCheckTtl * 1000 }
  await deps.store.mails.queue([signUpRequestMail(asked, deps, at)], [])
  return 'asked'
}

export const returnContext = ({ tenant, id }: Pick<InvitationRow, 'tenant' | 'id'>): string => `return ${tenant} ${id}`

/** Answers a queued request. 'unopened': the row was sealed under a key that no longer exists. */
export async function answerSignUpRequest(
  row: MailRow,
  deps: SignUpRequestDependencies,
): Promise<'answered' | 'unopened'> {
  const asked = signUpRequestIn(row, deps.vault)
  if (asked === null) return 'unopened'
  const { tenant } = row
  const { email } = asked
  const dropped = { invitation: null, mails: [], instead: row, events: [] }
  const key = `sign-up ${tenant} ${emailKey(email)}`
  // Switched off meanwhile, altogether or for that domain, or requested too often: strangers must not fill a mailbox.
  const isOpen = await isSignUpOpen(email, row, deps)
  if (!isOpen || limitReached(await deps.limits.take('resetAccount', key)) !== null) {
    await deps.store.invitations.make(dropped)
    return 'answered'
  }
  const there = await accountOf(email, row, deps)
  const answer =
    there === null ? invitationFor(asked, row, deps) : { invitation: null, mail: existsMail(there, asked, deps) }
  await deps.store.invitations.make({ ...dropped, invitation: answer.invitation, mails: [answer.mail] })
  return 'answered'
}

/** The account with this address or this username, even if it is disabled. */
async function accountOf(
  email: string,
  { tenant }: MailRow,
  { store: { users } }: SignUpRequestDependencies,
): Promise<UserRow | null> {
  const [byEmail] = await users.byEmail(tenant, email, 1)
  return byEmail ?? (await users.byUsername(tenant, email))
}

/** To the address that the account has: two spellings that we treat as equal may be two mailboxes. */
function existsMail(user: UserRow, { email, language, where }: SignUpRequest, deps: SignUpRequestDependencies) {
  const { tenant, id: subject, username } = user
  const facts = { kind: 'account_exists', username, link: `${deps.issuers.issuerOf(tenant)}/account`, where } as const
  return newMail({ tenant, subject, to: addressOf(user) ?? email, language, facts }, deps)
}

function invitationFor(asked: SignUpRequest, { tenant }: MailRow, deps: SignUpRequestDependencies) {
  const { email, language, where, returnTo } = asked
  const secret = deps.ids.secret('gp_')
  const id = deps.ids.id()
  const life = deps.policy.addressCheckTtl * 1000
  const madeAt = deps.clock.now()
  const invitation: InvitationRow = {
    tenant,
    id,
    handle: deps.ids.handleOf(secret),
    kind: 'sign_up',
    email,
    // Whoever opens the link has access to that mailbox.
    preset: { claims: { email_verified: true } },
    invitedBy: null,
    sealedReturn:
      returnTo === null ? null : deps.vault.sealShortLived(Buffer.from(returnTo), returnContext({ tenant, id })),
    madeAt,
    expiresAt: (madeAt + life) as Instant,
  }
  const link = `${deps.issuers.issuerOf(tenant)}/sign-up/finish?token=${secret}`
  const facts = { kind: 'sign_up', username: email, link, where } as const
  return { invitation, mail: newMail({ tenant, subject: null, to: email, language, facts }, deps, life) }
}
