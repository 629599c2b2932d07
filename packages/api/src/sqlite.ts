/** Published entry: the stores of an API in SQLite. Needs Node 24 or newer. */
export * from './stores/sqlite-idempotency.ts'
export * from './stores/sqlite-operations.ts'
export * from './stores/sqlite-quotas.ts'
