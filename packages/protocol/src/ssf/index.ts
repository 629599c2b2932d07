/** Published entry: Shared Signals (OpenID SSF 1.0, CAEP 1.0, RFC 8417, RFC 8935, RFC 8936) without HTTP. */
export * from './caep.ts'
export * from './configuration.ts'
export * from './event-types.ts'
export * from './poll.ts'
export * from './poll-answer.ts'
export * from './stream.ts'
export * from './subject.ts'
