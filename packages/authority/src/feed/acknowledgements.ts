/**
 * How far validators have acknowledged the feed: noted in memory and written a moment later, so that every node can
 * tell how many of them enforce a revocation.
 */
import { randomUUID } from 'node:crypto'
import type { SealedEvent } from '@grantor/protocol/events'
import {
  type Acknowledgement,
  type KnownValidator,
  longestStaleness,
  presenceEvery,
  presenceKept,
  receiptKept,
  type RevocationReceipt,
  revocationReceipt,
} from '@grantor/protocol/feed'
import { defaultTenant, type Instant, type TenantId } from '@grantor/protocol/types'
import type { Store, ValidatorNote, ValidatorRow } from '@grantor/store'
import { openLoop } from '../background/loop.ts'
import type { Clock } from '../ports/environment.ts'
import type { FeedLog } from './feed-log.ts'

export interface FeedReaderName {
  readonly tenant: TenantId
  readonly clientId: string
}

export interface Acknowledgements {
  /**
   * `ahead`: it acknowledges messages not sent yet. `epoch`: it is about another log. `crowded`: too many notes wait;
   * nothing is noted.
   */
  take(reader: FeedReaderName, acknowledgement: Acknowledgement): Promise<'taken' | 'ahead' | 'epoch' | 'crowded'>
  /** Counts a stream whose reader never acknowledges; call the returned function when it ends. */
  countSilent(reader: FeedReaderName): () => void
  /** One receipt for each revocation; null for a revocation so old that its receipt is not kept. */
  receiptsOf(tenant: TenantId, revoked: readonly Revoked[]): Promise<readonly (RevocationReceipt | null)[]>
  begin(): void
  close(): Promise<void>
}

export type Revoked = Pick<SealedEvent, 'pos' | 'at'>

export interface AcknowledgementDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly feedLog: Pick<FeedLog, 'state' | 'advance' | 'follow'>
  readonly store: Pick<Store, 'validators' | 'epoch'>
}

/** Milliseconds for which notes wait, to be written together with others. */
const gatherFor = 200
/** Notes in one commit: few enough that other writes do not wait long behind it. */
const notesPerCommit = 500
/** Most unwritten notes; beyond, acknowledgements are refused as `crowded`. */
const mostWaiting = 50_000
/** Most rows of a client: twice as many validators as one node was measured with. */
const mostOfClient = 20_000
/** The position of a validator that signed off: it accepts no more tokens, so it counts as having heard everything. */
const endPosition = Number.MAX_SAFE_INTEGER

