/** The revocation feed, without HTTP: a stream of frames, pages for a long poll, and a signed snapshot. */
import {
  encodeFeedSnapshot,
  type FeedCursor,
  type FeedFrame,
  feedMessage,
  type FeedSnapshot,
  snapshotType,
} from '@grantor/protocol/feed'
import { type Instant, defaultTenant, type TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Clock, Issuers } from '../ports/environment.ts'
import type { FeedLog } from './feed-log.ts'
import { type FeedEntry, heartbeat, type LogPosition, type LogReader, restBetweenReadings } from './log-reader.ts'

export interface FeedDependencies {
  readonly clock: Clock
  readonly issuers: Issuers
  readonly directory: Directory
  readonly keyring: Keyring
  readonly feedLog: FeedLog
  readonly store: Pick<Store, 'events'>
}

/** A reader that missed more messages than this is better served by a snapshot than by the log. */
const maxMissed = 20_000
const pageSize = 1_000
/**
 * One snapshot serves all requests within this many milliseconds: a thousand validators that start at once cost one
 * signature.
 */
const snapshotLife = 1_000

export interface Feed {
  /**
   * Sends frames until the returned function is called: hello and the missed messages at once, then new messages as
   * they come, and heartbeats in between. After a reset nothing follows.
   */
  open(reader: FeedPosition, send: (frames: readonly FeedFrame[]) => void): Promise<() => void>
  /** The missed messages; waits if there are none. */
  page(reader: FeedPosition, longPoll: LongPoll): Promise<readonly FeedFrame[]>
  /** All messages that still matter, signed; null if the tenant does not exist. */
  snapshot(tenant: TenantId): Promise<string | null>
  close(): Promise<void>
}

export interface FeedPosition {
  readonly tenant: TenantId
  /** The position of the reader; null is the current head. */
  readonly after: FeedCursor | null
}

export interface LongPoll {
  readonly milliseconds: number
  /** Polled now and then: whether the client has disconnected. */
  over(): boolean
  /** Called with the milliseconds that the poll waited for news, which do not count as time that the answer took. */
  waited?(milliseconds: number): void
}

