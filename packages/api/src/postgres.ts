/** Published entry: the stores of an API in PostgreSQL. */
export * from './stores/postgres-idempotency.ts'
export * from './stores/postgres-operations.ts'
export * from './stores/postgres-quotas.ts'
