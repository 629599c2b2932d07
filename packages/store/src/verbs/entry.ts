/** Events as verbs carry them: written down once, before they travel to a writer. */
import { randomUUIDv7 } from 'node:crypto'
import { decodeEvent, encodeEvent, feedEvents, type NewEvent, personOf } from '@grantor/protocol/events'
import { feedMessage } from '@grantor/protocol/feed'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'

/** An event written down: `body` is the exact text that the log will hash. */
export interface Entry {
  readonly tenant: TenantId
  readonly at: Instant
  readonly feed: 0 | 1
  /** Whose recent activity it is part of; null for most. */
  readonly subject: string | null
  readonly body: string
  /** The tokens that die by it, where it kills more than one: written beside the log, in the same commit. */
  readonly cutoff?: TokenCutoff
}

/** A row of `token_cutoffs`. */
export interface TokenCutoff {
  readonly tenant: string
  readonly dimension: string
  readonly key: string
  readonly at: Instant
  readonly upTo: number
  /** No token that it kills lives longer. */
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
 * An entry that kills all tokens up to its second, written when that second is over: tokens were given out while it
 * waited, and they die by it as well.
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
 * Milliseconds. Tokens say a second that has been over for a quarter of one, because the readings of nodes differ; half of
 * that is more than they do, and any commit may come a moment after a second begins.
 */
const slack = 125

/**
 * Of a commit that took until a later second: tokens were given out meanwhile by whoever could not see yet what it
 * changed, so their end is told once more, up to now. Null where nothing can have been missed.
 */
export function repeatedCutoff({ body, at: loggedAt, cutoff }: Entry, at: Instant): Entry | null {
  if (cutoff === undefined || Math.floor((at - slack) / 1000) <= Math.floor(loggedAt / 1000)) return null
  const event = decodeEvent(body)
  // A session or grant that is over gives its name to nothing any more, and nobody serves beside a restore.
  const reaches = { client: true, subject: true, tenant: true, grant: event.name === 'token.revoked' }
  if (!Object.entries(reaches).some(([dimension, more]) => more && dimension === cutoff.dimension)) return null
  const name = event.name === 'client.deleted' ? 'client.updated' : event.name
  const data = { cutoff: true, late: true, until: cutoff.until + at - loggedAt }
  return entryOf({ ...event, id: randomUUIDv7() as string as EventId, name, at, reason: 'commit_late', data })
}

/** What the feed tells validators is what introspection goes by: both are made of the same event. */
function cutoffOf(event: NewEvent): TokenCutoff | null {
  const message = feedMessage(event, keeping)
  if (message?.kind !== 'cutoff' || message.supersedes !== undefined) return null
  const { dimension, key, at, issuedUpTo, until } = message
  return { tenant: dimension === 'issuer' ? '' : event.tenant, dimension, key: key ?? '', at, upTo: issuedUpTo, until }
}
