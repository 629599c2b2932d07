/** How `npm test` runs files: several in a process, and none is lost or unnamed whatever becomes of the process. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { divide, type TestProcess } from '../scripts/test-processes/divide.ts'
import type { Outcome } from '../scripts/test-processes/run-files.ts'

const runner = pathToFileURL(join(import.meta.dirname, '../scripts/test-processes/run-files.ts')).href

const green = "test('passes', () => {})\ntest('passes too', () => {})"
const red = "test('passes', () => {})\ntest('fails', () => { throw new Error('as it must') })"

/** In a process of its own, since node does not run files for a test. */
async function outcomeOf(
  t: TestContext,
  sources: Readonly<Record<string, string>>,
  processes: readonly TestProcess[],
): Promise<Outcome & { readonly printed: string }> {
  const root = mkdtempSync(join(tmpdir(), 'grantor-test-files-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [file, source] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), `import { after, test } from 'node:test'\n${source}\n`)
  }
  const marker = 'outcome: '
  const program = `import { runFiles } from ${JSON.stringify(runner)}
    const outcome = await runFiles(${JSON.stringify(processes)},
      { root: ${JSON.stringify(root)}, concurrency: 2, environment: process.env })
    console.log(${JSON.stringify(marker)} + JSON.stringify(outcome))`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  writeFileSync(join(root, 'run.mjs'), program)
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'run.mjs')], { env })
  const [printed = '', outcome = ''] = stdout.split(marker)
  return { ...(JSON.parse(outcome) as Outcome), printed }
}

test('each file is run once, and those of one process are of one folder', () => {
  const files = ['test/a.test.ts', 'packages/cli/test/b.test.ts', 'packages/protocol/test/c/d.test.ts']
  const many = Array.from({ length: 100 }, (_, at) => `packages/authority/test/${at}.test.ts`)
  const processes = divide([...files, ...many])
  assert.deepEqual(processes.flat().toSorted(), [...files, ...many].toSorted())
  const folders = processes.map((process) => new Set(process.map((file) => file.split('/').slice(0, 2).join('/'))).size)
  assert.deepEqual(new Set(folders), new Set([1]))
  assert.ok(processes.some((process) => process.length > 1))
  assert.deepEqual(divide([]), [])
})

test('files of one process are all run, counted in one summary, and what fails is named by its file', async (t) => {
  const sources = { 'a.test.mjs': green, 'b/b.test.mjs': red, 'c.test.mjs': green, 'd.test.mjs': green }
  const { failed, printed, ...counts } = await outcomeOf(t, sources, [
    ['a.test.mjs', 'b/b.test.mjs', 'c.test.mjs'],
    ['d.test.mjs'],
  ])
  assert.deepEqual(failed, [['b/b.test.mjs']])
  assert.deepEqual(counts, { tests: 8, passed: 7, skipped: 0 })
  assert.match(printed, /ℹ tests 8\n(?:.*\n)*ℹ pass 7\nℹ fail 1\n/)
})

test('a hook of a file is over before the next file is loaded', async (t) => {
  const sources = {
    'a.test.mjs': `globalThis.isOpen = true\nafter(() => { globalThis.isOpen = false })\n${green}`,
    'b.test.mjs': "if (globalThis.isOpen) throw new Error('the first file is still open')\n" + green,
  }
  const { failed, tests } = await outcomeOf(t, sources, [['a.test.mjs', 'b.test.mjs']])
  assert.deepEqual([failed, tests], [[], 4])
})

test('a test may wait for a timer that keeps no process alive', async (t) => {
  const source = "test('waits', () => new Promise((resolve) => { setTimeout(resolve, 10).unref() }))"
  const { failed, passed } = await outcomeOf(t, { 'a.test.mjs': green, 'b.test.mjs': source, 'c.test.mjs': green }, [
    ['a.test.mjs', 'b.test.mjs', 'c.test.mjs'],
  ])
  assert.deepEqual([failed, passed], [[], 5])
})

test('a clock that a file leaves behind stops neither the next one nor the process', async (t) => {
  const left = "import { mock } from 'node:test'\ntest('leaves', () => mock.timers.enable())"
  const source = "test('waits', () => new Promise((resolve) => { setTimeout(resolve, 1) }))"
  const { failed, passed } = await outcomeOf(t, { 'a.test.mjs': left, 'b.test.mjs': source }, [
    ['a.test.mjs', 'b.test.mjs'],
  ])
  assert.deepEqual([failed, passed], [[], 2])
})

test('a file that cannot be loaded is named, and the others of its process are run', async (t) => {
  const sources = { 'a.test.mjs': green, 'b.test.mjs': "throw new Error('not loaded')", 'c.test.mjs': green }
  const { failed, passed } = await outcomeOf(t, sources, [['a.test.mjs', 'b.test.mjs', 'c.test.mjs']])
  assert.deepEqual([failed, passed], [[['b.test.mjs']], 4])
})

test('a file that ends its process is named, also after another failed, and those behind it are run', async (t) => {
  for (const end of ['process.exit(0)', 'process.exit(1)', "process.kill(process.pid, 'SIGKILL')"]) {
    const sources = {
      'a.test.mjs': red,
      'b.test.mjs': `test('ends', () => { ${end} })`,
      'c.test.mjs': green,
      'd.test.mjs': green,
    }
    const { failed, printed } = await outcomeOf(t, sources, [Object.keys(sources) as [string, ...string[]]])
    assert.deepEqual(failed, [['a.test.mjs'], ['b.test.mjs']], end)
    assert.match(printed, /✔ c\.test\.mjs .*\n(?:.*\n)*✔ d\.test\.mjs /, end)
  }
})

test('a process that fails after its tests passed is named with all its files', async (t) => {
  const late = `${green}\nafter(() => void setTimeout(() => { throw new Error('after the end') }, 1))`
  const { failed } = await outcomeOf(t, { 'a.test.mjs': late, 'b.test.mjs': green }, [['a.test.mjs', 'b.test.mjs']])
  assert.deepEqual(failed.flat().slice(0, 1), ['a.test.mjs'])
  const alone = await outcomeOf(t, { 'a.test.mjs': late }, [['a.test.mjs']])
  assert.deepEqual(alone.failed, [['a.test.mjs']])
})
