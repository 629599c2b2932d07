/** How the log is chained and sealed; the same functions write it and verify it. */
import { createHmac, hash } from 'node:crypto'
import type { LogHead } from './events.ts'

/** What the first event of every tenant is chained to. */
export const genesis: Uint8Array = new Uint8Array(32)

/**
 * SHA-256(previous hash ‖ body). The body does not hold `seq`: the chain starts at a known place and has no gaps, so
 * the count of links is the number, and the mac over (tenant, seq, hash) ties both together.
 */
export const chainHash = (previous: Uint8Array, body: string): Uint8Array =>
  hash('sha256', Buffer.concat([previous, Buffer.from(body)]), 'buffer')

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
