/**
 * Fills a database with copies of what the server itself wrote: one row of each table is the pattern, of which only the
 * keys differ, and events go through the store's own verb, which links and seals them. All that a copy is found by can
 * be told from its number, so that it can be used afterwards.
 */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type NewEvent, type SealedEvent } from '@grantor/protocol/events'
import { secretPrefix } from '@grantor/protocol/oauth'
import { defaultTenant, type EventId, type Instant, type TenantId } from '@grantor/protocol/types'
import { compose, loadSettings } from '@grantor/server'
import type { Store } from '@grantor/store'
import { Client } from 'pg'
import type { Environment } from '../../interop/server.ts'
import { person } from '../contestants/web-client.ts'

export interface Size {
  readonly grants: number
  readonly people: number
  readonly events: number
}

/** 43 characters, as 256 bits have. */
const digits = 43

/** The refresh token of a grant that is good. */
export const refreshTokenOf = (grant: number): string => `${secretPrefix.refresh}${String(grant).padStart(digits, '0')}`

export const usernameOf = (person: number): string => `person${person}`
export const subjectOf = (person: number): string => uuid(familyOf.person, person.toString(16).padStart(12, '0'))

/** What tells the ids of one table from those of another; they look as the server's do. */
const familyOf = { person: 'a', session: 'b', grant: 'c', consent: 'd' } as const
const uuid = (family: string, hexadecimal: string): string => `01900000-0000-7000-800${family}-${hexadecimal}`

/** What the two databases write differently, of SQL over the number `i`. */
interface Dialect {
  hexadecimal(of: string): string
  padded(prefix: string, of: string): string
  handleOf(text: string): string
}

const postgresDialect: Dialect = {
  hexadecimal: (of) => `lpad(to_hex(${of}), 12, '0')`,
  padded: (prefix, of) => `'${prefix}' || lpad((${of})::text, ${digits}, '0')`,
  handleOf: (text) => `translate(rtrim(encode(sha256(convert_to(${text}, 'UTF8')), 'base64'), '='), '+/', '-_')`,
}

const sqliteDialect: Dialect = {
  hexadecimal: (of) => `printf('%012x', ${of})`,
  padded: (prefix, of) => `printf('${prefix}%0${digits}d', ${of})`,
  handleOf: (text) => `handle_of(${text})`,
}

/** Copies of one row: the columns that differ, as SQL over the number `i`. */
interface Copies {
  readonly table: string
  /** Which row is the pattern, where there are several kinds. */
  readonly pattern?: string
  readonly rows: number
  readonly columns: Readonly<Record<string, string>>
}

/** A tenth as many people as grants; each has one session, and of each grant there are a consent, a code and two refresh tokens. */
function copiesFor({ grants, people }: Size, { hexadecimal, padded, handleOf }: Dialect): readonly Copies[] {
  const id = (family: keyof typeof familyOf, of: string): string =>
    `'${uuid(familyOf[family], '')}' || ${hexadecimal(of)}`
  const itsPerson = `(i % ${people} + 1)`
  const secret = (prefix: string, of: string): string => handleOf(padded(prefix, of))
  const good = secret(secretPrefix.refresh, 'i')
  return [
    {
      table: 'users',
      pattern: `username_key = '${person.username}'`,
      rows: people,
      columns: { id: id('person', 'i'), username: `'person' || i`, username_key: `'person' || i` },
    },
    {
      table: 'sessions',
      rows: people,
      columns: {
        id: id('session', 'i'),
        handle: secret(secretPrefix.session, 'i'),
        browser: secret(secretPrefix.browser, 'i'),
        subject: id('person', 'i'),
      },
    },
    {
      table: 'session_parties',
      rows: people,
      columns: { session_id: id('session', 'i'), sid: id('session', 'i'), sub: id('person', 'i') },
    },
    {
      table: 'interactions',
      rows: people,
      columns: { handle: secret(secretPrefix.interaction, 'i'), browser: secret(secretPrefix.browser, 'i') },
    },
    {
      table: 'grants',
      rows: grants,
      columns: { id: id('grant', 'i'), subject: id('person', itsPerson), session_id: id('session', itsPerson) },
    },
    {
      table: 'consents',
      rows: grants,
      columns: { id: id('consent', 'i'), subject: id('person', itsPerson), grant_id: id('grant', 'i') },
    },
    { table: 'codes', rows: grants, columns: { handle: secret(secretPrefix.code, 'i'), grant_id: id('grant', 'i') } },
    {
      table: 'refresh_tokens',
      pattern: 'spent_at is not null',
      rows: grants,
      columns: { handle: secret(secretPrefix.refresh, '-i'), successor: good, grant_id: id('grant', 'i') },
    },
    {
      table: 'refresh_tokens',
      pattern: 'spent_at is null',
      rows: grants,
      columns: { handle: good, grant_id: id('grant', 'i') },
    },
  ]
}

