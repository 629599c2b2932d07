/**
 * The mailer of a node: reads the news, takes mails that are due, and sends a few at a time. No request ever waits for
 * it. What it takes is its own for a while; if the node dies, another one finds the mail due again.
 */
import type { Instant } from '@grantor/protocol/types'
import type { MailRow } from '@grantor/store'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import type { Hands } from '../hands.ts'
import { ignoreOutage } from '../retry-stale.ts'
import { contentOf, resetRequestKind } from '../mail/queued-mail.ts'
import { queueNotices } from '../mail/notices.ts'
import type { Mail, SendOutcome } from '../ports/mail.ts'
import { answerResetRequest } from '../account/reset-password.ts'

const atOnce = 4
const lookEvery = 5_000
/** The log moves with every token; news may wait for so long. */
const newsEvery = 1_000
/** Far longer than any send may take. */
const lease = 300_000
/** How long closing waits for mails that are on the wire. */
const patience = 2_000

export interface MailDelivery {
  /** Something was queued here. */
  wake(): void
  /** Everything that is due, sent or put back; resolves when nothing is. */
  deliverDue(): Promise<void>
  begin(): Promise<void>
  close(): Promise<void>
}

export function openMailDelivery(mail: Mail, hands: Hands): MailDelivery {
  const flying = new Set<Promise<void>>()
  /** First nothing more is taken, then what is on the wire is cut. */
  const leaving = new AbortController()
  const closing = new AbortController()
  const stops: (() => void)[] = []
  let newsAt = -newsEvery
  let launched = 0

  async function fill(): Promise<void> {
    while (flying.size < atOnce && !leaving.signal.aborted) {
      const now = hands.now()
      const row = await hands.store.mails.take(now, (now + lease) as Instant)
      if (row === null) return
      const flight = deliverMail(row, { mail, hands, signal: closing.signal })
        .catch(ignoreOutage)
        .finally(() => {
          flying.delete(flight)
          again()
        })
      flying.add(flight)
      launched += 1
    }
  }

  const run = once(async () => {
    if (leaving.signal.aborted) return
    const now = performance.now()
    if (now - newsAt >= newsEvery) {
      newsAt = now
      await queueNotices(hands)
    }
    await fill()
  })
  const again = (): void => void run().catch(ignoreOutage)

  return {
    wake: again,
    async deliverDue() {
      newsAt = -newsEvery
      for (;;) {
        await Promise.all(flying)
        // Only what flies can queue more: when nothing was in the air and nothing took off, also not by a run that was
        // under way already, there is nothing left.
        const [quiet, before] = [flying.size === 0, launched]
        await run()
        if (quiet && flying.size === 0 && launched === before) return
      }
    },
    async begin() {
      await queueNotices(hands).catch(ignoreOutage)
      const timer = setInterval(again, lookEvery).unref()
      let soon: NodeJS.Timeout | null = null
      const unwatch = hands.store.events.watch(() => {
        soon ??= setTimeout(() => ((soon = null), again()), newsEvery).unref()
      })
      stops.push(
        unwatch,
        () => clearInterval(timer),
        () => clearTimeout(soon ?? undefined),
      )
    },
    async close() {
      leaving.abort()
      for (const stop of stops) stop()
      const cut = setTimeout(() => closing.abort(), patience)
      await Promise.all(flying)
      clearTimeout(cut)
      closing.abort()
      await run().catch(ignoreOutage)
      await Promise.all(flying)
    },
  }
}

/** Callers during a run share the one after it. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => (running = work().finally(() => (running = null)))
  return () => {
    if (running === null) return start()
    next ??= running.then(
      () => ((next = null), start()),
      () => ((next = null), start()),
    )
    return next
  }
}

interface MailRoute {
  readonly mail: Mail
  readonly hands: Hands
  readonly signal: AbortSignal
}

async function deliverMail(row: MailRow, { mail, hands, signal }: MailRoute): Promise<void> {
  // Taken while the doors closed: whoever comes next has it at once.
  if (signal.aborted) return hands.store.mails.again(row.tenant, row.id, row.madeAt)
  if (row.expiresAt <= hands.now()) return giveUp(row, 'expired', hands)
  if (row.kind === resetRequestKind) {
    if ((await answerResetRequest(row, hands)) === 'unopened') await giveUp(row, 'unopened', hands)
    return
  }
  const content = contentOf(row, hands)
  if (content === null) return giveUp(row, 'unopened', hands)
  const letter = { ...content, id: row.id, issuer: hands.issuerOf(row.tenant), madeAt: row.madeAt }
  await settle(row, await mail.send(letter, signal), hands)
}

async function settle(row: MailRow, sent: SendOutcome, hands: Hands): Promise<void> {
  const { tenant, id, kind, subject } = row
  if (sent.did === 'refused') return giveUp(row, 'refused', hands)
  if (sent.did === 'sent') {
    const about = { actor: systemActor, subject, data: { kind } }
    await hands.store.mails.done(tenant, id, [newEvent(hands, localOrigin(tenant), 'mail.sent', about)])
    return
  }
  const dueAt = Math.min(hands.now() + pause(row.attempts), row.expiresAt) as Instant
  await hands.store.mails.again(tenant, id, dueAt)
}

/** Half a minute, doubling, at most an hour. */
const pause = (attempts: number): number => Math.min(30_000 * 2 ** (attempts - 1), 3_600_000)

async function giveUp(row: MailRow, reason: 'expired' | 'refused' | 'unopened', hands: Hands): Promise<void> {
  const { tenant, id, kind, subject, attempts } = row
  const about = { actor: systemActor, subject, reason, data: { kind, attempts } }
  await hands.store.mails.done(tenant, id, [newEvent(hands, localOrigin(tenant), 'mail.failed', about)])
}
