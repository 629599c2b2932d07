/** Rich authorization requests (RFC 9396): details that are asked for, granted and shown, by types that are declared. */
export * from './authorization-details/consent-text.ts'
export * from './authorization-details/detail.ts'
export * from './authorization-details/detail-type.ts'
export * from './authorization-details/granted-details.ts'
export * from './authorization-details/requested-details.ts'
