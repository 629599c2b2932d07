/** The health of one process: does the store answer, can the signing keys be opened, what was counted. */
import type { Deployment } from '../compose.ts'
import { defaultTenant } from '../issuer.ts'
import type { Health } from './listener.ts'

/** A store that needs longer than this to say hello is not one that can serve. */
const timeout = 2_000

export const healthOf = (
  { store, authority }: Pick<Deployment, 'store' | 'authority'>,
  metrics: () => Promise<string>,
  draining: () => boolean,
): Health => ({
  metrics,
  async ready() {
    if (draining()) return false
    const keys = authority.keySet(defaultTenant).then((answer) => answer.kind === 'ok')
    const answers = store.ping().then(
      () => true,
      () => false,
    )
    return (await Promise.race([Promise.all([answers, keys]), late()])).every(Boolean)
  },
})

const late = (): Promise<readonly boolean[]> =>
  new Promise((resolve) => {
    setTimeout(() => resolve([false]), timeout).unref()
  })
