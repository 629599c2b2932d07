/** Mails as they lie in the queue: whom to and what about are sealed, because a link in them is a secret. */
import { isMailAddress, type Person } from '@grantor/protocol/people'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { MailRow, NewMail } from '@grantor/store'
import type { Ports } from '../ports/ports.ts'
import type { Circumstances, AddressedMail } from '../ports/mail.ts'

/** News that is a day old is none. */
const worthSending = 86_400_000

/** Somebody asked for a reset. Who that is, is found out when nobody waits for the answer. */
export interface ResetRequest {
  readonly named: string
  readonly language: string | null
  readonly where: Circumstances
}

type MailContent = Pick<AddressedMail, 'to' | 'language' | 'facts'>
type Sealer = Pick<Ports, 'vault' | 'ids' | 'clock'>

export const resetRequestKind = 'reset_asked'

export function newMail({ tenant, subject, ...content }: AddressedMail, hands: Sealer, life = worthSending): NewMail {
  return queued({ tenant, kind: content.facts.kind, subject, life }, content, hands)
}

export const resetRequestMail = (asked: ResetRequest, hands: Sealer, at: { tenant: TenantId; life: number }): NewMail =>
  queued({ ...at, kind: resetRequestKind, subject: null }, asked, hands)

interface MailHeader {
  readonly tenant: TenantId
  readonly kind: string
  readonly subject: string | null
  /** Milliseconds. */
  readonly life: number
}

function queued(
  { tenant, kind, subject, life }: MailHeader,
  content: MailContent | ResetRequest,
  hands: Sealer,
): NewMail {
  const id = hands.ids.id()
  const madeAt = hands.clock.now()
  const sealed = hands.vault.seal(Buffer.from(JSON.stringify(content)), contextOf({ tenant, id }))
  return { tenant, id, kind, subject, sealed, madeAt, expiresAt: (madeAt + life) as Instant }
}

/** Null where no key of ours opens it. */
export const contentOf = (row: MailRow, hands: Pick<Ports, 'vault'>) => opened(row, hands) as MailContent | null
export const resetRequestIn = (row: MailRow, hands: Pick<Ports, 'vault'>) => opened(row, hands) as ResetRequest | null

function opened(row: MailRow, { vault }: Pick<Ports, 'vault'>): unknown {
  const plain = vault.open(row.sealed, contextOf(row))
  return plain === null ? null : JSON.parse(Buffer.from(plain).toString())
}

const contextOf = ({ tenant, id }: Pick<NewMail, 'tenant' | 'id'>): string => `mail ${tenant} ${id}`

/** The address of a person, if mail can be sent there. */
export function addressOf({ claims }: Pick<Person, 'claims'>): string | null {
  const { email } = claims
  return typeof email === 'string' && isMailAddress(email) ? email : null
}

/** What a person declared of themselves goes before the language of whoever asked. */
export function languageOf({ claims }: Pick<Person, 'claims'>, asked: string | null): string | null {
  const { locale } = claims
  return typeof locale === 'string' && locale !== '' ? locale : asked
}
