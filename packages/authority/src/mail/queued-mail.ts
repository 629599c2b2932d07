/** Queued mails: recipient and content are sealed, because a link in them is a secret. */
import { isMailAddress, type Person } from '@grantor/protocol/people'
import type { Handle, Instant, Secret, TenantId } from '@grantor/protocol/types'
import type { MailRow, NewMail } from '@grantor/store'
import type { Clock, Ids } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'
import type { Circumstances, AddressedMail } from '../ports/mail.ts'

/** Milliseconds after which a mail is no longer worth sending. */
const worthSending = 86_400_000

/** A request for a reset. The person is looked up later, so that the answer does not depend on them. */
export interface ResetRequest {
  readonly named: string
  /** The browser of the request, where somebody signed in with it before; absent in rows of earlier releases. */
  readonly browser?: Handle | null
  /** Whether an administrator requested it; absent in rows of earlier releases. */
  readonly byAdministrator?: boolean
  readonly language: string | null
  readonly where: Circumstances
}

/** A request for an account. Whether one exists is looked up later, so that the answer does not depend on it. */
export interface SignUpRequest {
  readonly email: string
  readonly returnTo: Secret | null
  readonly language: string | null
  readonly where: Circumstances
}

/** A request for a sign-in link. The person is looked up later, so that the answer does not depend on them. */
export interface SignInLinkRequest {
  readonly named: string
  readonly browser: Handle
  /** Whether somebody signed in with the browser before. */
  readonly known: boolean
  readonly returnTo: Secret | null
  readonly language: string | null
  readonly where: Circumstances
}

type MailContent = Pick<AddressedMail, 'to' | 'language' | 'facts'>
export interface QueuedMailDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'id'>
  readonly vault: Vault
}

export const resetRequestKind = 'reset_asked'
export const signUpRequestKind = 'sign_up_asked'
export const signInLinkRequestKind = 'sign_in_link_asked'

/** The kinds of rows that are requests and not yet mails. */
const requestKinds: ReadonlySet<string> = new Set([resetRequestKind, signUpRequestKind, signInLinkRequestKind])
export const isRequestKind = (kind: string): boolean => requestKinds.has(kind)

export function newMail(
  { tenant, subject, ...content }: AddressedMail,
  deps: QueuedMailDependencies,
  life = worthSending,
): NewMail {
  return queued({ tenant, kind: content.facts.kind, subject, life }, content, deps)
}

export const resetRequestMail = (
  asked: ResetRequest,
  deps: QueuedMailDependencies,
  at: { tenant: TenantId; life: number },
): NewMail => queued({ ...at, kind: resetRequestKind, subject: null }, asked, deps)

export const signUpRequestMail = (
  asked: SignUpRequest,
  deps: QueuedMailDependencies,
  at: { tenant: TenantId; life: number },
): NewMail => queued({ ...at, kind: signUpRequestKind, subject: null }, asked, deps)

export const signInLinkRequestMail = (
  asked: SignInLinkRequest,
  deps: QueuedMailDependencies,
  at: { tenant: TenantId; life: number },
): NewMail => queued({ ...at, kind: signInLinkRequestKind, subject: null }, asked, deps)

interface MailHeader {
  readonly tenant: TenantId
  readonly kind: string
  readonly subject: string | null
  /** Milliseconds. */
  readonly life: number
}

function queued(
  { tenant, kind, subject, life }: MailHeader,
  content: MailContent | ResetRequest | SignUpRequest | SignInLinkRequest,
  deps: QueuedMailDependencies,
): NewMail {
  const id = deps.ids.id()
  const madeAt = deps.clock.now()
  const sealed = deps.vault.seal(Buffer.from(JSON.stringify(content)), mailContext({ tenant, id }))
  return { tenant, id, kind, subject, sealed, madeAt, expiresAt: (madeAt + life) as Instant }
}

/** Null where none of our keys opens it. */
export const contentOf = (row: MailRow, vault: Vault) => opened(row, vault) as MailContent | null
export const resetRequestIn = (row: MailRow, vault: Vault) => opened(row, vault) as ResetRequest | null
export const signUpRequestIn = (row: MailRow, vault: Vault) => opened(row, vault) as SignUpRequest | null
export const signInLinkRequestIn = (row: MailRow, vault: Vault) => opened(row, vault) as SignInLinkRequest | null

function opened(row: MailRow, vault: Vault): unknown {
  const plain = vault.open(row.sealed, mailContext(row))
  return plain === null ? null : JSON.parse(Buffer.from(plain).toString())
}

export const mailContext = ({ tenant, id }: Pick<NewMail, 'tenant' | 'id'>): string => `mail ${tenant} ${id}`

/** The address of a person, if it is a valid mail address. */
export function addressOf({ claims }: Pick<Person, 'claims'>): string | null {
  const { email } = claims
  return typeof email === 'string' && isMailAddress(email) ? email : null
}

/** The person's own locale takes precedence over the language of the request. */
export function languageOf({ claims }: Pick<Person, 'claims'>, asked: string | null): string | null {
  const { locale } = claims
  return typeof locale === 'string' && locale !== '' ? locale : asked
}
