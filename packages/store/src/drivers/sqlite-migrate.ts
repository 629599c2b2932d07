/** Migrations on SQLite: one immediate transaction, so that of two programs starting together the second waits. */
import { randomUUID } from 'node:crypto'
import { type Applied, migrationsOf, migrationsTable, outstanding } from '../migrate.ts'
import type { Connection } from './sqlite-connection.ts'

export function migrateSqlite({ db }: Connection): void {
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
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}
