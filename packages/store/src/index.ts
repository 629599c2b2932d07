/**
 * The public exports of the store: its contract, the verification of a log, and the background loop. Drivers have
 * entries of their own.
 */
export * from './contract/clients/api-keys.ts'
export * from './contract/clients/assertions.ts'
export * from './contract/directory/basis.ts'
export * from './contract/clients/clients.ts'
export * from './contract/tokens/backchannel.ts'
export * from './contract/tokens/consents.ts'
export * from './contract/outgoing/deliveries.ts'
export * from './contract/outgoing/event-deliveries.ts'
export * from './contract/outgoing/stream-subjects.ts'
export * from './contract/outgoing/event-receivers.ts'
export * from './contract/outgoing/new-event-delivery.ts'
export * from './contract/tokens/devices.ts'
export * from './contract/directory/directory.ts'
export * from './contract/events.ts'
export * from './contract/people/factors.ts'
export * from './contract/tokens/grants.ts'
export * from './contract/people/groups.ts'
export * from './contract/tokens/pushed-requests.ts'
export * from './contract/tokens/searches.ts'
export * from './contract/people/identities.ts'
export * from './contract/people/interactions.ts'
export * from './contract/directory/keys.ts'
export * from './contract/limits.ts'
export * from './contract/people/invitations.ts'
export * from './contract/people/links.ts'
export * from './contract/people/sign-in-links.ts'
export * from './contract/outgoing/mails.ts'
export * from './contract/clients/registrations.ts'
export * from './contract/people/sessions.ts'
export * from './contract/tokens/status-lists.ts'
export * from './contract/signal-polls.ts'
export * from './contract/statistics.ts'
export * from './contract/validators.ts'
export * from './contract/store.ts'
export * from './contract/tokens/tokens.ts'
export * from './contract/tokens/used-proof.ts'
export * from './contract/people/upstream-name.ts'
export * from './contract/people/users.ts'
export * from './contract/timeline-memory.ts'
export * from './contract/unreadable.ts'
export type { AuditKey, AuditKeySource } from './contract/directory/audit-key.ts'
export { bodyChainHash, chainHash, type ChainLink, genesis, linkForm, macOf } from './contract/chain.ts'
export { type Dialect, indexesApart, type Migration, migrationsOf, sinceOf, stageOf } from './schema/migrations.ts'
export {
  type PendingMigration,
  type ReportUpgrade,
  type SchemaRecord,
  type SchemaState,
  schemaState,
  type UpgradeOptions,
} from './schema/schema-state.ts'
export { type BackgroundLoop, type LoopTimes, openBackgroundLoop } from './drivers/background-loop.ts'
