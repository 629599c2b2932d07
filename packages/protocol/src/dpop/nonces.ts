/** Nonces of a DPoP server without any state: RFC 9449 §8, §9. Whoever has the key makes and knows the same ones. */
import { createHmac } from 'node:crypto'
import type { Instant } from '../types.ts'

export interface DpopNonces {
  /** What a client is to put into its next proof. */
  current(now: Instant): string
  /** Whether it is of this period or of one beside it: clocks differ, and a client may hold the last one. */
  accepts(nonce: string, now: Instant): boolean
}

/** Seconds between two nonces. */
const period = 300

/** `key`: the same on every node, and for nothing else. `purpose` keeps tenants or APIs apart that share a key. */
export function openNonces(key: Uint8Array, purpose = ''): DpopNonces {
  const periodAt = (now: Instant): number => Math.floor(now / 1000 / period)
  const nonceOf = (at: number): string =>
    createHmac('sha256', key).update(`dpop-nonce ${at} ${purpose}`).digest('base64url').slice(0, 32)
  // The three that are accepted at a moment, made once.
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
