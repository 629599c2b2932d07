/** A vector: what is sent through an adapter, and what must come back. Run by *.test.ts on every adapter. */
import { test } from 'node:test'
import { type TestedAdapter, type AdapterKind, adapterKinds, startAdapter } from './adapters.ts'
import type { SampleOptions } from './sample.ts'

export function onEveryAdapter(
  title: string,
  run: (adapter: TestedAdapter, kind: AdapterKind) => Promise<void>,
  options: SampleOptions = {},
): void {
  for (const kind of adapterKinds) {
    test(`${title} [${kind}]`, async () => {
      const adapter = await startAdapter(kind, options)
      try {
        await run(adapter, kind)
      } finally {
        await adapter.close()
      }
    })
  }
}
