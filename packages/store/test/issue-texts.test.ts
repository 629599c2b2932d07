/** `tokens.issue` is written more than once, for speed: whatever it is given, every text answers and leaves the same. */
import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import type { Engine } from '../src/drivers/engine.ts'
import { readAddress } from '../src/drivers/postgres/address.ts'
import { clientConfig } from '../src/drivers/postgres/connection.ts'
import { postgresEngine } from '../src/drivers/postgres/engine.ts'
import { batchable, issueBatches } from '../src/drivers/postgres/batching/issue-batches.ts'
import { ConnectionPool } from '../src/drivers/postgres/pool.ts'
import { PrimaryFinder } from '../src/drivers/postgres/primary.ts'
import { runVerb } from '../src/drivers/postgres/run-verb.ts'
import { sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import { messageOf } from '../src/drivers/sqlite/worker-message.ts'
import { verbOf } from '../src/verbs/index.ts'
import type { Issuance } from '../src/verbs/tokens/tokens.ts'
import type { Row, Verb } from '../src/verbs/verb.ts'
import { openAuditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'
import { issuances } from './support/issue-inputs.ts'

/** What a text does with an issuance; null where it is not for it, and the verb is run instead. */
type IssueText = (it: Issuance) => Promise<unknown> | null

interface OpenTexts {
  readonly engine: Engine
  readonly verb: (it: Issuance) => Promise<unknown>
  readonly apart?: { readonly failed: number; readonly alone: number }
  readonly texts: Readonly<Record<string, IssueText>>
}

async function sqliteTexts(t: TestContext): Promise<OpenTexts> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-issue-'))
  const engine = await sqliteEngine({ path: join(folder, 'grantor.db'), auditKey: openAuditKey })
  t.after(() => engine.close().then(() => rmSync(folder, { recursive: true })))
  const call = { kind: 'verb', name: 'tokens.issue', breakAt: null, calledAt: 0 } as const
  return {
    engine,
    // A call with a step to break at, here behind its end, is sent as it is.
    verb: (it) => engine.run('tokens.issue', [it], 1_000),
    texts: {
      'a plain message': (it) =>
        messageOf({ ...call, args: [it] }).kind !== 'verb' ? engine.run('tokens.issue', [it]) : null,
    },
  }
}

async function postgresTexts(t: TestContext): Promise<OpenTexts> {
  const { url, schema, drop } = await freshSchema()
  const patience = 60_000
  const engine = await postgresEngine({ url, schema, auditKey: openAuditKey, patience })
  const target = { schema, patience, poolSize: 5, preparedStatements: true }
  const finder = new PrimaryFinder(readAddress(url), patience, (host) => clientConfig(target, host))
  const pool = new ConnectionPool(target, finder)
  t.after(async () => {
    await Promise.all([engine.close(), pool.end()])
    await drop()
  })
  // A batch that fails is issued one by one, and so is what a batch left out: neither may hide that batches do nothing.
  const apart = { failed: 0, alone: 0 }
  const issueInBatch = issueBatches(
    {
      changes: {
        query: (it: never) =>
          pool.query(it).catch((error: unknown) => ((apart.failed += 1), Promise.reject(error as Error))),
      },
      begin: (text: string) => ((apart.alone += 1), pool.begin(text)),
    } as never,
    patience,
  )
  return {
    engine,
    apart,
    verb: (it) => runVerb(pool, () => verbOf('tokens.issue', [it])),
    texts: {
      'many in one statement': (it) => {
        const batch = batchable('tokens.issue', [it])
        return batch && issueInBatch(batch)
      },
    },
  }
}

async function rowsLeft(engine: Engine): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows: Record<string, readonly string[]> = {}
  await engine.position()
  for (const from of [
    'codes',
    'refresh_tokens',
    'device_codes',
    'grants',
    'opaque_tokens',
    'used_proofs',
    'status_entries',
    'events',
  ]) {
    const columns = from === 'events' ? 'tenant, at, feed, subject, body' : '*'
    const found = await engine.read(
      (function* (): Verb<readonly Row[]> {
        return yield { do: 'sql', text: `select ${columns} from ${from}`, values: [] }
      })(),
    )
    const plain = (value: unknown) => (value instanceof Uint8Array ? [...value] : value)
    rows[from] = found
      .map((row) =>
        JSON.stringify(
          Object.keys(row)
            .sort()
            .map((name) => [name, plain(row[name])]),
        ),
      )
      // That the tenant was made has another id each time.
      .filter((row) => !row.includes('admin.tenant_changed'))
      .sort()
  }
  return rows
}

interface Done {
  readonly answers: readonly unknown[]
  readonly rows: Readonly<Record<string, readonly string[]>>
  /** The answers of the text itself, and how many of them were refusals. */
  readonly given: ReadonlySet<unknown>
  readonly refused: number
}

async function issueAll({ engine, verb }: OpenTexts, text: IssueText): Promise<Done> {
  const given = new Set<unknown>()
  let refused = 0
  const issue = async (it: Issuance): Promise<unknown> => {
    const issued = text(it)
    const answer = await (issued ?? verb(it))
    if (issued !== null) given.add(answer)
    if (issued !== null && answer !== 'committed') refused += 1
    return answer
  }
  const all = await issuances(storeFromEngine(engine))
  return { answers: await Promise.all(all.map(issue)), rows: await rowsLeft(engine), given, refused }
}

test('every text of tokens.issue gives the same answers and leaves the same rows', async (t) => {
  const bySqlite = await sqliteTexts(t)
  const { given, refused: _, ...expected } = await issueAll(bySqlite, bySqlite.verb)
  const every = new Set(['committed', 'stale', 'already-spent', 'grant-dead', 'proof-used'])
  deepEqual(given, every)
  const ways = [
    { name: 'a plain message', open: sqliteTexts, answers: new Set(['committed', 'stale', 'proof-used']) },
    { name: 'the verb', open: postgresTexts, answers: every },
    { name: 'many in one statement', open: postgresTexts, answers: every },
  ]
  for (const { name, open, answers } of ways) {
    const opened = await open(t)
    const { given: its, refused, ...done } = await issueAll(opened, opened.texts[name] ?? opened.verb)
    deepEqual(done, expected, name)
    deepEqual(its, answers, name)
    if (name === 'many in one statement') deepEqual(opened.apart, { failed: 0, alone: refused })
  }
})
