/** A signing key as the ring stores it. */
import type { Instant, JsonObject, TenantId } from '../types.ts'
import type { SigningAlg } from './algorithms.ts'

/** A key of the ring. Its state (next, current, retiring, retired) is a function of these times and now. */
export interface KeyRecord {
  readonly tenant: TenantId
  readonly kid: string
  readonly alg: SigningAlg
  /** 1 for the first key of this algorithm in this tenant; unique, so that two nodes cannot both add the next one. */
  readonly generation: number
  readonly publishedAt: Instant
  readonly activatesAt: Instant
  /** When its activation was recorded as an event; see KeyStore.noteActive. */
  readonly notedActiveAt: Instant | null
  readonly droppedAt: Instant | null
  readonly publicJwk: JsonObject
  /** The private key, sealed under the master key. */
  readonly sealedPrivate: Uint8Array
}
