/** Published entry: requests to an issuer beyond those of a validator, with the same bounds and checks. */
export { basicAuthorization } from './issuer/client-token.ts'
export { IssuerDiscovery, type IssuerMetadata } from './issuer/issuer-metadata.ts'
export { createOutbound, nodeTransport, type Outbound, type WholeResponse } from './issuer/outbound.ts'
