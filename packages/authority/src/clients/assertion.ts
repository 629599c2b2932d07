/** How the authority checks a client assertion: the facts it is judged by, and using it up (RFC 7523 §3). */
import { assertionEnd, assertionId, type AssertionRequirements } from '@grantor/protocol/client-auth'
import { type EndpointName, endpointUrl } from '@grantor/protocol/documents'
import type { ParsedJwt } from '@grantor/protocol/jose'
import type { Policy } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Store, UsedProof } from '@grantor/store'
import type { Ids, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { clientKeys } from './keys.ts'

export interface AssertionDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly issuers: Issuers
  readonly policy: Policy
  readonly outbound: Outbound
  readonly store: Pick<Store, 'assertions'>
}

/** An assertion as it is used up: its id, the client that it names, and how long it is valid. */
export interface AssertionUse {
  readonly clientId: string
  readonly id: string
  readonly expiresAt: Instant
}

/**
 * Returns 'spent' for the first use of an assertion only. The DPoP proof of the same request is used up in the same
 * commit.
 */
export type SpendAssertion = (
  tenant: TenantId,
  use: AssertionUse,
  proof: UsedProof | null,
) => ReturnType<Store['assertions']['spend']>

/** One per request: a request that is decided again on fresh facts is still the same use. */
export function spendAssertionOnce({ store, ids }: AssertionDependencies): SpendAssertion {
  let first: ReturnType<SpendAssertion> | null = null
  const spend: SpendAssertion = (tenant, { clientId, id, expiresAt }, proof) =>
    store.assertions.spend({ tenant, clientId, handle: ids.handleOf(id), expiresAt, proof })
  return (...use) => (first ??= spend(...use))
}

/** The use of an assertion that the client signed itself. */
export const ownAssertionUse = ({ id }: Client, assertion: ParsedJwt, { leeway }: Policy): AssertionUse => ({
  clientId: id,
  id: assertionId(assertion) ?? '',
  expiresAt: assertionEnd(assertion, leeway),
})

/** The endpoint to which the assertion is presented. */
export type AssertionEndpoint = 'token' | 'introspection' | 'revocation' | 'device' | 'par' | 'backchannel'

interface PresentedAssertion {
  readonly tenant: TenantId
  readonly client: Client | null
  readonly assertion: ParsedJwt
  readonly endpoint: AssertionEndpoint
}

export async function assertionRequirements(
  { tenant, client, assertion, endpoint }: PresentedAssertion,
  { policy, outbound, issuers }: AssertionDependencies,
): Promise<AssertionRequirements> {
  const signs = client?.metadata.token_endpoint_auth_method === 'private_key_jwt'
  const signed = { jwt: assertion, alg: client?.metadata.token_endpoint_auth_signing_alg }
  return {
    keys: client !== null && signs ? await clientKeys(client, signed, outbound) : [],
    audiences: audiencesOf(
      [issuers.issuerOf(tenant), issuers.mtlsIssuerOf?.(tenant) ?? null],
      policy.assertionAudience === 'issuer' ? namedAt(endpoint) : signedAt,
    ),
    issuer: issuers.issuerOf(tenant),
    leeway: policy.leeway,
  }
}

const signedAt: readonly EndpointName[] = [
  'token',
  'revocation',
  'introspection',
  'deviceAuthorization',
  'pushedAuthorization',
  'backchannelAuthentication',
]

/**
 * RFC 10070: an assertion that names an endpoint could be carried to another server whose endpoint has the same name.
 * CIBA §7.1 still allows two endpoint names, where people are only asked and nothing is issued.
 */
const namedAt = (endpoint: AssertionEndpoint): readonly EndpointName[] =>
  endpoint === 'backchannel' ? ['token', 'backchannelAuthentication'] : []

const audiencesOf = (
  [issuer, alias]: readonly [string, string | null],
  endpoints: readonly EndpointName[],
): ReadonlySet<string> => {
  const bases = alias === null ? [issuer] : [issuer, alias]
  return new Set([issuer, ...bases.flatMap((base) => endpoints.map((name) => endpointUrl(base, name)))])
}
