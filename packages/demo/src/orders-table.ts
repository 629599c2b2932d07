/** Orders in SQLite: every statement names a tenant and an owner, every change the version that it was based on. */
import { randomUUID } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type IdempotencyStore, type OperationStore, type PageQuery, pageSql, type StoredResource } from '@grantor/api'
import { sqliteIdempotency, sqliteOperations } from '@grantor/api/sqlite'
import type { Scalar } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { KeptOrder, KeptOrderBody } from './order.ts'

// NORMAL: a committed write survives a crash of the process; a power failure may lose the last ones. It is a demo.
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS orders (
    tenant TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
    status TEXT NOT NULL, items TEXT NOT NULL, total INTEGER NOT NULL, note TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    owner TEXT NOT NULL DEFAULT '', currency TEXT NOT NULL DEFAULT 'EUR',
    PRIMARY KEY (tenant, id)
  ) STRICT, WITHOUT ROWID;`

/** Columns added with the second version, for older files: their orders were in euros and had no owner. */
const added = {
  owner: `ALTER TABLE orders ADD COLUMN owner TEXT NOT NULL DEFAULT ''`,
  currency: `ALTER TABLE orders ADD COLUMN currency TEXT NOT NULL DEFAULT 'EUR'`,
}

const indexes = ['created_at', 'total'].flatMap((key) => [
  `CREATE INDEX IF NOT EXISTS orders_by_${key} ON orders (tenant, ${key}, id);`,
  `CREATE INDEX IF NOT EXISTS orders_of_owner_by_${key} ON orders (tenant, owner, ${key}, id);`,
])

/** The tenant and owner whose orders are read; `owner: null` means everybody's. */
export interface OrdersView {
  readonly tenant: string
  readonly owner: string | null
}

export interface OrderOwner extends OrdersView {
  readonly owner: string
}

export class OrdersTable {
  /** Idempotency keys, and operations that run later, in the same file as the orders. */
  readonly keys: IdempotencyStore
  readonly operations: OperationStore
  readonly #database: DatabaseSync
  readonly #find: StatementSync
  readonly #insert: StatementSync
  readonly #update: StatementSync
  readonly #remove: StatementSync
  /** One prepared statement per shape of query: there are few filters and sort orders. */
  readonly #pages = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec(schema)
    const known = new Set(
      this.#database
        .prepare('PRAGMA table_info(orders)')
        .all()
        .map(({ name }) => name),
    )
    for (const [column, sql] of Object.entries(added)) if (!known.has(column)) this.#database.exec(sql)
    this.#database.exec(indexes.join('\n'))
    this.keys = sqliteIdempotency(this.#database, { alone: true })
    this.operations = sqliteOperations(this.#database, { alone: true })
    this.#find = this.#database.prepare('SELECT * FROM orders WHERE tenant = ? AND id = ?')
    this.#insert = this.#database.prepare(
      `INSERT INTO orders (tenant, owner, id, version, status, items, total, currency, note, created_at, updated_at)
       VALUES (:tenant, :owner, :id, :version, :status, :items, :total, :currency, :note, :now, :now)
       ON CONFLICT DO NOTHING RETURNING *`,
    )
    this.#update = this.#database.prepare(
      `UPDATE orders SET version = :version, status = :status, items = :items, total = :total, currency = :currency,
         note = :note, updated_at = :now
       WHERE tenant = :tenant AND owner = :owner AND id = :id AND version = :expected RETURNING *`,
    )
    this.#remove = this.#database.prepare(
      'DELETE FROM orders WHERE tenant = ? AND owner = ? AND id = ? AND version = ? RETURNING id',
    )
  }

  /** Also null if the order belongs to somebody else. */
  find({ tenant, owner }: OrdersView, id: string): StoredResource<KeptOrder> | null {
    const found = entryOf(this.#find.get(tenant, id))
    return owner === null || found?.value.owner === owner ? found : null
  }

  /** null if the id is taken, whoever owns that order. */
  insert(by: OrderOwner, id: string, body: KeptOrderBody, now: Instant): StoredResource<KeptOrder> | null {
    return entryOf(this.#insert.get({ ...by, id, ...stored(body, now) }))
  }

  /** null if the order has another version by now, or belongs to somebody else. */
  update(
    at: OrderOwner & { id: string; expected: string },
    body: KeptOrderBody,
    now: Instant,
  ): StoredResource<KeptOrder> | null {
    return entryOf(this.#update.get({ ...at, ...stored(body, now) }))
  }

  remove({ tenant, owner }: OrderOwner, id: string, expected: string): boolean {
    return this.#remove.get(tenant, owner, id, expected) !== undefined
  }

  page(view: OrdersView, query: PageQuery, columns: Readonly<Record<string, string>>): StoredResource<KeptOrder>[] {
    const { where, order, values } = pageSql(query, columns)
    const [seen, bound] = visible(view)
    const sql = `SELECT * FROM orders WHERE ${seen} AND ${where} ORDER BY ${order} LIMIT ?`
    const rows = this.#prepared(sql).all(...bound, ...values.map(bindable), query.take)
    return rows.map(entryOf).filter((entry) => entry !== null)
  }

  count(view: OrdersView): number {
    const [seen, bound] = visible(view)
    const row = this.#prepared(`SELECT count(*) AS n FROM orders WHERE ${seen}`).get(...bound)
    return Number(row?.['n'] ?? 0)
  }

  /** Runs once per database file, at its first start, to insert sample orders. */
  async atFirstStart(fill: (insert: OrdersTable['insert']) => Promise<void>): Promise<void> {
    const [{ user_version: begun } = { user_version: 0 }] = this.#database.prepare('PRAGMA user_version').all()
    if (begun !== 0) return
    const rows: Parameters<OrdersTable['insert']>[] = []
    await fill((...row) => {
      rows.push(row)
      return null
    })
    this.#database.exec('BEGIN')
    for (const row of rows) this.insert(...row)
    this.#database.exec('PRAGMA user_version = 1; COMMIT')
  }

  close(): void {
    this.#database.close()
  }

  #prepared(sql: string): StatementSync {
    const held = this.#pages.get(sql) ?? this.#database.prepare(sql)
    if (this.#pages.size < 200) this.#pages.set(sql, held)
    return held
  }
}

const visible = ({ tenant, owner }: OrdersView): readonly [string, readonly string[]] =>
  owner === null ? ['tenant = ?', [tenant]] : ['tenant = ? AND owner = ?', [tenant, owner]]

const bindable = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value)

function stored(body: KeptOrderBody, now: Instant) {
  return {
    // A new random version for every change, so that no version repeats, not even if a deleted id is used again.
    version: randomUUID(),
    status: body.status,
    items: JSON.stringify(body.items),
    total: body.total,
    currency: body.currency,
    note: body.note ?? null,
    now: new Date(now).toISOString(),
  }
}

type Row = Readonly<Record<'tenant' | 'version' | 'items', string>> &
  Omit<KeptOrder, 'items' | 'note'> & { readonly note: string | null }

function entryOf(found: unknown): StoredResource<KeptOrder> | null {
  if (found === undefined) return null
  const { tenant, version, note, ...row } = found as Row
  return {
    tenant,
    version,
    modifiedAt: Date.parse(row.updated_at) as Instant,
    value: {
      ...row,
      items: JSON.parse(row.items) as KeptOrder['items'],
      ...(note === null ? {} : { note }),
    },
  }
}
