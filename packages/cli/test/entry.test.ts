/** What `grantor` of a checkout begins: what `npm ci` put together, and the sources where one was written since. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { shim } from './grantor.ts'

const main = 'packages/cli/src/main.ts'
const bundle = 'node_modules/.cache/command'

function checkout(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'grantor-entry-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (name: string, text: string): void => {
    mkdirSync(join(root, dirname(name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const program = join(root, 'packages/cli/bin/grantor.js')
  write('package.json', '{ "type": "module" }')
  mkdirSync(dirname(program), { recursive: true })
  copyFileSync(shim, program)
  write(main, `console.log('sources')`)
  return { root, write, run: () => execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim() }
}

test('the command is what was put together from its sources, until one of them is written', (t) => {
  const { root, write, run } = checkout(t)
  const source = join(root, main)
  assert.equal(run(), 'sources', 'nothing was put together')
  write(`${bundle}/grantor.js`, `console.log('bundle')`)
  assert.equal(run(), 'sources', 'of what is not known')
  const { mtimeMs, mtime, size } = statSync(source)
  write(`${bundle}/sources.json`, JSON.stringify([[main, `${mtimeMs} ${size}`]]))
  assert.equal(run(), 'bundle')
  utimesSync(source, mtime, new Date(mtimeMs + 1000))
  assert.equal(run(), 'sources', 'written since')
  utimesSync(source, mtime, mtime)
  write(main, `console.log('sources, longer')`)
  assert.equal(run(), 'sources, longer')
})

test('a source that is gone makes what was put together useless', (t) => {
  const { write, run } = checkout(t)
  write(`${bundle}/grantor.js`, `console.log('bundle')`)
  write(`${bundle}/sources.json`, JSON.stringify([['packages/cli/src/gone.ts', '1 1']]))
  assert.equal(run(), 'sources')
})
