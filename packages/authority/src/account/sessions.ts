/** The sessions of a person, as their own account page shows and ends them: page by page, however many there are. */
import type { Instant } from '@grantor/protocol/types'
import type { SessionRow, Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'

export interface OwnSessionDependencies extends EventDependencies {
  readonly store: Pick<Store, 'sessions'>
}

export interface SessionsPage {
  readonly sessions: readonly SessionRow[]
  /** What to ask for next; null at the end. */
  readonly older: string | null
}

const pageSize = 20
/** Ended together: the store groups what arrives at once. */
const batchSize = 100

/** On the first page the session that looks at it comes first. */
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

/** Null, and with it the first page, for what no page of ours named. */
function sessionNamed(text: string): Pick<SessionRow, 'createdAt' | 'id'> | null {
  const [, createdAt, id] = /^([1-9]\d{0,14})\.([\w-]{1,64})$/.exec(text) ?? []
  return createdAt === undefined || id === undefined ? null : { createdAt: Number(createdAt) as Instant, id }
}

/** A session that is ended from elsewhere takes its browser's allowance along: somebody else may have it now. */
export async function endSession(
  id: string,
  { person }: Account,
  visitor: Visitor,
  deps: OwnSessionDependencies,
): Promise<void> {
  const session = await deps.store.sessions.byId(person.tenant, id)
  // Somebody else's session is nobody's business here.
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
  // First: a session that is gone from the page could not be asked to let go of its browser any more.
  await deps.store.sessions.forgetBrowser(tenant, id)
  await deps.store.sessions.end(tenant, id, deps.clock.now(), [newEvent(deps, visitor, 'session.ended', about)])
}
