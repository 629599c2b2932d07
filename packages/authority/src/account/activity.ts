/** A person's recent activity, from the event log: what their own account page tells them. */
import { personalEvents, type SealedEvent } from '@grantor/protocol/events'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Account } from '../interact/visitor.ts'

export interface ActivityDependencies {
  readonly directory: Directory
  readonly store: Pick<Store, 'events'>
}

export type ActivityKind = (typeof listedEvents)[number] | 'password.changed'

export interface Activity {
  readonly kind: ActivityKind
  readonly at: Instant
  /** The name of the app it concerns. */
  readonly client: string | null
  /** Where a person acted from. What a client did came from a server of theirs, and would only puzzle. */
  readonly ip: string | null
}

export interface ActivityPage {
  readonly events: readonly Activity[]
  /** What to ask for next; null at the end. */
  readonly older: number | null
}

const pageSize = 25

export async function activityOf(
  { person }: Account,
  before: number | null,
  { store, directory }: ActivityDependencies,
): Promise<ActivityPage> {
  const { tenant, id } = person
  // What the person just did is part of it.
  await store.events.position()
  const found = await store.events.ofSubject(tenant, id, { before, limit: pageSize + 1 })
  const page = found.slice(0, pageSize)
  const events: Activity[] = []
  for (const event of page) {
    const kind = kindOf(event)
    if (kind === null) continue
    const { clientId, actor, at } = event
    const client = clientId === null ? null : await directory.client(tenant, clientId)
    const name = client?.metadata.client_name ?? clientId
    events.push({ kind, at, client: name, ip: actor.kind === 'client' ? null : event.ip })
  }
  return { events, older: found.length > pageSize ? (page.at(-1)?.seq ?? null) : null }
}

/** One line for one thing that happened: the other events of the same act are left to the audit. */
const accompanyingReasons = new Set([
  'replaced',
  'session_ended',
  'user_changed',
  'client_changed',
  'consent_withdrawn',
  'code_replayed',
  'refresh_replayed',
])
const accompanyingEvents: ReadonlySet<string> = new Set(['session.ended', 'grant.revoked'])

/** A change of the person's record is told only where it was the password; see below. */
const listedEvents = personalEvents.filter((it) => it !== 'admin.user_changed')

function kindOf({ name, reason, data }: SealedEvent): ActivityKind | null {
  if (name === 'admin.user_changed') {
    return reason === 'password_changed' || data?.['password_reset'] === true ? 'password.changed' : null
  }
  if (accompanyingEvents.has(name) && reason !== null && accompanyingReasons.has(reason)) return null
  return listedEvents.find((it) => it === name) ?? null
}
