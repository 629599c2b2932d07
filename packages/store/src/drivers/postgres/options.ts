/** How a PostgreSQL database is opened. */
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import type { TimelineMemory } from '../../contract/timeline-memory.ts'
import type { UpgradeOptions } from '../../schema/schema-state.ts'
import type { PostgresTarget } from './connection.ts'

/** Where it is. */
export interface PostgresPlace {
  /** May name several servers of one cluster. */
  readonly url: string
  /** Past a pooler, if `url` leads to one: for what needs a session of its own. */
  readonly directUrl?: string | null
  /** Default true; false behind a pooler that gives every transaction another connection. */
  readonly preparedStatements?: boolean
  /** Default `grantor`; made if it is not there. */
  readonly schema?: string
  readonly poolSize?: number
  /** Milliseconds after which a database that does not answer counts as away. */
  readonly patience?: number
  /** Where the newest timeline is remembered, so that a process that begins knows a server that was replaced. */
  readonly timelines?: TimelineMemory
}

export interface PostgresOptions extends PostgresPlace {
  /** Opens the key that seals the log. */
  readonly auditKey: AuditKeySource
  /** Whether this node seals events in the background (default). A short command leaves it to the servers. */
  readonly notary?: boolean
  /** Positions in the smallest part of the log. */
  readonly leastLogPart?: number
  /** How its schema is brought up to date; by default only where nodes of the version before may go on. */
  readonly upgrade?: UpgradeOptions
}

export const targetOf = (options: PostgresPlace): PostgresTarget => ({
  schema: options.schema ?? 'grantor',
  poolSize: options.poolSize ?? 10,
  patience: options.patience ?? 3_000,
  preparedStatements: options.preparedStatements ?? true,
})
