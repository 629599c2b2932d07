/** How the log is chained and sealed; the same functions write it and verify it. */
import { createHmac, hash } from 'node:crypto'
import type { LogHead } from './events.ts'

/** What the first event of every tenant is chained to. */
export const genesis: Uint8Array = new Uint8Array(32)

/** An event as the chain binds it: its text, and what readers of the feed find it by. */
export interface ChainLink {
  readonly body: string
  readonly pos: number
  readonly feed: number
}

/**
 * SHA-256(previous hash ‖ body ‖ 0 ‖ feed ‖ pos (8 bytes)); no body holds a NUL. Nor does it hold `seq`: the chain starts
 * at a known place and has no gaps, so the count of links is the number, and the mac over (tenant, seq, hash) ties both.
 */
export function chainHash(previous: Uint8Array, { body, pos, feed }: ChainLink): Uint8Array {
  const place = Buffer.alloc(10)
  place.writeUInt8(feed, 1)
  place.writeBigUInt64BE(BigInt(pos), 2)
  return hash('sha256', Buffer.concat([previous, Buffer.from(body), place]), 'buffer')
}

/** As events were linked before their places were part of it: SHA-256(previous hash ‖ body). */
export const bodyChainHash = (previous: Uint8Array, body: string): Uint8Array =>
  hash('sha256', Buffer.concat([previous, Buffer.from(body)]), 'buffer')

/**
 * How the event is linked to the one before, if it is. Nobody gains by the older form: the hash of a newer event is not
 * that of its body alone, and what comes after it, up to the next mac, rests on the hash that it has.
 */
export function linkForm(previous: Uint8Array, link: ChainLink, linked: Uint8Array): 'placed' | 'body-only' | null {
  const isPlace = Number.isSafeInteger(link.pos) && link.pos >= 0 && (link.feed === 0 || link.feed === 1)
  if (isPlace && Buffer.from(linked).equals(chainHash(previous, link))) return 'placed'
  return Buffer.from(linked).equals(bodyChainHash(previous, link.body)) ? 'body-only' : null
}

/**
 * A key for another purpose. The key of the log is made once and never replaced, only wrapped anew: what is derived from
 * it stays the same for the life of the database. No purpose of a mac is called `derive`, so the two never meet.
 */
export const derivedKey = (auditKey: Uint8Array, purpose: string): Uint8Array =>
  createHmac('sha256', auditKey).update(`derive\0${purpose}`).digest()

/** What a mac vouches for; part of it, so that one cannot be passed off as the other. */
export type MacPurpose = 'seal' | 'checkpoint'

/** HMAC-SHA256 over purpose ‖ 0 ‖ tenant ‖ 0 ‖ seq (8 bytes) ‖ hash. Neither name holds a NUL, so the join is unambiguous. */
export function macOf(auditKey: Uint8Array, head: LogHead, purpose: MacPurpose): Uint8Array {
  const seq = Buffer.alloc(8)
  seq.writeBigUInt64BE(BigInt(head.seq))
  const message = Buffer.concat([Buffer.from(`${purpose}\0${head.tenant}\0`), seq, head.hash])
  return createHmac('sha256', auditKey).update(message).digest()
}
