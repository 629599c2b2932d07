/** The map is a test: the pages in docs/ say what the code says. */
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endpointPath } from '@grantor/protocol/documents'
import { encodeEvent, eventNames, feedEvents, personOf } from '@grantor/protocol/events'
import { type Refusal, refusalReasons, refusalResponse } from '@grantor/protocol/oauth'
import type { EventId, GrantId, Instant, TenantId, TokenId } from '@grantor/protocol/types'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The rows of a table whose first cell is a name in backticks. */
const rowsIn = (page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

const bare = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '')

test('docs/errors.md has every reason once, with the status and error that refusalResponse() gives it', () => {
  const rows = rowsIn(read('docs/errors.md'))
  assert.ok(refusalReasons.length > 50)
  assert.deepEqual(new Set(rows.map(([reason]) => bare(reason))), new Set<string>(refusalReasons))
  assert.equal(rows.length, refusalReasons.length)
  for (const [reason = '', status, error, when = ''] of rows) {
    const limit = { name: 'x', quota: 1, window: 1 }
    const known = { name: 'x', allow: 'GET', challenge: true, limit, retryAfter: 1, field: 'x', problem: 'is x' }
    const refusal = { reason: bare(reason), ...known } as Refusal
    const response = refusalResponse(refusal)
    assert.deepEqual([Number(status), bare(error)], [response.status, response.error], reason)
    assert.match(when, /\.$/, reason)
  }
})

test('docs/events.md has every event once, and says which are fed to validators and shown to people', () => {
  const rows = rowsIn(read('docs/events.md')).filter(([name]) => bare(name).includes('.'))
  assert.deepEqual(
    rows.map(([name]) => bare(name)),
    [...eventNames],
  )
  for (const [[cell = '', when = '', , feed, activity], name] of rows.map((row, i) => [row, eventNames[i]] as const)) {
    assert.ok(name !== undefined)
    assert.equal(feed === 'feed', feedEvents.has(name), cell)
    assert.equal(activity === 'activity', personOf({ name, subject: 'somebody' }) !== null, cell)
    assert.match(when, /\.$/, cell)
  }
})

test('docs/storage.md has every table once, and none that is gone', () => {
  const schema = ['sqlite', 'postgres'].flatMap((dialect) => {
    const folder = new URL(`../packages/store/src/schema/${dialect}/`, import.meta.url)
    return readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  })
  const change = /^create (?:unlogged )?table (\w+)|^drop table (\w+)|^alter table (\w+) rename to (\w+)/gim
  // The lists of what was applied are made before the first of them.
  const tables = new Set(['migrations', 'migration_work'])
  for (const [, made, dropped, renamed, to] of schema.flatMap((text) => [...text.matchAll(change)])) {
    tables.delete(dropped ?? renamed ?? '')
    const added = made ?? to
    if (added !== undefined) tables.add(added)
  }
  const rows = rowsIn(read('docs/storage.md').split('## Secrets at rest')[0] ?? '').map(([name]) => bare(name))
  assert.deepEqual(new Set(rows), tables)
  assert.equal(rows.length, new Set(rows).size)
})

test('docs/events.md has every field of an entry, in its order', () => {
  const whole = encodeEvent({
    id: 'id' as EventId,
    tenant: 'default' as TenantId,
    at: 1 as Instant,
    name: 'token.issued',
    actor: { kind: 'user', id: 'a' },
    subject: 's',
    clientId: 'c',
    grantId: 'g' as GrantId,
    jti: 'j' as TokenId,
    scope: 's',
    reason: 'r',
    ip: 'i',
    traceId: 't',
    data: {},
  })
  const fields = rowsIn(read('docs/events.md'))
    .map(([name]) => bare(name))
    .filter((name) => !name.includes('.'))
  assert.deepEqual(fields, Object.keys(JSON.parse(whole) as object))
})

test('docs/promises.md names a test for every promise', () => {
  const rows = read('docs/promises.md').split('\n')
  const promises = rows.filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  assert.ok(promises.length > 30)
  for (const row of promises) assert.match(row, /`[^`]+\.test\.ts`/)
})

test('no page names a file that is not there', () => {
  const pages = ['*.md', 'docs/**/*.md', 'bench/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:packages|test|e2e|interop|bench|scripts|docs)\/[^`\s]+)`/g)]
      .filter(([, path = '']) => globSync(path, { cwd: root }).length === 0)
      .map(([, path]) => `${page} names ${path}`),
  )
  assert.deepEqual(missing, [])
})

test('docs/conventions.md names every endpoint that there is', () => {
  const page = read('docs/conventions.md')
  const served = Object.values(endpointPath).filter((path) => !['/par', '/status-lists'].includes(path))
  for (const path of served) assert.ok(page.includes(path.replace(/^\/revocations/, '')), path)
})

test('docs/security-advisories.md names tests that exist, by file and title, and a published identifier for every class', () => {
  const rows = read('docs/security-advisories.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('CVE-'))
    .map((line) => line.slice(2, -2).split(' | '))
  assert.ok(rows.length >= 25)
  for (const [name = '', seen = '', wrong = '', held = ''] of rows) {
    for (const id of seen.split(', ')) assert.match(id, /^CVE-20\d\d-\d{4,}$/, name)
    assert.notEqual(wrong, '', name)
    const [, file = '', title = ''] = /^`(.+\.test\.ts)`: (.+)$/.exec(held) ?? []
    const quoted = ["'", '`'].flatMap((mark) => [`test(${mark}${title}`, `describe(${mark}${title}`])
    const text = read(file)
    assert.ok(
      quoted.some((call) => text.includes(call)),
      `${name}: ${file} has no test called ${title}`,
    )
  }
})
