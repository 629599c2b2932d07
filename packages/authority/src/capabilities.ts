/** What an issuer offers, for its metadata documents: determined by the program, the deployment and the tenant. */
import { acrValues, prompts, requiresPushOfAll, responseModes, signedResponseModes } from '@grantor/protocol/authorize'
import { type Capabilities, type Served, servedFor } from '@grantor/protocol/documents'
import { proofAlgorithms } from '@grantor/protocol/dpop'
import { servesBackchannel, servesDevices } from '@grantor/protocol/grants'
import { knownAlgorithms, signingAlgs } from '@grantor/protocol/jose'
import type { Catalogue, Policy } from '@grantor/protocol/oauth'
import { oidcScopeNames, personClaims, uiLocales } from '@grantor/protocol/oidc'
import { profileAlgs, registrationPolicy, subjectTypes } from '@grantor/protocol/registration'
import type { Issuers } from './ports/environment.ts'

export interface CapabilityDependencies {
  readonly issuers: Issuers
  readonly policy: Policy
  readonly served: Served
}

/** FAPI 2.0 §5.4.1: the algorithms that the profile of the tenant allows. */
const allowedAlgs = ({ profile }: Catalogue['tenant'], algs: readonly string[]): readonly string[] =>
  profile === undefined ? algs : algs.filter((alg) => profileAlgs.includes(alg))

/** The features that work in this version. */
export const capabilitiesOf = (
  catalogue: Catalogue,
  { policy, served, issuers }: CapabilityDependencies,
): Capabilities => ({
  endpoints: new Set([
    ...(registrationPolicy(policy.registration, catalogue.tenant).mode === 'off' ? [] : (['registration'] as const)),
    'authorization',
    'pushedAuthorization',
    'token',
    'userinfo',
    'endSession',
    ...(servesDevices(served) ? (['deviceAuthorization'] as const) : []),
    ...(servesBackchannel(served) ? (['backchannelAuthentication'] as const) : []),
    'revocation',
    'introspection',
    'jwks',
    'revocationStream',
    'revocationChanges',
    'revocationSnapshot',
    'eventReports',
    'adminApi',
    'scim',
    'sharedSignals',
    'statusLists',
    'apiDescription',
  ]),
  ...servedFor(catalogue.tenant, served),
  mtlsIssuer: issuers.mtlsIssuerOf?.(catalogue.tenant.id) ?? null,
  metadataDocuments: registrationPolicy(policy.registration, catalogue.tenant).metadataDocuments,
  assertionAlgs: allowedAlgs(catalogue.tenant, knownAlgorithms),
  proofAlgs: allowedAlgs(catalogue.tenant, proofAlgorithms),
  introspectionAlgs: allowedAlgs(catalogue.tenant, signingAlgs),
  backchannelRequestAlgs: allowedAlgs(catalogue.tenant, knownAlgorithms),
  ...(catalogue.authorizationDetailTypes === undefined
    ? {}
    : { detailTypes: catalogue.authorizationDetailTypes.map(({ type }) => type) }),
  // RFC 8414 §2 lets scopes be omitted: some clients request everything they find here, but scopes of the server's own
  // APIs are only for clients that were given them by name.
  scopes: [...oidcScopeNames, ...catalogue.scopes.map((entry) => entry.name)],
  authorization: {
    requestObjectAlgs: allowedAlgs(catalogue.tenant, knownAlgorithms),
    responseAlgs: allowedAlgs(catalogue.tenant, signingAlgs),
    requirePushed: requiresPushOfAll(catalogue.tenant, policy),
    ...(catalogue.tenant.profile === 'fapi2-message-signing'
      ? { responseModes: signedResponseModes, requireSigned: true }
      : { responseModes }),
    prompts,
    // A client may register any of them; the key is made when first needed.
    idTokenAlgs: allowedAlgs(catalogue.tenant, signingAlgs),
    userinfoAlgs: allowedAlgs(catalogue.tenant, signingAlgs),
    acrValues,
    claims: [...new Set(['sub', 'auth_time', 'acr', 'amr', 'sid', ...personClaims, ...(catalogue.mappedClaims ?? [])])],
    uiLocales,
    subjectTypes,
  },
})
