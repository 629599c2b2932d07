/** How the log is chained and sealed; the same functions write and verify it. */
import { createHmac, hash } from 'node:crypto'
import type { LogHead } from './events.ts'

/** The predecessor hash of the first event of every tenant. */
export const genesis: Uint8Array = new Uint8Array(32)

/** The fields of an event that the chain protects: its text, its position and its feed flag. */
export interface ChainLink {
  readonly body: string
  readonly pos: number
  readonly feed: number
}

/**
 * SHA-256(previous hash ‖ body ‖ 0 ‖ feed ‖ pos (8 bytes)); no body contains a NUL. `seq` is not hashed: the chain
 * starts at a known place and has no gaps, so the number of links is the seq, and the MAC over (tenant, seq, hash)
 * binds both.
 */
export function chainHash(previous: Uint8Array, { body, pos, feed }: ChainLink): Uint8Array {
  const place = Buffer.alloc(10)
  place.writeUInt8(feed, 1)
  place.writeBigUInt64BE(BigInt(pos), 2)
  return hash('sha256', Buffer.concat([previous, Buffer.from(body), place]), 'buffer')
}

/** The hash of earlier releases, which did not cover the position: SHA-256(previous hash ‖ body). */
export const bodyChainHash = (previous: Uint8Array, body: string): Uint8Array =>
  hash('sha256', Buffer.concat([previous, Buffer.from(body)]), 'buffer')

/**
 * The form by which the event is linked to its predecessor; null if it is not. The older form cannot be abused: the
 * hash of a newer event is not that of its body alone, and the following events, up to the next MAC, depend on the
 * stored hash.
 */
export function linkForm(previous: Uint8Array, link: ChainLink, linked: Uint8Array): 'placed' | 'body-only' | null {
  const isPlace = Number.isSafeInteger(link.pos) && link.pos >= 0 && (link.feed === 0 || link.feed === 1)
  if (isPlace && Buffer.from(linked).equals(chainHash(previous, link))) return 'placed'
  return Buffer.from(linked).equals(bodyChainHash(previous, link.body)) ? 'body-only' : null
}

/**
 * A key for another purpose. The key of the log is made once and never replaced, only sealed anew, so derived keys stay
 * the same for the life of the database. No MAC has the purpose `derive`, so the two uses never collide.
 */
export const derivedKey = (auditKey: Uint8Array, purpose: string): Uint8Array =>
  createHmac('sha256', auditKey).update(`derive\0${purpose}`).digest()

/** What a MAC certifies; it is part of the MAC, so that one kind cannot be presented as the other. */
export type MacPurpose = 'seal' | 'checkpoint'

/**
 * HMAC-SHA256 over purpose ‖ 0 ‖ tenant ‖ 0 ‖ seq (8 bytes) ‖ hash. Neither name contains a NUL, so the concatenation
 * is unambiguous.
 */
export function macOf(auditKey: Uint8Array, head: LogHead, purpose: MacPurpose): Uint8Array {
  const seq = Buffer.alloc(8)
  seq.writeBigUInt64BE(BigInt(head.seq))
  const message = Buffer.concat([Buffer.from(`${purpose}\0${head.tenant}\0`), seq, head.hash])
  return createHmac('sha256', auditKey).update(message).digest()
}
