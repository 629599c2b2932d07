/** The guard of every verb that acts on a decision taken from memory. */
import type { Basis } from '../../contract/directory/basis.ts'
import { changed, first, sql, type Verb } from '../verb.ts'

/**
 * The columns whose change can make a basis stale, by table, and those by which watchers hear of it. A verb that writes
 * one of them, or adds or deletes such a row, declares that it touches the directory.
 */
export const directoryColumns: Readonly<Record<string, readonly string[]>> = {
  tenants: ['id', 'revision'],
  clients: ['tenant', 'id', 'version'],
  directory_changes: ['tenant', 'clock'],
}

/**
 * Revisions and versions are stamps of the directory's clock, so equality says that nothing changed at all: neither
 * disabled nor removed nor made anew. On PostgreSQL a change that commits beside this verb is ordered after it.
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
 * The same for a verb that opens a grant: a client that is used for the first time stops being one that may be removed
 * for being unused, and one that was removed just now cannot be used any more. Both take its row; one comes first.
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
