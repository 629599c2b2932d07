/**
 * Temporary failures of a dependency, as opposed to bugs: refused with 503 at an endpoint, ignored in the background.
 */
import { StoreUnavailable } from '@grantor/store'
import { KeyUnopened } from './keys/keyring.ts'
import { HashingBusy } from './people/hashing-queue.ts'

export const isOutage = (cause: unknown): boolean =>
  cause instanceof StoreUnavailable || cause instanceof KeyUnopened || cause instanceof HashingBusy

/** For background work, which is repeated. Anything but an outage is a bug, and is thrown. */
export function ignoreOutage(cause: unknown): void {
  if (!isOutage(cause)) throw cause
}
