/**
 * Every list of the admin API with every filter that it declares: what it asks of the database goes by an index, and
 * reads about a page, however much a tenant has. What is asked is taken down as the lists ask it, so that a list or a
 * filter that is added is looked at, too.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite'
import { before, describe, mock, test, type TestContext } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { openPostgres } from '@grantor/store/postgres'
import pg from 'pg'
import { operatorApi } from '../../src/admin/operator/operator-api.ts'
import { sqliteFile } from '../../src/compose-store.ts'
import { operator, startFeedDeployment } from '../feed/feed-deployment.ts'
import { common, fillTables } from './large-tables.ts'

interface Question {
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

interface Asked extends Question {
  /** How SQLite goes about it. */
  readonly plan: readonly string[]
}

interface AskedList {
  readonly target: string
  /** What it is filtered by; null where it is not. */
  readonly value: string | null
  readonly statements: readonly Asked[]
}

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
}

/** As the description of the API has them. */
interface Parameter {
  readonly name: string
  readonly schema: Schema
}
type Paths = Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>

/** No row has it: whoever looks for it without an index looks at all of them. */
const none = 'none'

function valuesOf({ type, format, enum: words, items }: Schema): readonly string[] {
  if (items !== undefined) return valuesOf(items)
  if (words !== undefined) return [String(words[0])]
  if (type === 'boolean') return ['true']
  if (type === 'integer') return ['1']
  return format === 'date-time' ? [new Date(Date.now() - 3_600_000).toISOString()] : [none, common]
}

const notFilters = new Set(['limit', 'cursor', 'sort', 'fields'])

/** Every list as it is, and by each of its filters: for what no row has, and what half of them have. */
const targetsOf = (paths: Paths): readonly (readonly [target: string, value: string | null])[] =>
  Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || !/^\/v1\/[a-z-]+$/.test(path)) return []
    const filters = (get.parameters ?? []).filter(({ name }) => !notFilters.has(name))
    return [
      [path, null] as const,
      ...filters.flatMap(({ name, schema }) =>
        valuesOf(schema).map((value) => [`${path}?${name}=${encodeURIComponent(value)}`, value] as const),
      ),
    ]
  })

/**
 * Two at once, each with what the list is to be found by: of the other, half of all rows have it. The rest are pairs of
 * two that many may have.
 */
const pairs: readonly (readonly [target: string, value: string])[] = [
  ...['group_id', 'role'].flatMap((held) =>
    ['username', 'email'].map((by) => [`/v1/users?${held}=${common}&${by}=${none}`, none] as const),
  ),
  [`/v1/users?email=${common}&username=${none}`, none],
  ...['member', 'role', 'external_id', 'name[prefix]'].map(
    (held) => [`/v1/groups?${held}=${common}&name=${none}`, none] as const,
  ),
  ...['member', 'role'].map((held) => [`/v1/groups?${held}=${common}&external_id=${none}`, none] as const),
]

const getting = (target: string) => ({ method: 'GET', target, headers: {}, body: null })
const posting = (target: string, body: object) => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Each list once, with all that it asked of the database meanwhile. */
async function takeDown(): Promise<readonly AskedList[]> {
  await using it = await startFeedDeployment('sqlite')
  const tenant = 'default' as TenantId
  const api = operatorApi(it.deployment, { actor: operator, tenant, onError: (error) => assert.fail(String(error)) })
  const { paths } = JSON.parse((await api.handle(getting('/openapi.json'))).body) as { readonly paths: Paths }
  const hook = { url: 'https://hooks.example/', events: ['client.*'] }
  const made = await it.deployment.authority.admin.webhooks.create(operator, tenant, hook)
  assert.ok(made.kind === 'ok')
  const { id } = made.value.webhook
  const requests = [
    ...[...targetsOf(paths), ...pairs].map(([target, value]) => ({ ...getting(target), value })),
    // Those that are asked for by an action.
    { ...posting('/v1/users/invitations', {}), value: null },
    { ...posting(`/v1/webhooks/${id}/deliveries`, {}), value: id },
    { ...posting(`/v1/webhooks/${id}/deliveries`, { state: 'dead' }), value: 'dead' },
  ]
  using heard = listening()
  const lists: (Omit<AskedList, 'statements'> & { readonly statements: readonly Question[] })[] = []
  for (const { value, ...request } of requests) {
    heard.statements.length = 0
    const answer = await api.handle(request)
    assert.equal(answer.status, 200, `${request.target}: ${answer.body}`)
    lists.push({ target: request.target, value, statements: [...heard.statements] })
  }
  heard[Symbol.dispose]()
  await api.close()
  using file = new DatabaseSync(sqliteFile(it.deployment.settings))
  return lists.map((list) => ({
    ...list,
    statements: list.statements.map((it) => ({ ...it, plan: planIn(file, it) })),
  }))
}

