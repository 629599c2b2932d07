/**
 * The words of the revocation feed: what it tells validators, and how a sealed event becomes a message of it.
 *
 * Promise of the server: the stream is the log in order. A frame that covers `(after, pos]` says that nothing else for
 * this reader lies between the two, so a reader whose cursor is below `after` has missed something and knows it.
 * `asOf` is the time at which the reading of the log began, never the time of sending: all that was committed before it
 * is at or below the frame's position. It is told by a clock that does not step while a connection lasts (a monotonic
 * one on top of any start), the same for all frames of the connection. Freshness hangs on that alone; proof and
 * counter-examples: packages/resource/test/revocation/simulation.test.ts.
 */
import { endpointPath } from '../documents/capabilities.ts'
import type { EventName, NewEvent } from '../events/event.ts'
import { defaultTenant, type Instant, type Json } from '../types.ts'

/**
 * Under the issuer. `stream` resumes after `Last-Event-ID`; `changes?after=<id>&wait=<seconds>` answers at once when it
 * has something, else within `wait`; `snapshot` is the signed JWT. All with `Authorization: Bearer`, scope feedScope.
 * The root's feed carries all tenants; a tenant's issuer serves its own only, with the same words and positions.
 */
export const feedPaths = {
  stream: endpointPath.revocationStream,
  changes: endpointPath.revocationChanges,
  snapshot: endpointPath.revocationSnapshot,
} as const

/** A reader refuses any other version: a word it does not know could be a revocation it does not apply. */
export const feedVersion = 1
/** The scope that reads the feed; its audience is the issuer. */
export const feedScope = 'revocations:read'
/** `typ` of the signed snapshot. */
export const snapshotType = 'revsnap+jwt'

/** A whole population of tokens that one rule can kill. */
export const cutoffDimensions = ['grant', 'session', 'subject', 'client', 'tenant', 'issuer'] as const
export type CutoffDimension = (typeof cutoffDimensions)[number]

/** One token is dead. */
export interface RevokeMessage {
  readonly kind: 'revoke'
  /** null for the default tenant. */
  readonly tenant: string | null
  readonly jti: string
  readonly at: Instant
  /** `exp` of that token: after it (and its leeway) the message may be forgotten. */
  readonly until: Instant
  /** Its place in a status list, where it has one. For this server's own lists: it is not told on the wire. */
  readonly listed?: { readonly list: string; readonly idx: number }
}

/** Every token of `key` with `iat` at or before `issuedUpTo` is dead. Layers are OR-ed; none hides another. */
export interface CutoffMessage {
  readonly kind: 'cutoff'
  readonly tenant: string | null
  readonly dimension: CutoffDimension
  /** null for the dimensions that have one member: `tenant` (this one) and `issuer` (the whole deployment). */
  readonly key: string | null
  readonly at: Instant
  /** A whole second. A token of the same second is dead; the server gives the next one an `iat` beyond it. */
  readonly issuedUpTo: Instant
  /** The latest `exp` a token of this population can have. */
  readonly until: Instant
  /**
   * The clock was set back, and with that the keys of all tokens from before were dropped: whatever was said earlier
   * about tokens up to some second is over, because it would hit those that say the same seconds again. Names the event,
   * so that a reader who hears of it twice forgets once. Such a message kills nothing itself (`issuedUpTo` is 0).
   */
  readonly supersedes?: string
}

/** `published` and `activated`: read the key set again. `dropped`: the key is dead now. */
export interface KeyMessage {
  readonly kind: 'key'
  readonly tenant: string | null
  readonly kid: string
  readonly action: 'published' | 'activated' | 'dropped'
  readonly at: Instant
}

export type FeedMessage = RevokeMessage | CutoffMessage | KeyMessage

/** Where a reader stands. `epoch` changes when the log is rebuilt; positions of two epochs do not compare. */
export interface FeedCursor {
  readonly epoch: string
  readonly pos: number
}

export type FeedFrame =
  /**
   * First on every stream and page. `asOf` is told after the request arrived, as the reader measures the server's clock
   * by it. `head` is not below the cursor that was asked for, unless the log lost it: a node that is behind reads first,
   * else its reader would start over for nothing. Claims no freshness: the replay follows, then a heartbeat.
   */
  | {
      readonly kind: 'hello'
      readonly epoch: string
      readonly head: number
      readonly asOf: Instant
      /** Milliseconds between heartbeats. */
      readonly heartbeat: number
      /** Seconds that the log can be resumed from. */
      readonly retention: number
    }
  | {
      readonly kind: 'event'
      readonly epoch: string
      readonly pos: number
      readonly after: number
      readonly message: FeedMessage
    }
  /** All committed before `asOf` is at or below `pos`. Sent after the replay, then at least every `heartbeat`. */
  | {
      readonly kind: 'hb'
      readonly epoch: string
      readonly pos: number
      readonly after: number
      readonly asOf: Instant
    }
  /** The cursor cannot be resumed (too old, or another epoch): take the snapshot. The stream ends. */
  | { readonly kind: 'reset'; readonly reason: 'epoch' | 'retention' }

