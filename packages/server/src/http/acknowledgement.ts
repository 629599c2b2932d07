/**
 * Makes an answer about a change as durable as the change. A request that got 503 because no standby confirmed its
 * commit may have changed the primary all the same: a retry finds the change there and commits nothing whose
 * confirmation would be awaited.
 */
import type { Store } from '@grantor/store'

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])

/** Refusals that tell the present state: absent, in conflict, gone, or of another version. */
const tellsState: ReadonlySet<number> = new Set([404, 409, 410, 412])

/** Awaited before the answer is sent. Throws StoreUnavailable if the answer must not be sent. */
export async function untilAcknowledgeable(
  method: string,
  { status }: { readonly status: number },
  store: Pick<Store, 'untilDurable'>,
): Promise<void> {
  if (!reads.has(method) && (status < 400 || tellsState.has(status))) await store.untilDurable()
}
