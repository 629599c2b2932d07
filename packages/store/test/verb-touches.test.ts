/** Verbs declare whether they touch the directory, and the SQLite writer holds them to it. */
import { equal, match } from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import { sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { GroupWriter } from '../src/drivers/sqlite/group-writer.ts'
import type { GroupAnswers } from '../src/drivers/sqlite/worker-message.ts'
import { type VerbName, verbs } from '../src/verbs/index.ts'
import { populated, verbCalls } from '../suite/verb-calls.ts'
import { auditKey, openAuditKey } from './support/audit-key.ts'

async function populatedFile(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-touches-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'grantor.db')
  const engine = await sqliteEngine({ path, auditKey: openAuditKey })
  await populated(storeFromEngine(engine))
  await engine.close()
  return path
}

/** What the writer answers to that verb on a copy of the file. */
async function answerTo(name: VerbName, file: string): Promise<GroupAnswers> {
  const path = `${file}-${name}`
  copyFileSync(file, path)
  const engine = await sqliteEngine({ path, auditKey: openAuditKey })
  const args = await verbCalls[name]({ engine, store: storeFromEngine(engine) })
  await engine.close()
  const writer = new GroupWriter(path, auditKey)
  const answer = writer.run([{ kind: 'verb', name, args, breakAt: null, calledAt: 0 }])
  writer.close()
  return answer
}

test('exactly the verbs that declare it change the directory; undeclared, the change is refused', async (t) => {
  const file = await populatedFile(t)
  for (const name of Object.keys(verbs) as VerbName[]) {
    const declared = verbs[name].touches
    if (declared === 'directory') t.mock.property(verbs[name], 'touches', 'records' as never)
    const [failure] = (await answerTo(name, file)).failures
    if (declared === 'records') equal(failure, undefined, name)
    else match(failure?.message ?? '', /does not declare that it touches the directory/, name)
  }
})
