/** `node bench/list.ts`: the first and the ten thousandth page of a million orders, through the whole API. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { resourceServer } from '@grantor/api'
import { type TestClient, testClient } from '@grantor/api/testing'
import { orders, OrdersTable, orderV1 } from '@grantor/demo'
import { createValidator } from '@grantor/resource'
import { createTestIssuer } from '@grantor/resource/testing'
import { temporaryFolder } from '../interop/server.ts'
import { keepReport } from './report.ts'
import { median, quantile, rounded } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rows = values.quick ? 100_000 : 1_000_000
const far = values.quick ? 1_000 : 10_000
const size = 50
const samples = values.quick ? 200 : 1_000
/** The default order; an order with many ties; a filter without an index. */
const queries = ['', 'sort=total', 'status[ne]=shipped']
const audience = 'https://orders.bench.example'

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const folder = stack.use(temporaryFolder())
const file = join(folder.path, 'orders.db')
const table = stack.adopt(new OrdersTable(file), (it) => it.close())

say(`${rows} orders`)
fill()
const client = served()
const authorization = `Bearer ${client.issuer.mint({ scope: 'orders:read', expiresIn: 3600 })}`

const results = []
for (const query of queries) results.push(await compare(query))
const report = {
  rows,
  page_size: size,
  samples,
  results,
  targets: {
    [`page ${far} within 2 times of page 1, in every order`]: results.every(({ ratio }) => ratio <= 2 && ratio >= 0.5),
  },
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('list', report)

/** Ids are random, as in the API, so the rows of a page are spread over the table. */
function fill(): void {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA cache_size = -400000')
    database
      .prepare(`
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
      INSERT INTO orders (tenant, owner, id, version, status, items, total, note, created_at, updated_at)
      SELECT 'default', 'dev-user', id, id, status, '[{"sku":"tea-green-100g","qty":2}]', total, NULL, at, at FROM (
        SELECT 'ord_' || lower(hex(randomblob(16))) AS id,
          CASE n % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'paid' ELSE 'shipped' END AS status,
          abs(random()) % 10000 AS total,
          strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + n / 4.0, 'unixepoch') AS at
        FROM numbers)`)
      .run(rows)
  } finally {
    database.close()
  }
}

/** The collection of the demo, without the quota, which one caller would use up after 600 pages. */
function served(): TestClient {
  const { trust, issuer } = createTestIssuer({ audience })
  const validator = createValidator({ audience, issuers: [trust] })
  const api = resourceServer({
    name: 'Orders',
    audience,
    issuers: [issuer],
    validator,
    versions: [{ name: 'v1', collections: [orders(table, orderV1)] }],
    limits: { client: null },
  })
  return testClient(api)
}

interface Page {
  readonly next: string
  readonly milliseconds: number
}

async function page(url: string): Promise<Page> {
  const began = performance.now()
  const answer = await client({ url, headers: { authorization } })
  const milliseconds = performance.now() - began
  const { items, next } = answer.json() as { readonly items?: readonly unknown[]; readonly next?: string }
  if (items?.length !== size || next === undefined) throw new Error(`no whole page at ${url}: ${answer.status}`)
  return { next, milliseconds }
}

async function compare(query: string) {
  const first = `/v1/orders${query === '' ? '' : `?${query}`}`
  say(`/v1/orders ${query}: ${far} pages by their cursors`)
  let url = first
  const walked: number[] = []
  for (let n = 1; n < far; n++) {
    const { next, milliseconds } = await page(url)
    walked.push(milliseconds)
    url = next
  }
  // In turns, so that a disturbance affects both.
  const near: number[] = []
  const distant: number[] = []
  for (let n = 0; n < samples; n++) {
    near.push((await page(first)).milliseconds)
    distant.push((await page(url)).milliseconds)
  }
  const ratio = rounded(median(distant) / median(near), 2)
  say(`  page 1 ${rounded(median(near), 3)} ms, page ${far} ${rounded(median(distant), 3)} ms, ratio ${ratio}`)
  return {
    query,
    page_1_ms: quantiles(near),
    [`page_${far}_ms`]: quantiles(distant),
    ratio,
    /** Each page is read once, so its rows are not in a cache from an earlier request. */
    walked_ms: { first_tenth: quantiles(walked.slice(0, far / 10)), last_tenth: quantiles(walked.slice(-far / 10)) },
  }
}

function quantiles(milliseconds: readonly number[]) {
  const ascending = milliseconds.toSorted((a, b) => a - b)
  const at = (q: number): number => rounded(quantile(ascending, q), 3)
  return { p50: at(0.5), p99: at(0.99) }
}
