/**
 * The messages of the revocation feed, and how a sealed event becomes one.
 *
 * Promise of the server: the stream is the log in order. A frame that covers `(after, pos]` states that no other
 * message for this reader lies between the two, so a reader whose cursor is below `after` knows that it has missed
 * something. `asOf` is the time at which the reading of the log began, never the time of sending: everything committed
 * before it is at or below the frame's position. It is read from a clock that does not step while a connection lasts (a
 * monotonic clock added to any start), the same for all frames of the connection. Freshness depends on that alone;
 * proof and counter-examples: packages/resource/test/revocation/simulation.test.ts.
 */
import { endpointPath } from '../documents/capabilities.ts'
import type { EventName, NewEvent } from '../events/event.ts'
import { defaultTenant, type Instant, type Json } from '../types.ts'

/**
 * Paths under the issuer. `stream` resumes after `Last-Event-ID`; `changes?after=<id>&wait=<seconds>` answers at once
 * if there are messages, else within `wait`; `snapshot` is the signed JWT. All with `Authorization: Bearer`, scope
 * feedScope. The root's feed has all tenants; a tenant's issuer serves its own only, with the same messages and
 * positions.
 */
export const feedPaths = {
  stream: endpointPath.revocationStream,
  changes: endpointPath.revocationChanges,
  snapshot: endpointPath.revocationSnapshot,
} as const

/** A reader must refuse any other version: an unknown message could be a revocation that it does not apply. */
export const feedVersion = 1
/** The scope for reading the feed; its audience is the issuer. */
export const feedScope = 'revocations:read'
/** `typ` of the signed snapshot. */
export const snapshotType = 'revsnap+jwt'

/** The populations of tokens that one rule can end. */
export const cutoffDimensions = ['grant', 'session', 'subject', 'client', 'tenant', 'issuer'] as const
export type CutoffDimension = (typeof cutoffDimensions)[number]

/** One token is revoked. */
export interface RevokeMessage {
  readonly kind: 'revoke'
  /** null for the default tenant. */
  readonly tenant: string | null
  readonly jti: string
  readonly at: Instant
  /** `exp` of that token: after it (and leeway) the message may be forgotten. */
  readonly until: Instant
  /** Its entry in a status list, if it has one. For this server's own lists only; not sent on the wire. */
  readonly listed?: { readonly list: string; readonly idx: number }
}

/** Every token of `key` with `iat` at or before `issuedUpTo` is revoked. Messages are OR-ed; none cancels another. */
export interface CutoffMessage {
  readonly kind: 'cutoff'
  readonly tenant: string | null
  readonly dimension: CutoffDimension
  /** null for the dimensions with one member: `tenant` (this one) and `issuer` (the whole deployment). */
  readonly key: string | null
  readonly at: Instant
  /** A whole second. A token issued in the same second is revoked; the server gives the next one a later `iat`. */
  readonly issuedUpTo: Instant
  /** The latest `exp` that a token of this population can have. */
  readonly until: Instant
  /**
   * The clock was set back, and the keys of all earlier tokens were dropped: earlier cutoffs no longer apply, because
   * they would hit tokens of the repeated seconds. Names the event, so that a reader that receives it twice applies it
   * once. Such a message ends no token itself (`issuedUpTo` is 0).
   */
  readonly supersedes?: string
}

/** `published` and `activated`: read the key set again. `dropped`: the key is invalid now. */
export interface KeyMessage {
  readonly kind: 'key'
  readonly tenant: string | null
  readonly kid: string
  readonly action: 'published' | 'activated' | 'dropped'
  readonly at: Instant
}

export type FeedMessage = RevokeMessage | CutoffMessage | KeyMessage

/** The position of a reader. `epoch` changes when the log is rebuilt; positions of two epochs cannot be compared. */
export interface FeedCursor {
  readonly epoch: string
  readonly pos: number
}

export type FeedFrame =
  /**
   * First on every stream and page. `asOf` is read after the request arrived, because the reader measures the server's
   * clock by it. `head` is not below the requested cursor, unless the log lost that position: a node that is behind
   * reads first, since otherwise its reader would start over for nothing. Claims no freshness: the replay follows, then
   * a heartbeat.
   */
  | {
      readonly kind: 'hello'
      readonly epoch: string
      readonly head: number
      readonly asOf: Instant
      /** Milliseconds between heartbeats. */
      readonly heartbeat: number
      /** Seconds for which the log can be resumed. */
      readonly retention: number
    }
  | {
      readonly kind: 'event'
      readonly epoch: string
      readonly pos: number
      readonly after: number
      readonly message: FeedMessage
    }
  /**
   * Everything committed before `asOf` is at or below `pos`. Sent after the replay, then at least every `heartbeat`.
   */
  | {
      readonly kind: 'hb'
      readonly epoch: string
      readonly pos: number
      readonly after: number
      readonly asOf: Instant
    }
  /** The cursor cannot be resumed (too old, or another epoch): take the snapshot. The stream ends. */
  | { readonly kind: 'reset'; readonly reason: 'epoch' | 'retention' }

/**
 * A page of the long poll is a short stream: hello, the messages that came while it waited, a heartbeat; or hello and
 * reset.
 */
export interface FeedPage {
  readonly frames: readonly FeedFrame[]
}

/** All messages that still matter at `pos`. A reader merges it into its state, and forgets nothing because of it. */
export interface FeedSnapshot {
  readonly issuer: string
  readonly issuedAt: Instant
  readonly epoch: string
  readonly pos: number
  readonly asOf: Instant
  readonly messages: readonly (RevokeMessage | CutoffMessage)[]
}

export interface FeedRule {
  /** Seconds; the longest lifetime of any access token of the deployment, for events that name no end. */
  readonly longestTokenLife: number
}

/**
 * The message of an event, or null where it ends nothing (for example a renamed client). `data.until` (milliseconds) is
 * the last `exp` of the ended tokens, where the writer knows it better than the rule; `data.cutoff: true` marks a
 * change that withdraws access (client or user disabled, password of a person changed); `data.sid` names the session,
 * `data.kid` the key.
 */
export function feedMessage(event: NewEvent, rule: FeedRule): FeedMessage | null {
  // The root tenant is omitted on the feed.
  const tenant = event.tenant === defaultTenant ? null : event.tenant
  const at = event.at
  // An API key has no `jti`: its id is used instead, as in its introspection response.
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

/** Whether the feed reports the event as the end of tokens; key messages do not count. */
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
 * No later token can name a session or grant that has ended: so all its tokens are meant, even one that a node with
 * another clock issued just before.
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

/** The tokens that an event ends, for events that do not concern one token. */
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
  // A restored database lacks the revocations since its backup: only ending everything is safe.
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
