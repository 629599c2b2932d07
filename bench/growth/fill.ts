/**
 * Fills a database with copies of rows that the server itself wrote: one row per table is the pattern, and only the
 * keys differ. Events go through the store's own verb, which links and seals them. All keys of a copy follow from its
 * number, so that it can be used afterwards.
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

/** 256 bits in base64url have 43 characters. */
const digits = 43

/** The valid refresh token of a grant. */
export const refreshTokenOf = (grant: number): string => `${secretPrefix.refresh}${String(grant).padStart(digits, '0')}`

export const usernameOf = (person: number): string => `person${person}`
export const subjectOf = (person: number): string => uuid(familyOf.person, person.toString(16).padStart(12, '0'))

/** Distinguishes the ids of the tables, which have the form of the server's ids. */
const familyOf = { person: 'a', session: 'b', grant: 'c', consent: 'd' } as const
const uuid = (family: string, hexadecimal: string): string => `01900000-0000-7000-800${family}-${hexadecimal}`

/** Where the SQL over the number `i` differs between the two databases. */
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
  /** A condition that selects the pattern row if there are several kinds. */
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
    // The copies satisfy all foreign keys; checking each would take as long as the copying.
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

/** Runs PostgreSQL's deferred maintenance now, so that the filling leaves no work for the measurement. */
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

/** Events per verb, and verbs at the same time. */
const perVerb = 50
const underWay = 16
/** Events between two waits for the notary, which seals in batches and must not fall too far behind. */
const betweenSeals = 40_000

/** Copies the events of a grant with the ids of the copies, written and sealed as the server does it. */
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
