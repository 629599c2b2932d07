/** Published entry: webhooks. */
export * from './event-patterns.ts'
export * from './message.ts'
export * from './verify.ts'
export * from './webhook.ts'
