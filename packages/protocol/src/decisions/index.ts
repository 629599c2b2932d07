/** Published entry: external decisions, by AuthZEN or a hook. */
export * from './authzen.ts'
export * from './decision-point.ts'
export * from './decision-point-input.ts'
export * from './issuance-hook.ts'
export * from './issuance-question.ts'
export * from './sign-up-hook.ts'
