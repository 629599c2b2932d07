/**
 * Published entry: rich authorization requests (RFC 9396), whose details are requested, granted and shown by declared
 * types.
 */
export * from './authorization-details/consent-text.ts'
export * from './authorization-details/detail.ts'
export * from './authorization-details/detail-type.ts'
export * from './authorization-details/granted-details.ts'
export * from './authorization-details/requested-details.ts'