export function openFeed(deps: FeedDependencies): Feed {
  const { feedLog: log } = deps
  const { rule, monotonicClock } = log
  const snapshots = new Map<TenantId, { readonly until: Instant; readonly signed: Promise<string | null> }>()

  const hello = ({ epoch, head, asOf }: LogPosition): FeedFrame => ({
    kind: 'hello',
    epoch,
    head,
    asOf,
    heartbeat,
    retention: 7_200,
  })

  async function missed(reader: FeedPosition, state: LogPosition): Promise<readonly FeedFrame[]> {
    const { after, tenant } = reader
    if (after === null) return framesOf([], { from: state.head, state })
    if (after.epoch !== state.epoch || after.pos > state.head) return [{ kind: 'reset', reason: 'epoch' }]
    const messages = log.since(after.pos) ?? (await fromLog(after.pos, state.head))
    if (messages === null) return [{ kind: 'reset', reason: 'retention' }]
    return framesOf(messages.filter(forTenant(tenant)).filter(upTo(state.head)), { from: after.pos, state })
  }

  async function fromLog(after: number, head: number): Promise<readonly FeedEntry[] | null> {
    const found: FeedEntry[] = []
    for (let pos = after; pos < head;) {
      const page = await deps.store.events.feed({ pos, tenant: null, limit: pageSize })
      for (const event of page) {
        const message = event.pos <= head ? feedMessage(event, rule) : null
        if (message !== null) found.push({ pos: event.pos, message })
      }
      if (found.length > maxMissed) return null
      pos = page.length < pageSize ? head : (page.at(-1)?.pos ?? head)
    }
    return found
  }

  async function signSnapshot(tenant: TenantId): Promise<string | null> {
    const catalogue = await deps.directory.servedCatalogue(tenant)
    if (catalogue === null) return null
    const state = await log.advance()
    const snapshot: FeedSnapshot = {
      issuer: deps.issuers.issuerOf(tenant),
      issuedAt: deps.clock.now(),
      epoch: state.epoch,
      pos: state.head,
      asOf: state.asOf,
      messages: log.living(deps.clock.now()).filter((message) => forTenant(tenant)({ message })),
    }
    const signer = await deps.keyring.signer(catalogue, 'ES256')
    return signer.sign(snapshotType, encodeFeedSnapshot(snapshot))
  }

  return {
    async open(reader, send) {
      log.follow()
      const state = await log.advance()
      const first = [hello(state), ...(await missed(reader, state))]
      if (first.some((frame) => frame.kind === 'reset')) {
        send(first)
        return () => {}
      }
      const { epoch } = state
      const sentUpTo = { head: state.head, asOf: state.asOf }
      let readUpTo = state.head
      const sendNews = (): void => {
        const current = log.state()
        if (current === null) return
        const messages = current.epoch === epoch && current.head >= readUpTo ? log.since(readUpTo) : null
        // The reader is behind the tail that is kept, or the log was replaced: it must start over.
        if (messages === null) {
          unlisten()
          return send([{ kind: 'reset', reason: current.epoch === epoch ? 'retention' : 'epoch' }])
        }
        readUpTo = current.head
        const news = messages.filter(forTenant(reader.tenant))
        const isHeartbeatDue = current.asOf - sentUpTo.asOf >= heartbeat - restBetweenReadings
        // Events of other tenants alone cause no frame: under load, a heartbeat would go out for each.
        if (news.length === 0 && !isHeartbeatDue) return
        send(framesOf(news, { from: sentUpTo.head, state: current }))
        sentUpTo.head = current.head
        sentUpTo.asOf = current.asOf
      }
      // No await from here to the end, so that no event is lost between the first frames and the next ones.
      const unlisten = log.listen(sendNews)
      send(first)
      if (log.state() !== state) sendNews()
      return unlisten
    },

    async page(reader, longPoll) {
      log.follow()
      const state = await log.advance()
      const first = await missed(reader, state)
      if (longPoll.milliseconds <= 0 || first.some((frame) => frame.kind !== 'hb')) return [hello(state), ...first]
      const from = reader.after ?? { epoch: state.epoch, pos: state.head }
      const began = monotonicClock()
      await newsFor(log, { tenant: reader.tenant, after: from }, longPoll)
      longPoll.waited?.(monotonicClock() - began)
      return [hello(state), ...(await missed({ ...reader, after: from }, await log.advance()))]
    },

    snapshot(tenant) {
      const now = monotonicClock()
      const kept = snapshots.get(tenant)
      if (kept !== undefined && kept.until > now) return kept.signed
      const signed = signSnapshot(tenant)
      for (const [name, { until }] of snapshots) if (until <= now) snapshots.delete(name)
      snapshots.set(tenant, { until: (now + snapshotLife) as Instant, signed })
      signed.catch(() => snapshots.delete(tenant))
      return signed
    },

    close: log.close,
  }
}

/** Resolves when a message for this reader arrives, its time is over, or its client has disconnected. */
function newsFor(
  log: LogReader,
  { tenant, after }: { readonly tenant: TenantId; readonly after: FeedCursor },
  { milliseconds, over }: LongPoll,
): Promise<void> {
  return new Promise((resolve) => {
    let readUpTo = after.pos
    const timer = setTimeout(done, milliseconds)
    const unlisten = log.listen(() => {
      const state = log.state()
      const messages = state?.epoch === after.epoch ? log.since(readUpTo) : null
      readUpTo = state?.head ?? readUpTo
      if (over() || messages === null || messages.some(forTenant(tenant))) done()
    })
    function done(): void {
      clearTimeout(timer)
      unlisten()
      resolve()
    }
  })
}

/** The root's feed carries all tenants; another tenant's feed its own messages and those about the whole deployment. */
const forTenant =
  (tenant: TenantId) =>
  ({ message }: Pick<FeedEntry, 'message'>): boolean =>
    tenant === defaultTenant ||
    message.tenant === tenant ||
    (message.kind === 'cutoff' && message.dimension === 'issuer')

/** The tail may have grown since `head` was read; later messages belong to a later frame. */
const upTo =
  (head: number) =>
  ({ pos }: FeedEntry): boolean =>
    pos <= head

/** The messages, each with the position before it, and a heartbeat with the position up to which the log was read. */
function framesOf(
  messages: readonly FeedEntry[],
  { from, state }: { readonly from: number; readonly state: LogPosition },
): readonly FeedFrame[] {
  let after = from
  const frames: FeedFrame[] = []
  for (const { pos, message } of messages) {
    frames.push({ kind: 'event', epoch: state.epoch, pos, after, message })
    after = pos
  }
  frames.push({ kind: 'hb', epoch: state.epoch, pos: Math.max(after, state.head), after, asOf: state.asOf })
  return frames
}
