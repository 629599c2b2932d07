/** Events in the form that verbs carry: encoded once, before they are sent to a writer. */
import { randomUUIDv7 } from 'node:crypto'
import { decodeEvent, encodeEvent, feedEvents, type NewEvent, personOf } from '@grantor/protocol/events'
import { feedMessage } from '@grantor/protocol/feed'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'

/** An encoded event: `body` is the exact text that the log will hash. */
export interface Entry {
  readonly tenant: TenantId
  readonly at: Instant
  readonly feed: 0 | 1
  /** The person whose recent activity it belongs to; null for most. */
  readonly subject: string | null
  readonly body: string
  /** The tokens that it ends, if it ends more than one: stored beside the log, in the same commit. */
  readonly cutoff?: TokenCutoff
}

/** A row of `token_cutoffs`. */
export interface TokenCutoff {
  readonly tenant: string
  readonly dimension: string
  readonly key: string
  readonly at: Instant
  readonly upTo: number
  /** No token that it ends lives longer. */
  readonly until: Instant
}

/** Twice the longest life that can be declared for a token. */
const keeping = { longestTokenLife: 2 * 86_400 }

export function entryOf(event: NewEvent): Entry {
  const feed = feedEvents.has(event.name)
  const entry: Entry = {
    tenant: event.tenant,
    at: event.at,
    feed: feed ? 1 : 0,
    subject: personOf(event),
    body: encodeEvent(event),
  }
  const cutoff = feed ? cutoffOf(event) : null
  return cutoff === null ? entry : { ...entry, cutoff }
}

export const entriesOf = (events: readonly NewEvent[]): readonly Entry[] => events.map(entryOf)

/**
 * For an entry that ends all tokens up to its second, written after that second has passed: tokens issued meanwhile
 * must end as well, so it is dated later.
 */
export function datedLater(entry: Entry, milliseconds: number): Entry {
  const at = (entry.at + Math.floor(milliseconds)) as Instant
  if (entry.cutoff === undefined || Math.floor(at / 1000) === Math.floor(entry.at / 1000)) return entry
  const { data, ...event } = decodeEvent(entry.body)
  const until = data?.['until']
  const postponed = typeof until === 'number' ? { ...data, until: until + at - entry.at } : data
  return entryOf({ ...event, at, data: postponed })
}

/**
 * Milliseconds. Tokens name a second that ended a quarter of a second ago, because the clocks of nodes differ; half of
 * that is more than they differ, and a commit may always come a moment after a second begins.
 */
const slack = 125

/**
 * For a commit that lasted into a later second: nodes that did not see its change yet may have issued tokens meanwhile,
 * so the cutoff is repeated, up to now. Null where no token can have been missed.
 */
export function repeatedCutoff({ body, at: loggedAt, cutoff }: Entry, at: Instant): Entry | null {
  if (cutoff === undefined || Math.floor((at - slack) / 1000) <= Math.floor(loggedAt / 1000)) return null
  const event = decodeEvent(body)
  // No token can name a session or grant that has ended, and no node serves during a restore.
  const reaches = { client: true, subject: true, tenant: true, grant: event.name === 'token.revoked' }
  if (!Object.entries(reaches).some(([dimension, more]) => more && dimension === cutoff.dimension)) return null
  const name = event.name === 'client.deleted' ? 'client.updated' : event.name
  const data = { cutoff: true, late: true, until: cutoff.until + at - loggedAt }
  return entryOf({ ...event, id: randomUUIDv7() as string as EventId, name, at, reason: 'commit_late', data })
}

/** Introspection uses the same cutoff that the feed sends to validators: both are made from the same event. */
function cutoffOf(event: NewEvent): TokenCutoff | null {
  const message = feedMessage(event, keeping)
  if (message?.kind !== 'cutoff' || message.supersedes !== undefined) return null
  const { dimension, key, at, issuedUpTo, until } = message
  return { tenant: dimension === 'issuer' ? '' : event.tenant, dimension, key: key ?? '', at, upTo: issuedUpTo, until }
}
