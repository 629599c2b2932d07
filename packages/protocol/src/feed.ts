/** Published entry: the revocation feed. */
export * from './feed/feed.ts'
export * from './feed/wire.ts'
export * from './feed/receipt.ts'
