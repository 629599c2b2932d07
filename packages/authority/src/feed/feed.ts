/** The revocation feed, without HTTP: a stream of frames, pages for a long poll, and a signed snapshot. */
import {
  encodeFeedSnapshot,
  type FeedCursor,
  type FeedFrame,
  feedMessage,
  type FeedSnapshot,
  type Instant,
  type RevokeMessage,
  type CutoffMessage,
  defaultTenant,
  snapshotType,
  type TenantId,
} from '@grantor/protocol'
import type { Hands } from '../hands.ts'
import { isOutage } from '../steady.ts'
import { openTail, type Tail, type TailMessage, type TailState } from './tail.ts'

export const heartbeat = 5_000
/** A reader this far behind is better served by a snapshot than by the log. */
const maxBehind = 200_000
const pageSize = 1_000

export interface Feed {
  /** Frames to begin with (hello, then what was missed), and then whatever comes, until `end` is called. */
  open(
    reader: FeedPosition,
    send: (frames: readonly FeedFrame[]) => void,
  ): Promise<{ readonly first: readonly FeedFrame[]; end(): void }>
  /** What was missed; waits up to `wait` milliseconds for something to tell. */
  page(reader: FeedPosition, wait: number): Promise<readonly FeedFrame[]>
  /** All that still matters, signed: null when there is no such tenant. */
  snapshot(tenant: TenantId): Promise<string | null>
  close(): void
}

export interface FeedPosition {
  readonly tenant: TenantId
  /** Where the reader stands; null is the current head. */
  readonly after: FeedCursor | null
}

export function openFeed(hands: Hands): Feed {
  // Monotonic on top of the start: a wall clock that steps must not make the feed look fresher than it is.
  const began = hands.now() - performance.now()
  const clock = () => Math.floor(began + performance.now()) as Instant
  const rule = { longestTokenLife: longestTokenLife(hands) }
  const tail = openTail({ store: hands.store, rule, clock })
  const advance = () => void tail.advance().catch(swallowOutage)
  let unwatch: (() => void) | null = null
  let beat: NodeJS.Timeout | null = null

  /** The tail moves only while somebody listens, or asks. */
  function wake(): void {
    unwatch ??= hands.store.events.watch(advance)
    beat ??= setInterval(advance, heartbeat).unref()
  }

  const hello = ({ epoch, head, asOf }: TailState): FeedFrame => ({
    kind: 'hello',
    epoch,
    head,
    asOf,
    heartbeat,
    retention: 7_200,
  })

  async function missed(reader: FeedPosition, state: TailState): Promise<readonly FeedFrame[]> {
    const { after, tenant } = reader
    if (after === null) return framesOf([], { from: state.head, state })
    if (after.epoch !== state.epoch || after.pos > state.head) return [{ kind: 'reset', reason: 'epoch' }]
    if (state.head - after.pos > maxBehind) return [{ kind: 'reset', reason: 'retention' }]
    const messages = tail.since(after.pos) ?? (await fromLog(after.pos, state.head))
    return framesOf(messages.filter(forTenant(tenant)), { from: after.pos, state })
  }

  async function fromLog(after: number, head: number): Promise<readonly TailMessage[]> {
    const found: TailMessage[] = []
    for (let pos = after; pos < head;) {
      const page = await hands.store.events.feed({ pos, tenant: null, limit: pageSize })
      for (const event of page) {
        const message = event.pos <= head ? feedMessage(event, rule) : null
        if (message !== null) found.push({ pos: event.pos, message })
      }
      pos = page.length < pageSize ? head : (page.at(-1)?.pos ?? head)
    }
    return found
  }

  return {
    async open(reader, send) {
      wake()
      const state = await tail.advance()
      const first = [hello(state), ...(await missed(reader, state))]
      let at = state.head
      const unlisten = tail.listen(() => {
        const now = tail.state()
        if (now === null) return
        const messages = now.epoch === state.epoch ? tail.since(at) : null
        // Fallen out of the tail, or into another life of the log: the reader starts over.
        if (messages === null)
          return send([{ kind: 'reset', reason: now.epoch === state.epoch ? 'retention' : 'epoch' }])
        send(framesOf(messages.filter(forTenant(reader.tenant)), { from: at, state: now }))
        at = now.head
      })
      return { first, end: unlisten }
    },

    async page(reader, wait) {
      wake()
      const state = await tail.advance()
      const first = await missed(reader, state)
      if (wait <= 0 || first.some((frame) => frame.kind !== 'hb')) return [hello(state), ...first]
      const later = await news(tail, reader, wait)
      return [hello(state), ...(await missed(reader, later))]
    },

    async snapshot(tenant) {
      const catalogue = await hands.directory.catalogue(tenant)
      if (catalogue === null || catalogue.tenant.disabledAt !== null) return null
      const state = await tail.advance()
      const now = clock()
      const messages = tail.living(now).filter((message) => forTenant(tenant)({ pos: 0, message }))
      const snapshot: FeedSnapshot = {
        issuer: hands.issuerOf(tenant),
        issuedAt: hands.now(),
        epoch: state.epoch,
        pos: state.head,
        asOf: state.asOf,
        messages: messages as readonly (RevokeMessage | CutoffMessage)[],
      }
      const signer = await hands.keyring.signer(catalogue, 'ES256')
      return signer.sign(snapshotType, encodeFeedSnapshot(snapshot))
    },

    close() {
      unwatch?.()
      if (beat !== null) clearInterval(beat)
      tail.close()
    },
  }
}

/** Until something for this reader comes, or the time is over. */
async function news(tail: Tail, { tenant, after }: FeedPosition, wait: number): Promise<TailState> {
  const from = after?.pos ?? tail.state()?.head ?? 0
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, wait)
    const unlisten = tail.listen(() => {
      if (tail.since(from)?.some(forTenant(tenant)) !== false) done()
    })
    function done(): void {
      clearTimeout(timer)
      unlisten()
      resolve()
    }
  })
  return tail.advance()
}

/** The root's feed carries all tenants; a tenant's own, and what concerns the whole deployment. */
const forTenant =
  (tenant: TenantId) =>
  ({ message }: TailMessage): boolean =>
    tenant === defaultTenant ||
    message.tenant === tenant ||
    (message.kind === 'cutoff' && message.dimension === 'issuer')

/** The messages, each with the position it follows on, and a heartbeat that says how far the log was read. */
function framesOf(
  messages: readonly TailMessage[],
  { from, state }: { readonly from: number; readonly state: TailState },
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

/** Resources may give their tokens a longer life than the policy's; a day is the most that can be declared. */
const longestTokenLife = ({ policy }: Hands): number => Math.max(policy.accessTtl, 86_400) + policy.leeway

function swallowOutage(cause: unknown): void {
  // Without the log nothing is claimed: readers hear no heartbeat, and go stale by themselves.
  if (!isOutage(cause)) throw cause
}
