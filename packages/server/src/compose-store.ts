/** Opens the store that the settings name, or only reads its schema. */
import { join } from 'node:path'
import {
  type AuditKeySource,
  migrationsOf,
  type SchemaState,
  schemaState,
  type Store,
  type UpgradeOptions,
} from '@grantor/store'
import type { Settings } from './config/settings.ts'
import { timelineMemory } from './database-timeline.ts'
import { makePrivateFolder } from './secrets/private-file.ts'

/** A server claims its SQLite file exclusively among servers; a command works alongside it. */
export type ProcessRole = 'server' | 'command'

export const sqliteFile = (settings: Settings): string => join(settings.data, 'grantor.db')

/** Throws StoreRefused where the file belongs to another program. */
export async function sqliteFileState(settings: Settings): Promise<'absent' | 'empty' | 'ours'> {
  const { examineSqliteFile } = await import('@grantor/store/sqlite')
  return examineSqliteFile(sqliteFile(settings))
}

/**
 * How the schema of the database relates to this program's, read without changes; null where there is no schema of
 * ours.
 */
export async function readSchemaState(settings: Settings): Promise<SchemaState | null> {
  if (settings.databaseUrl !== null) {
    const { readPostgresSchema } = await import('@grantor/store/postgres')
    const { timelines, ...address } = postgresAddress(settings, settings.databaseUrl)
    const found = await readPostgresSchema({ ...address, timelines: { ...timelines, keep: () => {} } })
    return found === null ? null : schemaState(migrationsOf('postgres'), found)
  }
  const { readSqliteSchema } = await import('@grantor/store/sqlite')
  const found = readSqliteSchema(sqliteFile(settings))
  return found === null ? null : schemaState(migrationsOf('sqlite'), found)
}

const postgresAddress = (settings: Settings, url: string) => ({
  url,
  directUrl: settings.databaseDirectUrl,
  preparedStatements: settings.databasePreparedStatements === 'on',
  schema: settings.databaseSchema,
  poolSize: settings.databasePool,
  patience: 1000 * settings.databaseTimeout,
  timelines: timelineMemory(settings.data),
})

export async function openStore(
  settings: Settings,
  role: ProcessRole,
  { auditKey, ...upgrade }: UpgradeOptions & { readonly auditKey: AuditKeySource },
): Promise<Store> {
  // Each driver is loaded only where it is used, because loading `pg` would delay every start.
  if (settings.databaseUrl !== null) {
    const { openPostgres } = await import('@grantor/store/postgres')
    return openPostgres({
      ...postgresAddress(settings, settings.databaseUrl),
      auditKey,
      upgrade,
      // A command also seals the events it wrote, because no server may be running.
      notary: true,
    })
  }
  const { openSqlite } = await import('@grantor/store/sqlite')
  makePrivateFolder(settings.data)
  return openSqlite({ path: sqliteFile(settings), auditKey, role, upgrade })
}
