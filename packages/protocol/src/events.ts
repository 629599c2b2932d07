/** Published entry: events. */
export * from './events/document.ts'
export * from './events/event.ts'
export * from './events/rejection-report.ts'
export * from './events/statistics.ts'
