/** Published entry: asking an issuer for more than a validator does, bounded and safe as the validator does it. */
export { basicAuthorization } from './issuer/client-token.ts'
export { IssuerDiscovery, type IssuerMetadata } from './issuer/issuer-metadata.ts'
export { createOutbound, nodeTransport, type Outbound, type WholeResponse } from './issuer/outbound.ts'