const insertion = ({ table, pattern, columns }: Copies, all: readonly string[], numbers: string): string =>
  `insert into ${table} (${all.join(', ')}) select ${all.map((name) => columns[name] ?? `p.${name}`).join(', ')}
    from ${numbers}, (select * from ${table} ${pattern === undefined ? '' : `where ${pattern}`} limit 1) p`

export function fillSqlite(folder: string, size: Size): void {
  using file = new DatabaseSync(join(folder, 'grantor.db'))
  file.exec('pragma cache_size = -400000; pragma synchronous = off; pragma foreign_keys = off')
  file.function('handle_of', { deterministic: true }, (text) => hash('sha256', String(text), 'base64url'))
  for (const copies of copiesFor(size, sqliteDialect)) {
    const columns = file.prepare(`pragma table_info(${copies.table})`).all() as { readonly name: string }[]
    const numbers = `(with recursive t(i) as (select 1 union all select i + 1 from t where i < ${copies.rows}) select i from t) n`
    file.exec(
      insertion(
        copies,
        columns.map(({ name }) => name),
        numbers,
      ),
    )
  }
}

export async function fillPostgres(url: string, size: Size): Promise<void> {
  const client = new Client({ connectionString: url, options: '-c search_path=grantor' })
  await client.connect()
  try {
    // Foreign keys hold by how the copies are made; to look each one up would take as long as the copying.
    await client.query('set session_replication_role = replica; set synchronous_commit = off')
    for (const copies of copiesFor(size, postgresDialect)) {
      const { rows } = await client.query<{ readonly name: string }>(
        `select column_name as name from information_schema.columns
          where table_schema = 'grantor' and table_name = $1 and is_generated = 'NEVER'`,
        [copies.table],
      )
      await client.query(
        insertion(
          copies,
          rows.map(({ name }) => name),
          `generate_series(1, ${copies.rows}) as n (i)`,
        ),
      )
    }
  } finally {
    await client.end()
  }
}

/** What PostgreSQL does by itself after a while, done now: so that nothing of the filling is left to do. */
export async function settlePostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url, options: '-c search_path=grantor' })
  await client.connect()
  try {
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** So many events a verb, and so many verbs at a time. */
const perVerb = 50
const underWay = 16
/** The notary takes what waits in batches; it is not left to have too much. */
const betweenSeals = 40_000

/** Copies of the events that have a grant, with the ids of the copies; written and sealed as the server does it. */
export async function writeEvents(environment: Environment, data: string, size: Size): Promise<void> {
  const loaded = loadSettings({ flags: {}, env: { ...environment, GRANTOR_DATA: data }, cwd: data })
  if (loaded.kind === 'error') throw new Error(loaded.error.join('\n'))
  const deployment = await compose(loaded.value.settings)
  try {
    const { events } = deployment.store
    const written = await events.after(defaultTenant as TenantId, 0, 200)
    const patterns = written.filter(({ grantId, subject }) => grantId !== null && subject !== null)
    if (patterns.length === 0) throw new Error('no event speaks of a grant')
    for (let n = 0; n < size.events; n += betweenSeals) {
      await appendCopies(events, patterns, { from: n, to: Math.min(size.events, n + betweenSeals), size })
      await events.position()
    }
  } finally {
    await deployment.close()
  }
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly size: Size
}

async function appendCopies(
  events: Store['events'],
  patterns: readonly SealedEvent[],
  { from, to, size }: Stretch,
): Promise<void> {
  let next = from
  const writer = async (): Promise<void> => {
    while (next < to) {
      const [first, last] = [next, Math.min(to, next + perVerb)]
      next = last
      await events.append(Array.from({ length: last - first }, (_, k) => copyOf(patterns, first + k, size)))
    }
  }
  await Promise.all(Array.from({ length: underWay }, writer))
}

function copyOf(patterns: readonly SealedEvent[], n: number, { grants, people }: Size): NewEvent {
  const { seq: _seq, pos: _pos, ...pattern } = patterns[n % patterns.length] as SealedEvent
  const grant = (n % grants) + 1
  return {
    ...pattern,
    id: uuid('e', n.toString(16).padStart(12, '0')) as EventId,
    at: Date.now() as Instant,
    subject: subjectOf((grant % people) + 1),
    grantId: uuid(familyOf.grant, grant.toString(16).padStart(12, '0')) as NewEvent['grantId'],
  }
}
