/**
 * Reads the log for events that people should be notified of, and queues a mail for each, in one commit with the
 * position read.
 */
import type { EventName, SealedEvent } from '@grantor/protocol/events'
import type { Instant } from '@grantor/protocol/types'
import type { NewMail, Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { People } from '../ports/people.ts'
import { addressOf, languageOf, newMail, type QueuedMailDependencies } from './queued-mail.ts'
import type { MailFacts, NoticeKind } from '../ports/mail.ts'

export interface NoticeDependencies extends QueuedMailDependencies {
  readonly directory: Directory
  readonly people: People
  readonly store: Pick<Store, 'events' | 'mails' | 'sessions'>
}

const pageSize = 100
/** The oldest event that is mailed, in milliseconds: after a long outage, old news is not sent. */
const longestDelay = 86_400_000

export async function queueNotices(deps: NoticeDependencies): Promise<void> {
  const { mails, events } = deps.store
  for (;;) {
    const from = await mails.cursor()
    // The first run: earlier events are not mailed.
    if (from === null) {
      await mails.derive({ from, to: await events.position(), mails: [] })
      return
    }
    const page = await mails.news(from, pageSize)
    const to = page.at(-1)?.pos
    if (to === undefined) return
    const queued: NewMail[] = []
    for (const event of page) queued.push(...(await mailsOf(event, deps)))
    await mails.derive({ from, to, mails: queued })
    if (page.length < pageSize) return
  }
}

export type Notice = NoticeKind | 'app_connected' | 'access_requested'

const plainNotices: ReadonlyMap<EventName, Notice> = new Map([
  ['consent.granted', 'app_connected'],
  ['backchannel.requested', 'access_requested'],
  ['account.deletion_requested', 'deletion_requested'],
  ['account.deletion_cancelled', 'deletion_cancelled'],
  ['factor.added', 'factor_added'],
  ['factor.removed', 'factor_removed'],
  ['factor.recovered', 'recovery_code_used'],
])

/** The notice for an event; null for most events. */
function noticeIn({ name, reason, data }: SealedEvent): Notice | null {
  if (name === 'session.started') return data?.['known_browser'] === false ? 'signed_in' : null
  // Recovery codes come with the first factor, which has a mail of its own.
  if (data?.['factor'] === 'recovery_codes') return null
  if (name !== 'admin.user_changed') return plainNotices.get(name) ?? null
  return reason === 'password_changed' || data?.['password_reset'] === true ? 'password_changed' : null
}

async function mailsOf(event: SealedEvent, deps: NoticeDependencies): Promise<readonly NewMail[]> {
  const kind = noticeIn(event)
  const { tenant, subject } = event
  if (kind === null || subject === null || event.at < ((deps.clock.now() - longestDelay) as Instant)) return []
  const person = await deps.people.find(tenant, subject)
  const to = person === null || person.disabledAt !== null ? null : addressOf(person)
  if (person === null || to === null) return []
  const facts = await factsOf(event, { kind, username: person.username }, deps)
  const expiresAt = event.data?.['expires_at']
  // No mail about a request that has expired.
  const life = kind === 'access_requested' && typeof expiresAt === 'number' ? expiresAt - deps.clock.now() : undefined
  if (life !== undefined && life <= 0) return []
  return [newMail({ tenant, subject, to, language: languageOf(person, null), facts }, deps, life)]
}

async function factsOf(
  event: SealedEvent,
  { kind, username }: { readonly kind: Notice; readonly username: string },
  { store, directory }: NoticeDependencies,
): Promise<MailFacts> {
  const { tenant, clientId, data } = event
  const sid = data?.['sid']
  const session = typeof sid === 'string' ? await store.sessions.byId(tenant, sid) : null
  const where = { at: event.at, ip: event.ip, userAgent: session?.userAgent ?? null }
  if (kind !== 'app_connected' && kind !== 'access_requested') return { kind, username, where }
  const client = clientId === null ? null : await directory.currentClient(tenant, clientId)
  const name = client?.metadata.client_name ?? clientId ?? ''
  if (kind === 'app_connected') return { kind, username, where, client: name }
  const message = data?.['binding_message']
  return { kind, username, where, client: name, bindingMessage: typeof message === 'string' ? message : null }
}
