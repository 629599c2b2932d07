/** Stateless nonces of a DPoP server: RFC 9449 §8, §9. Every holder of the key computes the same ones. */
import { createHmac } from 'node:crypto'
import type { Instant } from '../types.ts'

export interface DpopNonces {
  /** The nonce for a client's next proof. */
  current(now: Instant): string
  /** Whether the nonce is of this period or an adjacent one: clocks differ, and a client may hold the previous one. */
  accepts(nonce: string, now: Instant): boolean
}

/** Seconds between two nonces. */
const period = 300

/** `key`: the same on every node, and used for nothing else. `purpose` separates tenants or APIs that share a key. */
export function openNonces(key: Uint8Array, purpose = ''): DpopNonces {
  const periodAt = (now: Instant): number => Math.floor(now / 1000 / period)
  const nonceOf = (at: number): string =>
    createHmac('sha256', key).update(`dpop-nonce ${at} ${purpose}`).digest('base64url').slice(0, 32)
  // The three nonces accepted at a time, computed once.
  let held = { at: Number.NaN, nonces: [''] }
  const around = (at: number): readonly string[] => {
    if (held.at !== at) held = { at, nonces: [at - 1, at, at + 1].map(nonceOf) }
    return held.nonces
  }
  return {
    current: (now) => around(periodAt(now))[1] ?? '',
    accepts: (nonce, now) => around(periodAt(now)).includes(nonce),
  }
}