/** What is read in this thread; the lists only read. */
function listening(): Disposable & { readonly statements: Question[] } {
  const statements: Question[] = []
  const { all } = StatementSync.prototype
  const { mock: heard } = mock.method(
    StatementSync.prototype,
    'all',
    function (this: StatementSync, ...values: SQLInputValue[]) {
      statements.push({ text: this.sourceSQL, values })
      return Reflect.apply(all, this, values) as ReturnType<typeof all>
    },
  )
  return { statements, [Symbol.dispose]: () => heard.restore() }
}

const planIn = (file: DatabaseSync, { text, values }: Question): readonly string[] =>
  file
    .prepare(`explain query plan ${text}`)
    .all(...values)
    .map(({ detail }) => String(detail))

/**
 * What operators make by hand: read as a whole, into the memory that tokens are issued from, or because there is a most
 * of it (keys, receivers of events).
 */
const readWhole = new Set([
  'authorization_details_types',
  'event_receivers',
  'keys',
  'resources',
  'roles',
  'scopes',
  'tenants',
])
const tableOf = (text: string): string => /\bfrom \(?(?:select \* from )?(\w+)/.exec(text)?.[1] ?? ''

/** What a statement makes for itself, and reads to its end. */
const ownRows = /^SCAN (?:\d+[- ]|CONSTANT|[a-z]$)/

function sqliteProblem({ text, values, plan }: Asked, value: string | null): string | null {
  if (plan.some((detail) => detail.startsWith('SCAN') && !ownRows.test(detail))) return 'scans'
  if (readWhole.has(tableOf(text))) return null
  if (plan.some((detail) => /^SEARCH .*\(tenant=\?\)/.test(detail)) && plan.includes('USE TEMP B-TREE FOR ORDER BY'))
    return 'sorts all that the tenant has'
  const column = values
    .flatMap((it, at) =>
      it === value ? [new RegExp(String.raw`(\w+) = (?:coalesce\()?\?${at + 1}\b`).exec(text)?.[1]] : [],
    )
    .find((it) => it !== undefined)
  return column === undefined || plan.some((detail) => detail.includes(`${column}=?`)) ? null : `not by ${column}`
}

interface PostgresNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PostgresNode[]
}

/** All that was read of a table to answer, and not only what was answered. */
function rowsRead(node: PostgresNode): readonly (readonly [table: string, rows: number])[] {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  const table = node['Relation Name']
  return [...(table === undefined ? [] : [[table, rows] as const]), ...(node.Plans ?? []).flatMap(rowsRead)]
}

/** As many as the longest list shows at once (invitations). */
const most = 1000

describe('lists of the admin API', () => {
  let lists: readonly AskedList[]
  before(async () => {
    lists = await takeDown()
  })

  test('all are taken down with what they ask', () => {
    const asking = new Set(
      lists.flatMap(({ target, statements }) => (statements.length > 0 ? [target.split('?')[0]] : [])),
    )
    // In memory on SQLite, or of this process: locks, settings, operations.
    for (const noun of ['users', 'groups', 'clients', 'api-keys', 'grants', 'consents', 'sessions', 'devices', 'mails'])
      assert.ok(asking.has(`/v1/${noun}`), noun)
    assert.ok(lists.length > 100, String(lists.length))
  })

  test('on SQLite each is read by an index, and a filter by one of its own', () => {
    const broad = lists.flatMap(({ target, value, statements }) =>
      statements.flatMap((it) => {
        const problem = sqliteProblem(it, value)
        return problem === null ? [] : [`${target} ${problem}: ${it.plan.join('; ')}`]
      }),
    )
    assert.deepEqual(broad, [])
  })

  test('on PostgreSQL none reads more than a few pages of a table', async (t) => {
    const client = await largeSchema(t)
    const broad: string[] = []
    for (const { target, statements } of lists)
      for (const { text, values } of statements) {
        const explained = `explain (analyze, format json) ${text.replaceAll(/\?(\d+)/g, '$$$1')}`
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PostgresNode }] }>(explained, [...values])
        const [plan] = rows[0]?.['QUERY PLAN'] ?? []
        assert.ok(plan !== undefined)
        for (const [table, read] of rowsRead(plan.Plan))
          if (read > most && !readWhole.has(table)) broad.push(`${target} reads ${read} of ${table}: ${text}`)
      }
    assert.deepEqual(broad, [])
  })
})

async function largeSchema(t: TestContext): Promise<pg.Client> {
  const url = process.env['GRANTOR_TEST_DATABASE_URL'] ?? ''
  const schema = `plans_${randomBytes(6).toString('hex')}`
  const key = new Uint8Array(32).fill(1)
  await (await openPostgres({ url, schema, auditKey: () => ({ key, sealed: key }), patience: 60_000 })).close()
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  t.after(async () => {
    await client.query(`drop schema ${schema} cascade`)
    await client.end()
  })
  await fillTables(client)
  // Of a table of this size all would be read at once for a join; of a large one it would not.
  for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) await client.query(`set enable_${way} = off`)
  return client
}
