/**
 * Delivers mail: reads the log for notices, takes mails that are due, and sends a few at a time. No request ever waits
 * for it. What it takes is its own for a while; if the node dies, another one finds the mail due again.
 */
import type { Instant } from '@grantor/protocol/types'
import type { MailRow } from '@grantor/store'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import type { Hands } from '../hands.ts'
import { ignoreOutage } from '../retry-stale.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'
import { contentOf, resetRequestKind } from '../mail/queued-mail.ts'
import { queueNotices } from '../mail/notices.ts'
import type { Mail, SendOutcome } from '../ports/mail.ts'
import { answerResetRequest } from '../account/reset-password.ts'

const atOnce = 4
const lookEvery = 5_000
/** The log moves with every token; notices may wait for so long. */
const restBetweenLooks = 1_000
/** Every mail that was sent has us look again, but not for notices. */
const restBetweenNotices = 500
/** Far longer than any send may take. */
const lease = 300_000
/** How long closing waits for mails that are on the wire. */
const patience = 2_000

export interface MailDelivery extends Omit<Deliveries, 'begin'> {
  begin(): Promise<void>
}

export function openMailDelivery(mail: Mail, hands: Hands): MailDelivery {
  const closing = new AbortController()
  let noticesAt = -restBetweenNotices
  const deliveries = openDeliveries<MailRow>({
    every: lookEvery,
    watch: (wake) => hands.store.events.watch(wake),
    rest: restBetweenLooks,
    atOnce,
    async prepare() {
      const now = performance.now()
      if (now - noticesAt < restBetweenNotices) return
      noticesAt = now
      await queueNotices(hands)
    },
    take() {
      const now = hands.clock.now()
      return hands.store.mails.takeDue(now, (now + lease) as Instant)
    },
    deliver: (row) => deliverMail(row, { mail, hands, signal: closing.signal }),
  })
  return {
    ...deliveries,
    async begin() {
      // What happens from now on is news, whatever becomes of the first look.
      await queueNotices(hands).catch(ignoreOutage)
      deliveries.begin()
    },
    deliverDue() {
      noticesAt = -restBetweenNotices
      return deliveries.deliverDue()
    },
    async close() {
      const cut = setTimeout(() => closing.abort(), patience)
      await deliveries.close()
      clearTimeout(cut)
    },
  }
}

interface MailRoute {
  readonly mail: Mail
  readonly hands: Hands
  readonly signal: AbortSignal
}

async function deliverMail(row: MailRow, { mail, hands, signal }: MailRoute): Promise<void> {
  // Taken while the doors closed: whoever comes next has it at once.
  if (signal.aborted) return hands.store.mails.postpone(row.tenant, row.id, row.madeAt)
  if (row.expiresAt <= hands.clock.now()) return giveUp(row, 'expired', hands)
  if (row.kind === resetRequestKind) {
    if ((await answerResetRequest(row, hands)) === 'unopened') await giveUp(row, 'unopened', hands)
    return
  }
  const content = contentOf(row, hands)
  if (content === null) return giveUp(row, 'unopened', hands)
  const letter = { ...content, id: row.id, issuer: hands.issuers.issuerOf(row.tenant), madeAt: row.madeAt }
  await settle(row, await mail.send(letter, signal), hands)
}

async function settle(row: MailRow, sent: SendOutcome, hands: Hands): Promise<void> {
  const { tenant, id, kind, subject } = row
  if (sent.did === 'refused') return giveUp(row, 'refused', hands)
  if (sent.did === 'sent') {
    const about = { actor: systemActor, subject, data: { kind } }
    await hands.store.mails.settle(tenant, id, [newEvent(hands, localOrigin(tenant), 'mail.sent', about)])
    return
  }
  const dueAt = Math.min(hands.clock.now() + pause(row.attempts), row.expiresAt) as Instant
  await hands.store.mails.postpone(tenant, id, dueAt)
}

/** Half a minute, doubling, at most an hour. */
const pause = (attempts: number): number => Math.min(30_000 * 2 ** (attempts - 1), 3_600_000)

async function giveUp(row: MailRow, reason: 'expired' | 'refused' | 'unopened', hands: Hands): Promise<void> {
  const { tenant, id, kind, subject, attempts } = row
  const about = { actor: systemActor, subject, reason, data: { kind, attempts } }
  await hands.store.mails.settle(tenant, id, [newEvent(hands, localOrigin(tenant), 'mail.failed', about)])
}
