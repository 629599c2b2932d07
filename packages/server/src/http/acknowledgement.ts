/**
 * An answer that says that a change is so is as safe as the change. A try that got 503 because no standby confirmed it may
 * have left it there: whoever asks again finds it done, or gone, and nothing is written that would be waited for.
 */
import type { Store } from '@grantor/store'

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])

/** What is there already, is gone, or is another by now. */
const tellsState: ReadonlySet<number> = new Set([404, 409, 410, 412])

/** Before the answer is sent; throws StoreUnavailable where it must not be. */
export async function untilAcknowledgeable(
  method: string,
  { status }: { readonly status: number },
  store: Pick<Store, 'untilDurable'>,
): Promise<void> {
  if (!reads.has(method) && (status < 400 || tellsState.has(status))) await store.untilDurable()
}
