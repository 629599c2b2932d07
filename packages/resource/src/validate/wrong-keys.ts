/** How many API keys that do not exist an address may try: each costs the issuer a question. */
import { addressKey } from '@grantor/protocol/uri'
import { plainAddress } from '../http/addresses.ts'
import { Lru } from '../lru.ts'
import type { Time } from '../time.ts'
import { TokenBucket } from '../token-bucket.ts'

/** As for wrong secrets at the issuer: so many at once, then one a second. */
const burst = 60
const interval = 1000
const mostAddresses = 10_000

const keyOf = (address: string): string => addressKey(plainAddress(address))

export class WrongKeys {
  readonly #time: Pick<Time, 'monotonic'>
  readonly #addresses = new Lru<string, TokenBucket>(mostAddresses)

  constructor(time: Pick<Time, 'monotonic'>) {
    this.#time = time
  }

  /** Seconds until this address may try another; 0 where it may now, and where nobody knows the address. */
  wait(address: string | null): number {
    const known = address === null ? undefined : this.#addresses.get(keyOf(address))
    return Math.ceil((known?.wait() ?? 0) / 1000)
  }

  count(address: string | null): void {
    if (address === null) return
    const key = keyOf(address)
    const known = this.#addresses.get(key)
    const bucket = known ?? new TokenBucket(this.#time, burst, interval)
    if (known === undefined) this.#addresses.set(key, bucket)
    bucket.tryTake()
  }
}
