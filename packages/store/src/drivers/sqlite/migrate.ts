/** Migrations on SQLite: one immediate transaction, so that of two programs starting together the second waits. */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import { type Applied, migrationsOf, migrationsTable, outstanding } from '../../schema/migrations.ts'
import type { Connection } from './connection.ts'

/** Returns the key that seals the log. */
export function migrateSqlite({ db }: Connection, source: AuditKeySource): Uint8Array {
  db.exec('begin immediate')
  try {
    db.exec(migrationsTable)
    const applied = db.prepare('select number, name, checksum from migrations order by number').all()
    for (const { number, name, text, checksum } of outstanding(
      migrationsOf('sqlite'),
      applied as unknown as Applied[],
    )) {
      db.exec(text)
      db.prepare('insert into migrations (number, name, checksum) values (?, ?, ?)').run(number, name, checksum)
    }
    const born = 'insert into deployment (one, epoch, epoch_at, clock) values (1, ?, 0, 0) on conflict do nothing'
    db.prepare(born).run(randomUUID())
    const key = auditKey(db, source)
    db.exec('commit')
    return key
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

function auditKey(db: DatabaseSync, source: AuditKeySource): Uint8Array {
  const row = db.prepare('select audit_key from deployment').get() as { readonly audit_key: Uint8Array | null }
  const { key, sealed } = source(row.audit_key)
  if (row.audit_key === null) db.prepare('update deployment set audit_key = ?').run(sealed)
  return key
}