/** A page of the long poll is a short stream: hello, what came while it waited, a heartbeat; or hello and reset. */
export interface FeedPage {
  readonly frames: readonly FeedFrame[]
}

/** All that is still alive in the log at `pos`. A reader merges it into what it knows: it never forgets by it. */
export interface FeedSnapshot {
  readonly issuer: string
  readonly issuedAt: Instant
  readonly epoch: string
  readonly pos: number
  readonly asOf: Instant
  readonly messages: readonly (RevokeMessage | CutoffMessage)[]
}

export interface FeedRule {
  /** Seconds; the longest life of any access token of the deployment, for events that name no end. */
  readonly longestTokenLife: number
}

/**
 * The message that an event of the log makes, or null where it kills nothing (a client renamed, say).
 * `data.until` (milliseconds) is the last `exp` among what dies, where the writer knows it better than the rule;
 * `data.cutoff: true` marks a change that takes access away (client or user disabled, secret of a person changed);
 * `data.sid` names the session, `data.kid` the key.
 */
export function feedMessage(event: NewEvent, rule: FeedRule): FeedMessage | null {
  // The tenant at the root has no name on the feed.
  const tenant = event.tenant === defaultTenant ? null : event.tenant
  const at = event.at
  // An API key has no `jti` of its own: its id stands there, and in what introspection says of it.
  if ((event.name === 'token.revoked' || event.name === 'api_key.revoked') && event.jti !== null) {
    return { kind: 'revoke', tenant, jti: event.jti, at, until: lastExpiry(event, rule), ...listedIn(event) }
  }
  const action = keyActions[event.name]
  if (action !== undefined) {
    const kid = text(event.data?.['kid'])
    return kid === null ? null : { kind: 'key', tenant, kid, action, at }
  }
  if (event.name === 'clock.set_back') return setBackMessage(event, rule)
  const hit = populations[event.name]?.(event)
  if (hit == null) return null
  const until = lastExpiry(event, rule)
  const issuedUpTo = (Math.floor((isForGood(event, hit) ? until : at) / 1000) * 1000) as Instant
  return { kind: 'cutoff', tenant, ...hit, at, issuedUpTo, until }
}

/** Whether the feed tells of tokens that end with it; keys are another matter. */
export function isRevocation(event: NewEvent): boolean {
  const message = feedMessage(event, { longestTokenLife: 0 })
  return message !== null && message.kind !== 'key'
}

function listedIn({ data }: NewEvent): Pick<RevokeMessage, 'listed'> {
  const [list, idx] = [text(data?.['status_list']), data?.['status_idx']]
  return list === null || typeof idx !== 'number' ? {} : { listed: { list, idx } }
}

const setBackMessage = (event: NewEvent, rule: FeedRule): CutoffMessage => ({
  kind: 'cutoff',
  tenant: null,
  dimension: 'issuer',
  key: null,
  at: event.at,
  issuedUpTo: 0 as Instant,
  until: lastExpiry(event, rule),
  supersedes: event.id,
})

/**
 * A session or a grant that is over gives its name to nothing any more: all its tokens are meant, also one that a node
 * with another clock issued just before.
 */
const isForGood = ({ name }: NewEvent, { dimension }: Population): boolean =>
  dimension === 'session' || (dimension === 'grant' && name !== 'token.revoked')

const keyActions: Partial<Record<EventName, KeyMessage['action']>> = {
  'key.published': 'published',
  'key.activated': 'activated',
  'key.dropped': 'dropped',
}

type Population = Pick<CutoffMessage, 'dimension' | 'key'>

const grantDies = (event: NewEvent) => member('grant', event.grantId)
const sessionDies = (event: NewEvent) => member('session', text(event.data?.['sid']))
const whereAccessEnds = (of: (event: NewEvent) => Population | null) => (event: NewEvent) =>
  event.data?.['cutoff'] === true ? of(event) : null

/** Which tokens die by an event that is not about one token. */
const populations: Partial<Record<EventName, (event: NewEvent) => Population | null>> = {
  'token.revoked': (event) => grantDies(event) ?? sessionDies(event),
  'token.replayed': grantDies,
  'grant.revoked': grantDies,
  'consent.withdrawn': grantDies,
  'session.ended': sessionDies,
  'client.deleted': (event) => member('client', event.clientId),
  'client.updated': whereAccessEnds((event) => member('client', event.clientId)),
  'admin.user_changed': whereAccessEnds((event) => member('subject', event.subject)),
  'admin.tenant_changed': whereAccessEnds(() => ({ dimension: 'tenant', key: null })),
  // A restored database has forgotten the revocations after its backup: only everything is enough.
  'admin.restored': () => ({ dimension: 'issuer', key: null }),
}

function member(dimension: CutoffDimension, key: string | null): Population | null {
  return key === null ? null : { dimension, key }
}

function lastExpiry(event: NewEvent, rule: FeedRule): Instant {
  const named = event.data?.['until']
  return (
    typeof named === 'number' && Number.isFinite(named) ? named : event.at + rule.longestTokenLife * 1000
  ) as Instant
}

const text = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
