/** What is away for a while, and not broken: refused with 503 at an endpoint, waited out in the background. */
import { StoreUnavailable } from '@grantor/store'
import { KeyUnopened } from './keys/keyring.ts'
import { HashingBusy } from './people/hashing-queue.ts'

export const isOutage = (cause: unknown): boolean =>
  cause instanceof StoreUnavailable || cause instanceof KeyUnopened || cause instanceof HashingBusy

/** For work in the background, which comes round again. Anything but an outage is a bug and must be seen. */
export function ignoreOutage(cause: unknown): void {
  if (!isOutage(cause)) throw cause
}
