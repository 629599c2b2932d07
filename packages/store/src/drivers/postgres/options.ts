/** The options for opening a PostgreSQL database. */
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import type { TimelineMemory } from '../../contract/timeline-memory.ts'
import type { UpgradeOptions } from '../../schema/schema-state.ts'
import type { PostgresTarget } from './connection.ts'

/** The place of the database. */
export interface PostgresPlace {
  /** May name several servers of one cluster. */
  readonly url: string
  /** An address that bypasses the pooler, if `url` leads to one: for connections that need a session. */
  readonly directUrl?: string | null
  /** Default true; false behind a pooler in transaction mode. */
  readonly preparedStatements?: boolean
  /** Default `grantor`; created if it does not exist. */
  readonly schema?: string
  readonly poolSize?: number
  /** Milliseconds after which a database that does not answer counts as away. */
  readonly patience?: number
  /** Where the newest timeline is stored, so that a new process recognises a server that was replaced. */
  readonly timelines?: TimelineMemory
}

export interface PostgresOptions extends PostgresPlace {
  /** Provides the key that seals the log. */
  readonly auditKey: AuditKeySource
  /** Whether this node seals events in the background (default). A short command leaves it to the servers. */
  readonly notary?: boolean
  /** Positions in the smallest part of the log. */
  readonly leastLogPart?: number
  /** How the schema is migrated; by default only by migrations that nodes of the previous version tolerate. */
  readonly upgrade?: UpgradeOptions
}

export const targetOf = (options: PostgresPlace): PostgresTarget => ({
  schema: options.schema ?? 'grantor',
  poolSize: options.poolSize ?? 10,
  patience: options.patience ?? 3_000,
  preparedStatements: options.preparedStatements ?? true,
})
