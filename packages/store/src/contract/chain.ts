/** How the log is chained and sealed; the same functions write it and verify it. */
import { createHmac, hash } from 'node:crypto'
import type { LogHead } from './events.ts'
import { hmacOf, hmacRoom } from './hmac.ts'

/** What the first event of every tenant is chained to. */
export const genesis: Uint8Array = new Uint8Array(32)

/**
 * SHA-256(previous hash ‖ body). The body does not hold `seq`: the chain starts at a known place and has no gaps, so
 * the count of links is the number, and the mac over (tenant, seq, hash) ties both together.
 */
export const chainHash = (previous: Uint8Array, body: string): Uint8Array => fromLink(linkAfter(toLink(previous), body))

/** A hash as text, a character for each byte: half the price of a buffer, to make and to keep. */
export type Link = string

export const toLink = (hash: Uint8Array): Link =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')
/** Out of the pool, so not for keeping: a few bytes would hold on to all that lie beside them. */
export const fromLink = (link: Link): Uint8Array => Buffer.from(link, 'latin1')

export function linkAfter(previous: Link, body: string): Link {
  const joined = Buffer.allocUnsafe(previous.length + Buffer.byteLength(body))
  joined.write(previous, 0, 'latin1')
  joined.write(body, previous.length)
  return hash('sha256', joined, 'latin1')
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
  const names = `${purpose}\0${head.tenant}\0`
  const afterNames = hmacRoom + Buffer.byteLength(names)
  const message = Buffer.allocUnsafe(afterNames + 8 + 32)
  message.write(names, hmacRoom)
  message.writeUInt32BE(Math.floor(head.seq / 2 ** 32), afterNames)
  message.writeUInt32BE(head.seq % 2 ** 32, afterNames + 4)
  message.set(head.hash, afterNames + 8)
  return fromLink(hmacOf(auditKey, message))
}
