/**
 * A deployment in one thread: a database that commits late, a publisher that loses it, a network that stalls, cuts or
 * holds back, a validator that is stopped and whose clock is set. The reader, its staleness and its view are the real ones.
 */
import { encodeFeedFrame, type FeedFrame, parseFeedFrame } from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import { FeedReader } from '../../src/revocation/feed-reader.ts'
import { RevocationView } from '../../src/revocation/revocation-view.ts'
import { type Calibration, Staleness } from '../../src/revocation/staleness.ts'

/**
 * What is built wrong. 'send-time': heartbeats are stamped when sent. 'serial-cursor': positions are given when a
 * transaction starts, not when it is sealed. 'arrival-time': the reader takes what arrives as fresh.
 */
export type Flaw = 'none' | 'send-time' | 'serial-cursor' | 'arrival-time'

const step = 250
const length = 15 * 60_000
const heartbeat = 5000

/** mulberry32: small, seeded, good enough to roll faults with. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Intervals of trouble, at most `longest` long, about one in `every`. */
function troubles(roll: () => number, every: number, longest: number): (now: number) => boolean {
  const list: [number, number][] = []
  for (let at = roll() * every; at < length; at += roll() * every * 2) {
    const end = at + roll() * longest
    list.push([at, end])
    at = end
  }
  return (now) => list.some(([from, to]) => now >= from && now < to)
}

interface Revocation {
  readonly jti: string
  readonly serial: number
  readonly commitsAt: number
  pos: number | null
}

class ArrivalStaleness extends Staleness {
  override claim(_asOf: number, _since: Calibration, receivedAt: number): boolean {
    return super.claim(0, { askedAt: receivedAt, asOf: 0 }, receivedAt)
  }
}

export interface Outcome {
  /** Milliseconds between the commit of a revocation and the last acceptance of its token. */
  readonly worst: number
  readonly accepted: number
  readonly refused: number
}

export function simulate(seed: number, flaw: Flaw): Outcome {
  const roll = dice(seed)
  const world = { now: 0 }
  const faults = {
    database: troubles(roll, 90_000, 40_000),
    stall: troubles(roll, 120_000, 120_000),
    cut: troubles(roll, 120_000, 120_000),
    stopped: troubles(roll, 200_000, 120_000),
    slow: troubles(roll, 200_000, 120_000),
  }
  /** What a buffer on the way holds back while the link is slow. */
  const delay = 20_000 + roll() * 80_000
  const log = revocations(roll)
  const server = publisher(log, flaw)
  const validator = validatorOf(world, flaw)
  /** The wall clock of the validator is set, now and then, by up to ten minutes. Freshness must not care. */
  let wallOffset = 0
  let wire: { readonly sentAt: number; readonly frame: FeedFrame }[] = []
  let connected = false
  const outcome = { worst: 0, accepted: 0, refused: 0 }

  for (; world.now < length; world.now += step) {
    const { now } = world
    if (roll() < 0.002) wallOffset = (roll() - 0.5) * 1_200_000
    const sent = server.turn(now, !faults.database(now))
    if (faults.cut(now)) {
      connected = false
      wire = []
    }
    if (connected) wire.push(...sent.map((frame) => ({ sentAt: now, frame })))
    if (faults.stopped(now)) continue
    // Requests come before the socket is read: what a process does first after a stop is not its choice.
    for (const { jti, commitsAt } of log) {
      if (commitsAt > now || now > commitsAt + 300_000) continue
      if (!validator.accepts(jti)) outcome.refused += 1
      else {
        outcome.accepted += 1
        outcome.worst = Math.max(outcome.worst, now - commitsAt)
      }
    }
    if (faults.stall(now) || faults.cut(now)) continue
    const late = faults.slow(now) ? delay : 0
    const arriving = wire.filter(({ sentAt }) => sentAt + late <= now)
    wire = wire.slice(arriving.length)
    for (const { frame } of arriving) if (connected && !validator.hears(frame, now, wallOffset)) connected = false
    if (!connected) {
      connected = true
      validator.connects(now)
      wire = server.replay(validator.cursor(), now).map((frame) => ({ sentAt: now, frame }))
    }
  }
  return outcome
}

