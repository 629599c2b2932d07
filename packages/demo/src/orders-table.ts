/** Orders in SQLite: every statement is bound to a tenant, every change to the version it was decided on. */
import { randomUUID } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type StoredResource, type IdempotencyStore, type PageQuery, pageSql } from '@grantor/api'
import { sqliteIdempotency } from '@grantor/api/sqlite'
import type { Scalar } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { Order, OrderBody } from './order.ts'

// NORMAL: an answered write survives the death of the process; losing power may cost the last ones. It is a demo.
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS orders (
    tenant TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
    status TEXT NOT NULL, items TEXT NOT NULL, total INTEGER NOT NULL, note TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS orders_by_time ON orders (tenant, created_at, id);
  CREATE INDEX IF NOT EXISTS orders_by_total ON orders (tenant, total, id);`

const columns = { id: 'id', status: 'status', total: 'total', created_at: 'created_at' }

export class OrdersTable {
  /** What was promised to retries, in the same file as the orders. */
  readonly keys: IdempotencyStore
  readonly #database: DatabaseSync
  readonly #find: StatementSync
  readonly #insert: StatementSync
  readonly #update: StatementSync
  readonly #remove: StatementSync
  /** One prepared statement per shape of query: filters and orders are few. */
  readonly #pages = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec(schema)
    this.keys = sqliteIdempotency(this.#database, { alone: true })
    this.#find = this.#database.prepare('SELECT * FROM orders WHERE tenant = ? AND id = ?')
    this.#insert = this.#database.prepare(
      `INSERT INTO orders (tenant, id, version, status, items, total, note, created_at, updated_at)
       VALUES (:tenant, :id, :version, :status, :items, :total, :note, :now, :now) ON CONFLICT DO NOTHING RETURNING *`,
    )
    this.#update = this.#database.prepare(
      `UPDATE orders SET version = :version, status = :status, items = :items, total = :total, note = :note, updated_at = :now
       WHERE tenant = :tenant AND id = :id AND version = :expected RETURNING *`,
    )
    this.#remove = this.#database.prepare('DELETE FROM orders WHERE tenant = ? AND id = ? AND version = ? RETURNING id')
  }

  find(tenant: string, id: string): StoredResource<Order> | null {
    return entryOf(this.#find.get(tenant, id))
  }

  /** null where the id is taken. */
  insert(tenant: string, id: string, body: OrderBody, now: Instant): StoredResource<Order> | null {
    return entryOf(this.#insert.get({ tenant, id, ...stored(body, now) }))
  }

  /** null where the order is no longer at that version. */
  update(
    at: { tenant: string; id: string; expected: string },
    body: OrderBody,
    now: Instant,
  ): StoredResource<Order> | null {
    return entryOf(this.#update.get({ ...at, ...stored(body, now) }))
  }

  remove(tenant: string, id: string, expected: string): boolean {
    return this.#remove.get(tenant, id, expected) !== undefined
  }

  page(tenant: string, query: PageQuery): StoredResource<Order>[] {
    const { where, order, values } = pageSql(query, columns)
    const sql = `SELECT * FROM orders WHERE tenant = ? AND ${where} ORDER BY ${order} LIMIT ?`
    const rows = this.#prepared(sql).all(tenant, ...values.map(bindable), query.take)
    return rows.map(entryOf).filter((entry) => entry !== null)
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

const bindable = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value)

function stored(body: OrderBody, now: Instant) {
  return {
    // A fresh one for every change, so that a version never returns, not even for an id that was deleted and reused.
    version: randomUUID(),
    status: body.status,
    items: JSON.stringify(body.items),
    total: body.total,
    note: body.note ?? null,
    now: new Date(now).toISOString(),
  }
}

type Row = Readonly<Record<'tenant' | 'id' | 'version' | 'status' | 'items' | 'created_at' | 'updated_at', string>> & {
  readonly total: number
  readonly note: string | null
}

function entryOf(found: unknown): StoredResource<Order> | null {
  if (found === undefined) return null
  const { tenant, version, ...row } = found as Row
  const { note, ...rest } = row
  return {
    tenant,
    version,
    modifiedAt: Date.parse(row.updated_at) as Instant,
    value: {
      ...rest,
      status: row.status as Order['status'],
      items: JSON.parse(row.items) as Order['items'],
      ...(note === null ? {} : { note }),
    },
  }
}
