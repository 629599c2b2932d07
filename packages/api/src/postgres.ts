/** Published entry: the stores of an API in PostgreSQL. */
export * from './stores/postgres-operations.ts'
