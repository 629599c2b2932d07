/** Published entry: the device flow. */
export * from './device/request.ts'
export * from './device/user-code.ts'
