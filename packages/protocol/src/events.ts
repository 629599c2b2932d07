/** Published entry: events. */
export * from './events/event.ts'
export * from './events/rejection-report.ts'
