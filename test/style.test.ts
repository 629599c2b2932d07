/** STYLE.md as far as it can be counted: first lines, names, sizes. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { identifiersIn, wordsOf } from './architecture/identifiers.ts'
import { importCount, packageSources, packageTests, read, root, workspaceSources } from './architecture/sources.ts'

test('every source file begins with one sentence on what it is', () => {
  const silent = packageSources.filter((file) => !/^(?:#!|\/\*\*[ \n])/.test(read(file)))
  assert.deepEqual(silent, [])
})

test('no file is called utils, helpers, common, manager or service', () => {
  assert.deepEqual(
    packageSources.filter((file) => /\b(utils?|helpers?|common|manager|service)\b/.test(file.replaceAll('-', ' '))),
    [],
  )
})

/** Metaphors that were names once. Who knows OAuth and not this code could not guess what they stand for. */
const retired = new Set(
  `hands house hatch desk soon steady keepsake keepsakes halfway courier parcel parcels vitals crew crowd lane lanes door
  doors knock wish wishes trouble scene pulse told said standing looks`.split(/\s+/),
)

/** Published under this name, or Node's own. */
const kept = new Set(['onTrouble', 'destroySoon'])

test('names are words of the field: none of the retired metaphors is an identifier or a file', () => {
  const found = packageSources.flatMap((file) => {
    const names = new Set([
      ...identifiersIn(read(file)),
      ...file
        .slice('packages/'.length)
        .replace(/\.tsx?$/, '')
        .split('/'),
    ])
    return [...names]
      .filter((name) => !kept.has(name) && wordsOf(name).some((word) => retired.has(word)))
      .map((name) => `${file}: ${name}`)
  })
  assert.deepEqual(found, [])
})

test('identifiers are read from code, not from prose, and split into their words', () => {
  const code = "const openDesk = 'hands' // steady\n/* lane */ type HTTPDoor = `${wish}` & { soon_there: 1 }\n"
  assert.deepEqual([...identifiersIn(code)].toSorted(), ['HTTPDoor', 'const', 'openDesk', 'soon_there', 'type', 'wish'])
  assert.deepEqual(wordsOf('openHTTPDoor2'), ['open', 'http', 'door'])
  assert.deepEqual(wordsOf('soon_there-now'), ['soon', 'there', 'now'])
})

/** Papers that lie elsewhere: decisions, plans, numbered promises and vectors. */
const elsewhere = /\bDECISIONS\b|\bHOUSE:|\bLAYOUT\b|\bSEED:|\bresearch\/|(?:by|as) the seed\b|\b[PV]\d{1,2}: /

test('nothing is cited that a reader of the repository cannot look up', () => {
  const pages = ['*.md', 'docs/**/*.md', 'bench/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))
  const cited = [...packageSources, ...packageTests, ...workspaceSources, ...pages]
    .filter((file) => file !== 'test/style.test.ts')
    .filter((file) => elsewhere.test(read(file)))
  assert.deepEqual(cited, [])
})

/** Longer than a file should be, and why that reads better than two. */
const tables: Readonly<Record<string, string>> = {
  'packages/cli/src/nouns/nouns.ts': 'every noun of the admin API at the command line',
  'packages/console/src/app/pages.ts': 'every page of the console',
  'packages/protocol/src/http/problem-types.ts': 'every problem type of the conventions',
  'packages/protocol/src/oauth/refusal.ts': 'every reason to refuse, with its status, code and text',
  'packages/protocol/src/registration/client-fields.ts': 'every field of client metadata',
  'packages/server/src/config/settings.ts': 'every setting',
}

test('no file is longer than 250 lines, but for tables', () => {
  const long = packageSources.filter((file) => linesOf(file) > 250)
  assert.deepEqual(long, Object.keys(tables))
})

test('half of all files have at most 80 lines', () => {
  const lengths = packageSources.map(linesOf).toSorted((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0
  assert.ok(median <= 80, `the median is ${median}`)
})

/** Lists of what there is, and roots that put everything together: they import much because that is what they are. */
const listsAndRoots: Readonly<Record<string, string>> = {
  'packages/api/src/serve/resource-server.ts': 'composes an API',
  'packages/authority/src/admin/admin.ts': 'the list of what is administered',
  'packages/authority/src/authority.ts': 'composes the authority',
  'packages/authority/src/browser.ts': 'the list of what a browser can ask',
  'packages/cli/src/commands/index.ts': 'the list of commands',
  'packages/console/src/app/pages.ts': 'the list of pages of the console, with the words of each',
  'packages/console/src/main.tsx': 'composes the console',
  'packages/server/src/admin/api.ts': 'the list of collections',
  'packages/server/src/compose.ts': 'composes the deployment',
  'packages/server/src/routes/index.ts': 'the list of routes',
  'packages/store/src/contract/store.ts': 'the contract, from one file for each of its parts',
  'packages/store/src/drivers/engine-store.ts': 'composes the store over a driver',
  'packages/store/src/verbs/index.ts': 'the list of verbs',
}

test('no file has more than 15 imports, but for lists and composition roots', () => {
  const many = packageSources.filter((file) => importCount(read(file)) > 15)
  assert.deepEqual(many, Object.keys(listsAndRoots))
})

test('no folder has more than 20 files', () => {
  const counts = Map.groupBy(packageSources, dirname)
  const crowded = [...counts]
    .filter(([, files]) => files.length > 20)
    .map(([folder, { length }]) => `${folder} ${length}`)
  assert.deepEqual(crowded, [])
})

const linesOf = (file: string): number => read(file).trimEnd().split('\n').length