/** A revocation every few seconds; most commit at once, some up to eight seconds after they began. */
function revocations(roll: () => number): Revocation[] {
  const list: Revocation[] = []
  for (let at = 1000; at < length; at += 500 + roll() * 8000) {
    const lag = roll() < 0.7 ? roll() * 50 : roll() * 8000
    list.push({ jti: `j${list.length}`, serial: list.length + 1, commitsAt: at + lag, pos: null })
  }
  return list
}

/** Seals what is committed, reads the log when it can, tells everyone. Its clock runs evenly from some other start. */
function publisher(log: readonly Revocation[], flaw: Flaw) {
  const clock = (now: number) => (now + 5_000_000) as Instant
  let sealed = 0
  let cursor = 0
  let readAt = 0
  let beatAt = 0
  const placeOf = (row: Revocation) => (flaw === 'serial-cursor' ? row.serial : row.pos)
  const known: { readonly pos: number; readonly frame: (after: number) => FeedFrame }[] = []
  const beat = (now: number, after: number): FeedFrame => {
    return { kind: 'hb', epoch: 'e', pos: cursor, after, asOf: clock(flaw === 'send-time' ? now : readAt) }
  }
  return {
    turn(now: number, reachable: boolean): FeedFrame[] {
      const committed = log.filter((row) => row.commitsAt <= now && row.pos === null)
      for (const row of committed.sort((a, b) => a.commitsAt - b.commitsAt)) row.pos = sealed += 1
      const frames: FeedFrame[] = []
      if (reachable) {
        readAt = now
        const fresh = log.filter((row) => row.pos !== null && (placeOf(row) ?? 0) > cursor)
        for (const row of fresh.sort((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0))) {
          const pos = placeOf(row) ?? 0
          const until = clock(row.commitsAt + 600_000)
          const message = { kind: 'revoke', tenant: null, jti: row.jti, at: clock(row.commitsAt), until } as const
          const frame = (after: number): FeedFrame => ({
            kind: 'event',
            epoch: 'e',
            pos,
            after,
            message: { ...message, at: Math.floor(message.at) as Instant },
          })
          frames.push(frame(cursor))
          known.push({ pos, frame })
          cursor = pos
        }
      }
      if (now - beatAt >= heartbeat) {
        beatAt = now
        frames.push(beat(now, cursor))
      }
      return frames
    },
    replay(from: number, now: number): FeedFrame[] {
      let after = from
      const missed = known
        .filter(({ pos }) => pos > from)
        .map(({ pos, frame }) => {
          const made = frame(after)
          after = pos
          return made
        })
      const hello = { kind: 'hello', epoch: 'e', head: cursor, asOf: clock(now), heartbeat, retention: 7200 } as const
      return [hello, ...missed, beat(now, after)]
    },
  }
}

function validatorOf(world: { now: number }, flaw: Flaw) {
  const view = new RevocationView({ leeway: 60_000, capacity: 100_000, now: () => 0 })
  const staleness = new (flaw === 'arrival-time' ? ArrivalStaleness : Staleness)(() => world.now)
  const reader = new FeedReader({ view, staleness, onKeyMessage: () => {} })
  reader.loadSnapshot({ issuer: 'i', issuedAt: 0 as Instant, asOf: 0 as Instant, epoch: 'e', pos: 0, messages: [] }, 0)
  let take = reader.connection(0)
  return {
    cursor: () => reader.cursor?.pos ?? 0,
    connects(now: number) {
      take = reader.connection(now)
    },
    /** Through the wire's own words, as in life. */
    hears(frame: FeedFrame, now: number, wallOffset: number): boolean {
      const { event, id, data } = encodeFeedFrame(frame)
      const read = parseFeedFrame({ event, id, data })
      view.sweep(now + 5_000_000 + wallOffset, now)
      return read !== null && take(read, now) === 'ok'
    },
    accepts(jti: string): boolean {
      const token = {
        tenant: null,
        jti,
        grantId: null,
        sessionId: null,
        subject: 'u',
        clientId: 'c',
        issuedAt: 0 as Instant,
      }
      return !view.isRevoked(token) && ['live', 'lagging'].includes(staleness.freshness())
    },
  }
}
