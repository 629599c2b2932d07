/**
 * The wire format of the revocation feed: server-sent events, pages of the long poll, claims of the snapshot. Pure in
 * both directions.
 */
import {
  type CutoffMessage,
  type CutoffDimension,
  cutoffDimensions,
  type FeedCursor,
  type FeedFrame,
  type FeedMessage,
  type FeedPage,
  type FeedSnapshot,
  feedVersion,
  type KeyMessage,
  type RevokeMessage,
} from './feed.ts'
import { type Instant, type Json, type JsonObject, jsonObject } from '../types.ts'

/** A frame as one server-sent event; also the element of a long-poll page. */
export interface FeedWireFrame {
  readonly event: string
  /** `epoch.pos`, which a reader sends back as Last-Event-ID. Frames that do not move the cursor have none. */
  readonly id: string | null
  readonly data: JsonObject
}

export const formatFeedCursor = ({ epoch, pos }: FeedCursor): string => `${epoch}.${pos}`

/** The epoch contains no dot, so the only dot separates the position. */
export function parseFeedCursor(text: string): FeedCursor | null {
  const match = /^([0-9a-zA-Z_-]{1,64})\.(0|[1-9][0-9]{0,15})$/.exec(text)
  const [, epoch, pos] = match ?? []
  if (epoch === undefined || pos === undefined || !Number.isSafeInteger(Number(pos))) return null
  return { epoch, pos: Number(pos) }
}

export function encodeFeedFrame(frame: FeedFrame): FeedWireFrame {
  if (frame.kind === 'hello') {
    const { epoch, head, asOf, heartbeat, retention } = frame
    const data = { v: feedVersion, epoch, head, as_of: asOf, hb: heartbeat, retention_s: retention }
    return { event: 'hello', id: null, data }
  }
  if (frame.kind === 'reset') return { event: 'reset', id: null, data: { reason: frame.reason } }
  const id = formatFeedCursor(frame)
  if (frame.kind === 'hb') return { event: 'hb', id, data: { p: frame.after, head: frame.pos, as_of: frame.asOf } }
  return { event: frame.message.kind, id, data: { p: frame.after, ...encodeMessage(frame.message) } }
}

/** WHATWG HTML §9.2: one event with its blank line. JSON has no raw line breaks, so one data line suffices. */
export function feedFrameText({ event, id, data }: FeedWireFrame): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** null for a frame that this version cannot read; a reader must not claim freshness past it. */
export function parseFeedFrame(wire: { event: string; id: string | null; data: unknown }): FeedFrame | null {
  const data = jsonObject(wire.data)
  if (data === null) return null
  switch (wire.event) {
    case 'hello': {
      const epoch = text(data['epoch'])
      const head = count(data['head'])
      const asOf = count(data['as_of'])
      const heartbeat = count(data['hb'])
      const retention = count(data['retention_s'])
      if (data['v'] !== feedVersion || epoch === null || head === null || asOf === null) return null
      if (heartbeat === null || retention === null) return null
      return { kind: 'hello', epoch, head, asOf: asOf as Instant, heartbeat, retention }
    }
    case 'reset': {
      const reason = data['reason']
      return reason === 'epoch' || reason === 'retention' ? { kind: 'reset', reason } : null
    }
    default: {
      const cursor = wire.id === null ? null : parseFeedCursor(wire.id)
      const after = count(data['p'])
      if (cursor === null || after === null || after > cursor.pos) return null
      if (wire.event === 'hb') {
        const asOf = count(data['as_of'])
        return asOf === null || data['head'] !== cursor.pos
          ? null
          : { kind: 'hb', ...cursor, after, asOf: asOf as Instant }
      }
      const message = parseMessage(wire.event, data)
      return message === null ? null : { kind: 'event', ...cursor, after, message }
    }
  }
}

export function encodeFeedPage({ frames }: FeedPage): JsonObject {
  return { v: feedVersion, frames: frames.map(encodeFeedFrame).map(({ event, id, data }) => ({ event, id, data })) }
}

/** A page with one unreadable frame is unreadable. */
export function parseFeedPage(body: unknown): FeedPage | null {
  const page = jsonObject(body)
  const list = page?.['frames']
  if (page?.['v'] !== feedVersion || !Array.isArray(list)) return null
  const frames: FeedFrame[] = []
  for (const element of list as readonly unknown[]) {
    const wire = jsonObject(element)
    const event = text(wire?.['event'])
    const id = wire?.['id'] === null ? null : text(wire?.['id'])
    const frame = event === null ? null : parseFeedFrame({ event, id, data: wire?.['data'] })
    if (frame === null) return null
    frames.push(frame)
  }
  return { frames }
}

