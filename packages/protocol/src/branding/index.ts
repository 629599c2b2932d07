/** Published entry: how a tenant looks to people. */
export * from './branding.ts'
export * from './colour.ts'
export * from './logo.ts'
