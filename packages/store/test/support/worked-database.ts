/** A database in which every verb has done its work, each in a tenant of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Store } from '../../src/contract/store.ts'
import { storeFromEngine } from '../../src/drivers/engine-store.ts'
import type { Engine } from '../../src/drivers/engine.ts'
import { sqliteEngine } from '../../src/drivers/sqlite/engine.ts'
import { type VerbName, verbs } from '../../src/verbs/index.ts'
import { beside, renaming } from '../../suite/beside.ts'
import { populated, verbCalls } from '../../suite/verb-calls.ts'
import { openAuditKey } from './audit-key.ts'

/** Of the deployment: they would change what the others wrote. */
const left = new Set<VerbName>(['directory.setBack', 'directory.beginNewEpoch', 'sweep'])

/** On SQLite; the tenants are `tenant-0`, `tenant-1` and so on. */
export async function workedDatabase(t: TestContext): Promise<{ readonly engine: Engine; readonly store: Store }> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-swept-'))
  const engine = await sqliteEngine({ path: join(folder, 'grantor.db'), auditKey: openAuditKey })
  t.after(() => engine.close().then(() => rmSync(folder, { recursive: true })))
  const store = storeFromEngine(engine)
  for (const [n, name] of (Object.keys(verbs) as VerbName[]).filter((it) => !left.has(it)).entries()) {
    const within = (text: string): string => (text === 'acme' ? `tenant-${n}` : text)
    const own = beside(store, within)
    await populated(own)
    await engine.run(name, renaming(await verbCalls[name]({ engine, store: own }), within))
  }
  return { engine, store }
}
