/** Published entry of `@grantor/resource`: validates access tokens, guards routes and follows revocations. */
export type { Caller } from './validate/caller.ts'
export type { ClaimPath, ForeignClaims } from './validate/foreign-claims.ts'
export type { Verdict } from './validate/finding.ts'
export { createValidator, type Validator } from './validate/validator.ts'
export type { IssuerOptions, ValidatorOptions } from './validate/validator-options.ts'
export {
  type BearerToken,
  presentedCredentials,
  type PresentedCredentials,
  type PresentedRequest,
  presentedScheme,
  readBearerToken,
  type StalePolicy,
} from './validate/presented-credentials.ts'
export {
  acceptableAlgs,
  outage,
  type PossessionFault,
  rejection,
  rejectionKinds,
  type Rejection,
  type RejectionCode,
  type RejectionKind,
} from './validate/rejections.ts'
export { type ClientCertHeader, clientCertHeaderProblem, shownCertificate } from './possession/shown-certificate.ts'
export { checkPossession, type PossessionOptions } from './possession/possession.ts'
export { MemoryProofReplays, type ProofReplays } from './possession/proof-replays.ts'
export type { ClientCredentials } from './issuer/client-token.ts'
export { GivenKeys } from './issuer/given-keys.ts'
export { type IssuerFault, type IssuerFaultCode, issuerFaultReasons } from './issuer/issuer-faults.ts'
export type { KeySource } from './issuer/key-source.ts'
export { FeedRelay } from './revocation/feed-relay.ts'
export type { Freshness, RevocableToken, RevocationSource } from './revocation/revocation-source.ts'
export { RevocationView } from './revocation/revocation-view.ts'
export { metricHelp, type Labels, type MetricName, type Metrics, noMetrics } from './metrics.ts'
export { systemTime, type Time } from './time.ts'
export { type CallerWatch, watchCaller } from './protect/open-exchanges.ts'
export { type Ending, endingRejection } from './validate/ending.ts'
export { type ScopeNeed } from './protect/scope-need.ts'
export { protection, type Protection, type ProtectOptions } from './protect/protection.ts'
export {
  protectedResource,
  type ProtectedResource,
  type ProtectedResourceOptions,
  type ReceivedRequest,
} from './protect/protected-resource.ts'
export { type PublicPagesOptions } from './protect/public-pages.ts'
export { type CorsPlan, mcpCors } from './protect/cors.ts'
export {
  createPolicyService,
  type PolicyDecision,
  type PolicyService,
  type PolicyServiceOptions,
} from './policy/policy-decisions.ts'
export { type PolicyRequest, policySubject, type RoutePolicy } from './policy/route-policy.ts'