/** Claims of the snapshot JWT (`typ: revsnap+jwt`), signed with a key of the issuer's published set. */
export function encodeFeedSnapshot(snapshot: FeedSnapshot): JsonObject {
  return {
    v: feedVersion,
    iss: snapshot.issuer,
    iat: Math.floor(snapshot.issuedAt / 1000),
    epoch: snapshot.epoch,
    pos: snapshot.pos,
    as_of: snapshot.asOf,
    revoked: snapshot.messages.filter((message) => message.kind === 'revoke').map(encodeMessage),
    cutoffs: snapshot.messages.filter((message) => message.kind === 'cutoff').map(encodeMessage),
  }
}

export function parseFeedSnapshot(claims: unknown): FeedSnapshot | null {
  const body = jsonObject(claims)
  if (body === null || body['v'] !== feedVersion) return null
  const issuer = text(body['iss'])
  const iat = count(body['iat'])
  const epoch = text(body['epoch'])
  const pos = count(body['pos'])
  const asOf = count(body['as_of'])
  const { revoked, cutoffs } = body as { revoked?: unknown; cutoffs?: unknown }
  if (issuer === null || iat === null || epoch === null || pos === null || asOf === null) return null
  if (parseFeedCursor(`${epoch}.${pos}`) === null || !Array.isArray(revoked) || !Array.isArray(cutoffs)) return null
  const messages: (RevokeMessage | CutoffMessage)[] = []
  for (const [kind, list] of [
    ['revoke', revoked],
    ['cutoff', cutoffs],
  ] as const) {
    for (const element of list as readonly unknown[]) {
      const data = jsonObject(element)
      const message = data === null ? null : parseMessage(kind, data)
      if (message === null || message.kind === 'key') return null
      messages.push(message)
    }
  }
  return { issuer, issuedAt: (iat * 1000) as Instant, epoch, pos, asOf: asOf as Instant, messages }
}

const shortNames: Readonly<Record<CutoffDimension, string>> = {
  grant: 'grant',
  session: 'sid',
  subject: 'sub',
  client: 'client',
  tenant: 'tenant',
  issuer: 'iss',
}
const byShortName: ReadonlyMap<string, CutoffDimension> = new Map(
  cutoffDimensions.map((name) => [shortNames[name], name]),
)
const keyActions: ReadonlySet<unknown> = new Set(['published', 'activated', 'dropped'])

/** `t` and `x` are NumericDates (RFC 7519), as they are compared with `iat` and `exp`; `ts` is milliseconds. */
function encodeMessage(message: FeedMessage): JsonObject {
  const common: JsonObject = message.tenant === null ? { ts: message.at } : { ts: message.at, tn: message.tenant }
  if (message.kind === 'key') return { ...common, kid: message.kid, a: message.action }
  const x = Math.ceil(message.until / 1000)
  if (message.kind === 'revoke') return { ...common, jti: message.jti, x }
  const key: JsonObject = message.key === null ? {} : { k: message.key }
  const supersedes: JsonObject = message.supersedes === undefined ? {} : { s: message.supersedes }
  const t = Math.floor(message.issuedUpTo / 1000)
  return { ...common, d: shortNames[message.dimension], ...key, t, x, ...supersedes }
}

function parseMessage(kind: string, data: JsonObject): FeedMessage | null {
  const tenant = data['tn'] === undefined ? null : text(data['tn'])
  const at = count(data['ts']) as Instant | null
  if (at === null || (tenant === null && data['tn'] !== undefined)) return null
  const until = seconds(data['x'])
  switch (kind) {
    case 'revoke': {
      const jti = text(data['jti'])
      return jti === null || until === null ? null : { kind, tenant, jti, at, until }
    }
    case 'cutoff': {
      const dimension = byShortName.get(text(data['d']) ?? '')
      const key = text(data['k'])
      const issuedUpTo = seconds(data['t'])
      if (dimension === undefined || issuedUpTo === null || until === null) return null
      const single = dimension === 'tenant' || dimension === 'issuer'
      if (single !== (key === null) || (single && data['k'] !== undefined)) return null
      const supersedes = text(data['s'])
      if (supersedes === null) return { kind, tenant, dimension, key, at, issuedUpTo, until }
      return { kind, tenant, dimension, key, at, issuedUpTo, until, supersedes }
    }
    case 'key': {
      const kid = text(data['kid'])
      const action = data['a']
      if (kid === null || !keyActions.has(action)) return null
      return { kind, tenant, kid, action: action as KeyMessage['action'], at }
    }
    default:
      return null
  }
}

/** Names on the feed are bounded, so that the memory of a reader's view is. */
const text = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 2048 ? value : null
const count = (value: Json | undefined): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
function seconds(value: Json | undefined): Instant | null {
  const whole = count(value)
  return whole === null || whole > 8_640_000_000_000 ? null : ((whole * 1000) as Instant)
}
