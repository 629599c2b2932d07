/** Limits how many invalid opaque tokens and API keys an address may try, as each costs the issuer an introspection. */
import { addressKey } from '@grantor/protocol/uri'
import { plainAddress } from '../http/addresses.ts'
import { Lru } from '../lru.ts'
import type { Time } from '../time.ts'
import { TokenBucket } from '../token-bucket.ts'
import type { Caller } from './caller.ts'

/** The same limit as for wrong secrets at the issuer: `burst` at once, then one a second. */
const burst = 60
const interval = 1000
const mostAddresses = 10_000
/**
 * For opaque tokens of all addresses together: below this rate no address is stopped, because honest clients also come
 * with tokens that have ended. It is half of the introspections that an API may make.
 */
const tolerated = { burst: 300, interval: 200 }

const keyOf = (address: string): string => addressKey(plainAddress(address))

export class WrongTokens {
  readonly #time: Pick<Time, 'monotonic'>
  readonly #addresses = new Lru<string, TokenBucket>(mostAddresses)
  readonly #tolerated: TokenBucket | null

  constructor(time: Pick<Time, 'monotonic'>, as: Caller['credential']) {
    this.#time = time
    this.#tolerated = as === 'api_key' ? null : new TokenBucket(time, tolerated.burst, tolerated.interval)
  }

  /** Seconds until this address may try another; 0 where it may now, and where the address is unknown. */
  wait(address: string | null): number {
    if (this.#tolerated?.wait() === 0) return 0
    const known = address === null ? undefined : this.#addresses.get(keyOf(address))
    return Math.ceil((known?.wait() ?? 0) / 1000)
  }

  count(address: string | null): void {
    this.#tolerated?.spend()
    if (address === null) return
    const key = keyOf(address)
    const known = this.#addresses.get(key)
    const bucket = known ?? new TokenBucket(this.#time, burst, interval)
    if (known === undefined) this.#addresses.set(key, bucket)
    bucket.spend()
  }
}
