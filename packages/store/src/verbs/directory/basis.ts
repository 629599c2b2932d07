/** The guard of every verb that acts on a decision taken from cached facts. */
import type { Basis } from '../../contract/directory/basis.ts'
import { changed, first, sql, type Verb } from '../verb.ts'

/**
 * The columns whose change can make a basis stale, by table, and those that tell watchers of it. A verb that writes one
 * of them, or inserts or deletes such a row, declares that it touches the directory.
 */
export const directoryColumns: Readonly<Record<string, readonly string[]>> = {
  tenants: ['id', 'revision'],
  clients: ['tenant', 'id', 'version'],
  directory_changes: ['tenant', 'clock'],
}

/**
 * Revisions and versions are ticks of the directory's clock, so equality proves that nothing changed: neither disabled
 * nor removed nor created again. On PostgreSQL a change that commits concurrently is ordered after this verb.
 */
export function* basisHolds(basis: Basis): Verb<boolean> {
  const { tenant, revision, client } = basis
  const statement =
    client === null
      ? sql`select 1 as holds from tenants where id = ${tenant} and revision = ${revision}`
      : sql`select 1 as holds from tenants t join clients c on c.tenant = t.id
          where t.id = ${tenant} and t.revision = ${revision} and c.id = ${client.id} and c.version = ${client.version}`
  return (yield { do: 'check-basis', basis, statement }).length > 0
}

/**
 * The same for a verb that opens a grant: a client that is used for the first time may no longer be removed as unused,
 * and one that was just removed cannot be used. Both lock its row, so one comes first.
 */
export function* useBasis(basis: Basis): Verb<boolean> {
  const { tenant, revision, client } = basis
  if (client === null) return yield* basisHolds(basis)
  const row = yield* first(sql`select c.unused_since from tenants t join clients c on c.tenant = t.id
    where t.id = ${tenant} and t.revision = ${revision} and c.id = ${client.id} and c.version = ${client.version}`)
  if (row === null || row['unused_since'] === null) return row !== null
  return yield* changed(sql`update clients set unused_since = null
    where tenant = ${tenant} and id = ${client.id} and version = ${client.version}`)
}
