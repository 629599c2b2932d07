/** How the suite meets an implementation: a fresh, empty store for each test, closed after it. */
import { test } from 'node:test'
import type { EventName } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '../src/contract/store.ts'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import type { Engine } from '../src/drivers/engine.ts'

/** Opens an engine over an empty database that nothing else uses. */
export type OpenEngine = () => Promise<Engine>

export interface StoreUnderTest {
  readonly engine: Engine
  readonly store: Store
}

export function storeTest(open: OpenEngine, title: string, body: (it: StoreUnderTest) => Promise<void>): void {
  test(title, async () => {
    const engine = await open()
    try {
      await body({ engine, store: storeFromEngine(engine) })
    } finally {
      await engine.close()
    }
  })
}

/** The names in a tenant's log, in order, once everything committed has its place. */
export async function logged(store: Store, tenant: TenantId): Promise<readonly EventName[]> {
  await store.events.position()
  return (await store.events.after(tenant, 0, 10_000)).map((event) => event.name)
}
