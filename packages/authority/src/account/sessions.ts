/** The sessions of a person, as their own account page lists and ends them, page by page. */
import type { Instant } from '@grantor/protocol/types'
import type { SessionRow, Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'

export interface OwnSessionDependencies extends EventDependencies {
  readonly store: Pick<Store, 'sessions'>
}

export interface SessionsPage {
  readonly sessions: readonly SessionRow[]
  /** The `before` of the next page; null at the end. */
  readonly older: string | null
}

const pageSize = 20
/** Sessions ended at the same time: the store groups verbs that arrive together. */
const batchSize = 100

/** The first page begins with the session of the request. */
export async function sessionsOf(
  { person, session: own }: Account,
  before: string | null,
  { clock, store }: OwnSessionDependencies,
): Promise<SessionsPage> {
  const from = before === null ? null : sessionNamed(before)
  const page = { now: clock.now(), before: from, limit: pageSize + 1 }
  const found = await store.sessions.livingOf(person.tenant, person.id, page)
  const shown = found.slice(0, pageSize)
  const last = found.length > pageSize ? shown.at(-1) : undefined
  const others = shown.filter(({ id }) => id !== own.id)
  return {
    sessions: from === null ? [own, ...others] : others,
    older: last === undefined ? null : `${last.createdAt}.${last.id}`,
  }
}

/** Null for a text that is not one of our page positions; the first page is shown then. */
function sessionNamed(text: string): Pick<SessionRow, 'createdAt' | 'id'> | null {
  const [, createdAt, id] = /^([1-9]\d{0,14})\.([\w-]{1,64})$/.exec(text) ?? []
  return createdAt === undefined || id === undefined ? null : { createdAt: Number(createdAt) as Instant, id }
}

/** Ending a session from elsewhere also forgets its remembered browser: somebody else may have it now. */
export async function endSession(
  id: string,
  { person }: Account,
  visitor: Visitor,
  deps: OwnSessionDependencies,
): Promise<void> {
  const session = await deps.store.sessions.byId(person.tenant, id)
  // A session of another person is ignored.
  if (session === null || session.authentication.subject !== person.id) return
  await endFromElsewhere(session, visitor, deps)
}

export async function endOtherSessions(
  { person, session: own }: Account,
  visitor: Visitor,
  deps: OwnSessionDependencies,
): Promise<void> {
  let before: SessionRow | null = null
  do {
    const page = { now: deps.clock.now(), before, limit: batchSize }
    const found: readonly SessionRow[] = await deps.store.sessions.livingOf(person.tenant, person.id, page)
    await Promise.all(found.filter(({ id }) => id !== own.id).map((one) => endFromElsewhere(one, visitor, deps)))
    before = found.length < batchSize ? null : (found.at(-1) ?? null)
  } while (before !== null)
}

async function endFromElsewhere(session: SessionRow, visitor: Visitor, deps: OwnSessionDependencies): Promise<void> {
  const { tenant, id, authentication } = session
  const { subject } = authentication
  const about = { actor: { kind: 'user' as const, id: subject }, subject, data: { sid: id } }
  // First: once the session has ended, its browser could no longer be found and forgotten.
  await deps.store.sessions.forgetBrowser(tenant, id)
  await deps.store.sessions.end(tenant, id, deps.clock.now(), [newEvent(deps, visitor, 'session.ended', about)])
}
