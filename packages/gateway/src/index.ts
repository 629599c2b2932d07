/** Published entry of `@grantor/gateway`: reads the file of a gateway, and starts, reloads and stops it. */
export type { FieldProblem } from './config/fields.ts'
export type { GatewayPlan } from './config/gateway-plan.ts'
export { readGatewayPlan } from './config/read-plan.ts'
export { type FileReading, type GatewayConfig, readReferencedFiles } from './config/referenced-files.ts'
export { identityHeaders, type IdentityHeader } from './headers/identity-headers.ts'
export { type GatewayOptions, type RunningGateway, startGateway } from './serve/gateway.ts'
