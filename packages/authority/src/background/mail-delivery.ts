/**
 * Delivers mail: reads the log for notices, takes mails that are due, and sends a few at a time. No request ever waits
 * for it. A row is leased to the node that takes it; if the node dies, the mail becomes due again.
 */
import type { Instant } from '@grantor/protocol/types'
import type { MailRow } from '@grantor/store'
import type { Directory } from '../directory.ts'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import { ignoreOutage } from '../outage.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'
import { contentOf, resetRequestKind, signInLinkRequestKind, signUpRequestKind } from '../mail/queued-mail.ts'
import { type NoticeDependencies, queueNotices } from '../mail/notices.ts'
import type { Mail, SendOutcome } from '../ports/mail.ts'
import { answerResetRequest, type ResetDependencies } from '../account/reset-password.ts'
import { answerSignInLinkRequest, type SignInLinkRequestDependencies } from '../sign-in-link/request.ts'
import { answerSignUpRequest, type SignUpRequestDependencies } from '../sign-up/request.ts'

export type MailDeliveryDependencies = NoticeDependencies &
  ResetDependencies &
  SignUpRequestDependencies &
  SignInLinkRequestDependencies & { readonly directory: Pick<Directory, 'catalogue'> }

const atOnce = 4
const lookEvery = 5_000
/** The log grows with every token; notices may be delayed by this long. */
const restBetweenRuns = 1_000
/** The loop runs again after every mail; the log is read for notices less often. */
const restBetweenNotices = 500
/** The lease of a mail: far longer than a send may take. */
const lease = 300_000
/** How long closing waits for mails that are being sent. */
const patience = 2_000

export interface MailDelivery extends Omit<Deliveries, 'begin'> {
  begin(): Promise<void>
}

export function openMailDelivery(mail: Mail, deps: MailDeliveryDependencies): MailDelivery {
  const closing = new AbortController()
  let noticesAt = -restBetweenNotices
  const deliveries = openDeliveries<MailRow>({
    every: lookEvery,
    watch: (wake) => deps.store.events.watch(wake),
    rest: restBetweenRuns,
    atOnce,
    async prepare() {
      const now = performance.now()
      if (now - noticesAt < restBetweenNotices) return
      noticesAt = now
      await queueNotices(deps)
    },
    take() {
      const now = deps.clock.now()
      return deps.store.mails.takeDue(now, (now + lease) as Instant)
    },
    deliver: (row) => deliverMail(row, { mail, signal: closing.signal }, deps),
  })
  const firstLook = async (): Promise<void> => {
    if ((await deps.store.mails.cursor()) === null) await queueNotices(deps)
  }
  return {
    ...deliveries,
    async begin() {
      // On the very first start, notices begin with events from now on. Later there may be much to catch up on, and the
      // start does not wait for that.
      await firstLook().catch(ignoreOutage)
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

/** Rows that are requests and not yet mails: the request is examined, and answered by mails. */
type AnswerRequest = (row: MailRow, deps: MailDeliveryDependencies) => Promise<'answered' | 'unopened'>
const answers: ReadonlyMap<string, AnswerRequest> = new Map<string, AnswerRequest>([
  [resetRequestKind, answerResetRequest],
  [signUpRequestKind, answerSignUpRequest],
  [signInLinkRequestKind, answerSignInLinkRequest],
])

interface MailRoute {
  readonly mail: Mail
  readonly signal: AbortSignal
}

async function deliverMail(row: MailRow, { mail, signal }: MailRoute, deps: MailDeliveryDependencies): Promise<void> {
  // Taken while the server stops: the mail is due again at once, for another node or the next start.
  if (signal.aborted) return deps.store.mails.postpone(row.tenant, row.id, row.madeAt, 'the server stopped')
  if (row.expiresAt <= deps.clock.now()) return giveUp(row, 'expired', deps)
  const answer = answers.get(row.kind)
  if (answer !== undefined) {
    if ((await answer(row, deps)) === 'unopened') await giveUp(row, 'unopened', deps)
    return
  }
  const content = contentOf(row, deps.vault)
  if (content === null) return giveUp(row, 'unopened', deps)
  const tenant = (await deps.directory.catalogue(row.tenant))?.tenant
  const letter = {
    ...content,
    id: row.id,
    issuer: deps.issuers.issuerOf(row.tenant),
    madeAt: row.madeAt,
    ...(tenant === undefined ? {} : { tenant }),
  }
  await settle(row, await mail.send(letter, signal), deps)
}

async function settle(row: MailRow, outcome: SendOutcome, deps: MailDeliveryDependencies): Promise<void> {
  const { tenant, id, kind, subject } = row
  if (outcome.did === 'refused') return giveUp(row, 'refused', deps)
  if (outcome.did === 'sent') {
    const about = { actor: systemActor, subject, data: { kind } }
    await deps.store.mails.settle(tenant, id, [newEvent(deps, localOrigin(tenant), 'mail.sent', about)])
    return
  }
  const dueAt = Math.min(deps.clock.now() + pause(row.attempts), row.expiresAt) as Instant
  await deps.store.mails.postpone(tenant, id, dueAt, outcome.why)
}

/** Milliseconds until the next try: half a minute, doubling, at most an hour. */
const pause = (attempts: number): number => Math.min(30_000 * 2 ** (attempts - 1), 3_600_000)

async function giveUp(
  row: MailRow,
  reason: 'expired' | 'refused' | 'unopened',
  deps: MailDeliveryDependencies,
): Promise<void> {
  const { tenant, id, kind, subject, attempts } = row
  const about = { actor: systemActor, subject, reason, data: { kind, attempts } }
  await deps.store.mails.settle(tenant, id, [newEvent(deps, localOrigin(tenant), 'mail.failed', about)])
}
