/** The example of docs/resource-toolkit.md, whole: the page shows parts of this file, and guide.test.ts runs it. */
import { DatabaseSync } from 'node:sqlite'
import type { Validator } from '@grantor/resource'
import { Type } from 'typebox'
import { collection } from '../../src/collection/collection.ts'
import type { StoredResource } from '../../src/collection/handlers.ts'
import { pageSql } from '../../src/list/page-sql.ts'
import { resourceServer } from '../../src/serve/resource-server.ts'

// #region schema
const Invoice = Type.Object({
  id: Type.String({ readOnly: true, pattern: '^[a-z0-9-]{1,64}$' }),
  customer: Type.String({ minLength: 1, maxLength: 100 }),
  cents: Type.Integer({ minimum: 0 }),
  state: Type.Enum(['draft', 'sent'], { default: 'draft' }),
})
type Invoice = Type.Static<typeof Invoice>
// #endregion

// #region table
const database = new DatabaseSync(':memory:')
database.exec(`CREATE TABLE invoices (
  tenant TEXT, id TEXT, version INTEGER, customer TEXT, cents INTEGER, state TEXT, PRIMARY KEY (tenant, id))`)
const columns = { id: 'id', cents: 'cents', state: 'state' }

const entry = (row: unknown): StoredResource<Invoice> | null => {
  if (row === undefined) return null
  const { tenant, version, ...value } = row as { tenant: string; version: number } & Invoice
  return { tenant, version, value }
}
// #endregion

// #region collection
export const invoices = collection<typeof Invoice, Omit<Invoice, 'id'>>({
  name: 'invoices',
  description: 'What customers owe',
  schema: Invoice,
  example: { id: 'inv-1', customer: 'Acme', cents: 1290, state: 'draft' },
  scopes: { read: 'invoices:read', write: 'invoices:write', delete: 'invoices:delete' },
  list: { filter: { state: ['eq'], cents: ['gte', 'lte'] }, sort: ['cents'], order: '-cents' },
  concurrency: 'required',
  can: { update: (_caller, invoice) => invoice.state === 'draft' },
  handlers: {
    list(query, { tenant }) {
      const { where, order, values } = pageSql(query, columns)
      const sql = `SELECT * FROM invoices WHERE tenant = ? AND ${where} ORDER BY ${order} LIMIT ?`
      const rows = database.prepare(sql).all(tenant, ...(values as string[]), query.take)
      return rows.map(entry).filter((found) => found !== null)
    },
    get: (id, { tenant }) =>
      entry(database.prepare('SELECT * FROM invoices WHERE tenant = ? AND id = ?').get(tenant, id)),
    insert(id, { customer, cents, state }, { tenant, now }) {
      const insert = database.prepare(
        'INSERT INTO invoices VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *',
      )
      return entry(insert.get(tenant, id, now, customer, cents, state)) ?? 'changed'
    },
    update(id, { body: { customer, cents, state }, expected }, { tenant }) {
      const update = database.prepare(`UPDATE invoices SET customer = ?, cents = ?, state = ?, version = version + 1
        WHERE tenant = ? AND id = ? AND version = ? RETURNING *`)
      return entry(update.get(customer, cents, state, tenant, id, expected)) ?? 'changed'
    },
    remove(id, expected, { tenant }) {
      const remove = database.prepare('DELETE FROM invoices WHERE tenant = ? AND id = ? AND version = ? RETURNING id')
      return remove.get(tenant, id, expected) === undefined ? 'changed' : 'removed'
    },
  },
})
// #endregion

// #region api
export const invoicesApi = (validator: Validator) =>
  resourceServer({
    name: 'Invoices',
    audience: 'https://api.example',
    issuers: ['https://issuer.example'],
    validator,
    versions: [{ name: 'v1', collections: [invoices] }],
  })
// #endregion