export function openAcknowledgements({ clock, feedLog, store }: AcknowledgementDependencies): Acknowledgements {
  const node = randomUUID()
  let waiting = new Map<string, ValidatorNote>()
  let writing = new Map<string, ValidatorNote>()
  const silent = new Map<string, FeedReaderName & { connections: number }>()
  let scheduled: ReturnType<typeof setTimeout> | null = null
  let sweptAt = 0
  const loop = openLoop(flush, { every: presenceEvery / 2 })

  async function flush(): Promise<void> {
    const now = clock.now()
    writing = waiting
    waiting = new Map()
    const silentNotes = [...silent].map(([key, reader]) => [`silent ${key}`, silentNote(reader, now)] as const)
    const notes = [...writing, ...silentNotes]
    try {
      if (now >= sweptAt + presenceEvery / 2) {
        await store.validators.forget(now, mostOfClient)
        sweptAt = now
      }
      for (let from = 0; from < notes.length; from += notesPerCommit) {
        const together = notes.slice(from, from + notesPerCommit)
        await store.validators.note(together.map(([, note]) => note))
        for (const [key] of together) writing.delete(key)
      }
    } catch (error) {
      // Validators were told that these notes are taken, and will not repeat them, so they wait for the next flush.
      for (const [key, note] of writing) waiting.set(key, joined(note, waiting.get(key)))
      writing.clear()
      throw error
    }
  }

  const silentNote = ({ tenant, clientId, connections }: FeedReaderName & { connections: number }, now: Instant) => ({
    tenant,
    clientId,
    id: `silent-${node}`,
    epoch: '',
    heard: [],
    closesAfter: longestStaleness * 1000,
    connections,
    seenAt: now,
  })

  function scheduleFlush(): void {
    scheduled ??= setTimeout(() => {
      scheduled = null
      loop.wake()
    }, gatherFor).unref()
  }

  async function checkPosition({ epoch, pos }: Acknowledgement['position']): Promise<'taken' | 'ahead' | 'epoch'> {
    const known = feedLog.state()
    // The log is read only where a validator acknowledges more than this node has read.
    const state = known !== null && known.epoch === epoch && pos <= known.head ? known : await feedLog.advance()
    if (state.epoch !== epoch) return 'epoch'
    return pos > state.head ? 'ahead' : 'taken'
  }

  return {
    async take({ tenant, clientId }, acknowledgement) {
      if (waiting.size + writing.size >= mostWaiting) return 'crowded'
      const outcome = await checkPosition(acknowledgement.position)
      if (outcome !== 'taken') return outcome
      const key = `${tenant} ${clientId} ${acknowledgement.validator}`
      const now = clock.now()
      const { leaves, closesAfter } = acknowledgement
      const { epoch } = acknowledgement.position
      const pos = leaves ? endPosition : acknowledgement.position.pos
      const at = (leaves ? now : now - acknowledgement.delay) as Instant
      const before = waiting.get(key)
      const earlier = before?.epoch === epoch ? before.heard : []
      const isRepeated = earlier[0]?.pos === pos
      const heard = isRepeated ? earlier : mostRecent([{ pos, at }, ...earlier])
      waiting.set(key, {
        tenant,
        clientId,
        id: acknowledgement.validator,
        epoch,
        heard,
        closesAfter,
        connections: 1,
        seenAt: now,
      })
      scheduleFlush()
      return 'taken'
    },

    countSilent({ tenant, clientId }) {
      const key = `${tenant} ${clientId}`
      const reader = silent.get(key) ?? { tenant, clientId, connections: 0 }
      silent.set(key, reader)
      reader.connections += 1
      scheduleFlush()
      return () => {
        reader.connections -= 1
        // Its row stays: for a while, a validator that lost its connection still accepts tokens by its last view.
        if (reader.connections === 0) silent.delete(key)
      }
    },

    async receiptsOf(tenant, revoked) {
      if (revoked.length === 0) return []
      if (waiting.size > 0) await loop.run()
      const now = clock.now()
      const kept = revoked.filter(({ at }) => at >= now - receiptKept)
      if (kept.length === 0) return revoked.map(() => null)
      const first = Math.min(...kept.map(({ at }) => at)) as Instant
      const epoch = await store.epoch()
      // The first tenant's feed carries the revocations of all tenants.
      const rows = await store.validators.known([tenant, defaultTenant as TenantId], first, presenceKept)
      return revoked.map((event) =>
        kept.includes(event) ? revocationReceipt(event.at, knownAt(event, rows, epoch), clock.now()) : null,
      )
    },

    begin: () => loop.begin(),

    async close() {
      if (scheduled !== null) clearTimeout(scheduled)
      await loop.close()
      await flush().catch(() => undefined)
    },
  }
}

/** Merges the earlier note of a validator with a later one. */
const joined = (earlier: ValidatorNote, since: ValidatorNote | undefined): ValidatorNote => {
  if (since === undefined) return earlier
  return since.epoch === earlier.epoch ? { ...since, heard: mostRecent([...since.heard, ...earlier.heard]) } : since
}

const mostRecent = (heard: ValidatorNote['heard']): ValidatorNote['heard'] => heard.slice(0, 20)

/** The validators that were present at the revocation: a later one began with a snapshot that contains it. */
const knownAt = ({ pos, at }: Revoked, rows: readonly ValidatorRow[], epoch: string): readonly KnownValidator[] =>
  rows
    .filter((row) => row.since <= at && at <= goneAt(row))
    .map((row) => {
      const heardSince = row.epoch === epoch ? row.heard.filter((note) => note.pos >= pos) : []
      // Only the latest notes are kept, so the first one since the revocation may be lost.
      const isFirstForgotten = heardSince.length === row.heard.length && row.since < at
      return {
        connections: row.connections,
        acknowledges: row.heard.length > 0,
        hasHeard: heardSince.length > 0,
        heardAt: isFirstForgotten ? null : (heardSince.at(-1)?.at ?? null),
        closesAfter: row.closesAfter,
      }
    })

/** When a validator no longer counts: it signed off, or its view is so old that it accepts no token. */
const goneAt = ({ heard: [last], seenAt, closesAfter }: ValidatorRow): number =>
  last?.pos === endPosition ? last.at : seenAt + Math.max(presenceKept, closesAfter)
