/** What an issuer really offers, for the documents that it publishes: of the program, the deployment and its tenant. */
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

/** FAPI 2.0 §5.4.1: what of them the profile of the tenant leaves. */
const allowedAlgs = ({ profile }: Catalogue['tenant'], algs: readonly string[]): readonly string[] =>
  profile === undefined ? algs : algs.filter((alg) => profileAlgs.includes(alg))

/** What really works in this version. */
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
  // RFC 8414 §2 lets some go unmentioned: clients that know no better ask for all they find here, and the scopes of our
  // own APIs are for those who were given them by name.
  scopes: [...oidcScopeNames, ...catalogue.scopes.map((entry) => entry.name)],
  authorization: {
    requestObjectAlgs: allowedAlgs(catalogue.tenant, knownAlgorithms),
    responseAlgs: allowedAlgs(catalogue.tenant, signingAlgs),
    requirePushed: requiresPushOfAll(catalogue.tenant, policy),
    ...(catalogue.tenant.profile === 'fapi2-message-signing'
      ? { responseModes: signedResponseModes, requireSigned: true }
      : { responseModes }),
    prompts,
    // A client may register any of them; the key is made when it is first needed.
    idTokenAlgs: allowedAlgs(catalogue.tenant, signingAlgs),
    userinfoAlgs: allowedAlgs(catalogue.tenant, signingAlgs),
    acrValues,
    claims: [...new Set(['sub', 'auth_time', 'acr', 'amr', 'sid', ...personClaims, ...(catalogue.mappedClaims ?? [])])],
    uiLocales,
    subjectTypes,
  },
})
