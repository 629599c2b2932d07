/**
 * Every shell block of README.md and docs/ is run as it stands, or says why not (documented/blocks.ts), and prints what the
 * page says that it prints (documented/shown-output.ts).
 */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blocksOf, root } from './documented/blocks.ts'
import { type DemoServer, startDemoServer } from './documented/demo-server.ts'
import { runPage } from './documented/page-run.ts'
import { preparations } from './documented/preparations/index.ts'
import { assertPrinted, shownOutputs } from './documented/shown-output.ts'

const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()].map((page) => blocksOf(page))
const shellBlocks = pages.flat().filter(({ language }) => language === 'sh')

test('a line for the server of this checkout trusts its certificate authority', () => {
  for (const { page, line, text } of shellBlocks)
    for (const [command] of text.replaceAll(/\\\n/g, '').matchAll(/\bcurl\b[^|\n]*https:\/\/localhost:[^|\n]*/g))
      assert.ok(command.includes('--cacert data/tls/ca.pem'), `${page}:${line}: ${command}`)
})

/** Pages whose programs another test compares, block by block, with what it runs. */
const compared: Readonly<Record<string, string>> = {
  'docs/mcp.md': 'interop/test/mcp-guide.test.ts',
  'docs/resource-toolkit.md': 'packages/api/test/guide/guide.test.ts',
  'docs/webhooks.md': 'packages/protocol/test/webhooks/documented-verifiers.test.ts',
}

test('a program that is shown is a file, is compared with one by a test, or says who runs it or why nobody does', (t) => {
  for (const [page, file] of Object.entries(compared)) assert.ok(existsSync(join(root, file)), `${page}: ${file}`)
  const programs = pages.flat().filter(({ language }) => ['ts', 'js', 'python', 'go', 'java'].includes(language))
  const loose = programs.filter(({ page, file }) => file === null && compared[page] === undefined)
  t.diagnostic(`${programs.length} programs, of which ${loose.length} are neither files nor compared`)
  for (const { page, line, fate } of loose) {
    assert.notEqual(fate.kind, 'runs', `${page}:${line}`)
    if (fate.kind === 'run by') assert.ok(existsSync(join(root, fate.file)), `${page}:${line}: ${fate.file}`)
  }
})

test('what is not run says why, and what another file runs names one that is there', (t) => {
  const fates = Object.groupBy(shellBlocks, ({ fate }) => fate.kind)
  for (const [kind, blocks] of Object.entries(fates)) t.diagnostic(`${blocks.length} blocks: ${kind}`)
  for (const { page, line, fate } of shellBlocks) {
    if (fate.kind === 'not run') t.diagnostic(`${page}:${line} is not run: ${fate.reason}`)
    if (fate.kind === 'run by') assert.ok(existsSync(join(root, fate.file)), `${page}:${line}: ${fate.file}`)
  }
})

test('what a page shows as output is looked for: a line more, less or other is told, ids and times are not', () => {
  const shown = { line: 1, text: 'ID         NAME\n01a1…e49c  a  2026-11-17 15:29:58Z\n…\nend\n', isWhole: true }
  const printed = 'ID    NAME\n01a1eb83-207b-72b5-a997-b35a14d417ff  a  2027-01-01 00:00:00Z\nmore\nend\n'
  assertPrinted('page', shown, printed)
  for (const other of [printed.replace('  a  ', '  b  '), `${printed}one more\n`, printed.replace('end\n', ''), ''])
    assert.throws(() => assertPrinted('page', shown, other), /prints something else/)
  assert.ok(pages.flatMap((blocks) => shownOutputs(blocks)).length >= 4)
})

describe('the lines of', { concurrency: 2 }, () => {
  let demo: DemoServer
  before(async () => {
    demo = await startDemoServer()
  })
  after(() => demo[Symbol.asyncDispose]())
  for (const blocks of pages) {
    const page = blocks[0]?.page ?? ''
    if (!blocks.some(({ language, fate }) => language === 'sh' && fate.kind === 'runs')) continue
    test(page, () => runPage(blocks, preparations[page] ?? { at: 'folder' }, demo))
  }
})
