/** A person's recent activity, from the event log, as their own account page shows it. */
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
  /** The name of the app concerned. */
  readonly client: string | null
  /** The person's IP address and device, as far as they are known. */
  readonly ip: string | null
  readonly device: string | null
}

export interface ActivityPage {
  readonly events: readonly Activity[]
  /** The `before` of the next page; null at the end. */
  readonly older: number | null
}

/** The groups by which a person can filter. */
export const activityGroups = ['sign_in', 'apps', 'account'] as const
export type ActivityGroup = (typeof activityGroups)[number]

export interface ActivityQuery {
  /** Null: from the newest. */
  readonly before: number | null
  /** Null: all groups. */
  readonly group: ActivityGroup | null
}

const groups: Readonly<Record<ActivityKind, ActivityGroup>> = {
  'session.started': 'sign_in',
  'session.ended': 'sign_in',
  'login.link_requested': 'sign_in',
  'login.failed': 'sign_in',
  'factor.recovered': 'sign_in',
  'browser.remembered': 'sign_in',
  'browser.forgotten': 'sign_in',
  'backchannel.requested': 'apps',
  'backchannel.denied': 'apps',
  'consent.granted': 'apps',
  'consent.withdrawn': 'apps',
  'grant.revoked': 'apps',
  'token.replayed': 'apps',
  'factor.added': 'account',
  'factor.removed': 'account',
  'password.reset_requested': 'account',
  'password.changed': 'account',
  'terms.accepted': 'account',
  'account.deletion_requested': 'account',
  'account.deletion_cancelled': 'account',
}

const pageSize = 25
/** Events read at once, and the most reads for one page: rare events may then need another page or two. */
const stride = 100
const mostStrides = 10

export async function activityOf(
  { person }: Account,
  { before, group }: ActivityQuery,
  { store, directory }: ActivityDependencies,
): Promise<ActivityPage> {
  const { tenant, id } = person
  // Waits until the person's latest act is included.
  await store.events.position()
  const events: Activity[] = []
  let reached = before
  for (let n = 0; n < mostStrides; n += 1) {
    const found = await store.events.ofSubject(tenant, id, { before: reached, limit: stride })
    for (const event of found) {
      if (events.length === pageSize) return { events, older: reached }
      reached = event.seq
      const kind = kindOf(event)
      if (kind === null || (group !== null && groups[kind] !== group)) continue
      const { clientId } = event
      const client = clientId === null ? null : await directory.client(tenant, clientId)
      events.push(shown(kind, event, client?.metadata.client_name ?? clientId))
    }
    if (found.length < stride) return { events, older: null }
  }
  return { events, older: reached }
}

/** The address and device of a client's request are its server's, and would only confuse. */
function shown(kind: ActivityKind, { at, actor, ip, data }: SealedEvent, client: string | null): Activity {
  const device = data?.['device']
  const isPerson = actor.kind !== 'client'
  return { kind, at, client, ip: isPerson ? ip : null, device: isPerson && typeof device === 'string' ? device : null }
}

/** One line for each act: its accompanying events are left to the audit. */
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

/** Of changes of the person's record, only those of the password are listed; see below. */
const listedEvents = personalEvents.filter((it) => it !== 'admin.user_changed')

function kindOf({ name, reason, data }: SealedEvent): ActivityKind | null {
  if (name === 'admin.user_changed') {
    return reason === 'password_changed' || data?.['password_reset'] === true ? 'password.changed' : null
  }
  if (accompanyingEvents.has(name) && reason !== null && accompanyingReasons.has(reason)) return null
  return listedEvents.find((it) => it === name) ?? null
}
