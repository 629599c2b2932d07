/** Published entry: the branding of a tenant. */
export * from './branding.ts'
export * from './colour.ts'
export * from './logo.ts'
