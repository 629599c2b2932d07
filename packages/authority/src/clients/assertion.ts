/** What the authority does about a client assertion: says what it is judged by, and uses it up (RFC 7523 §3). */
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

/** What is used up by a proof: so named, by this client, and good until then. */
export interface AssertionUse {
  readonly clientId: string
  readonly id: string
  readonly expiresAt: Instant
}

/** 'spent' for the first use of an assertion, and for that use alone; a proof that comes with it is used up with it. */
export type SpendAssertion = (
  tenant: TenantId,
  use: AssertionUse,
  proof: UsedProof | null,
) => ReturnType<Store['assertions']['spend']>

/** A request that is decided anew on fresh facts is still the same use. */
export function spendAssertionOnce({ store, ids }: AssertionDependencies): SpendAssertion {
  let first: ReturnType<SpendAssertion> | null = null
  const spend: SpendAssertion = (tenant, { clientId, id, expiresAt }, proof) =>
    store.assertions.spend({ tenant, clientId, handle: ids.handleOf(id), expiresAt, proof })
  return (...use) => (first ??= spend(...use))
}

/** Of what the client signed itself. */
export const ownAssertionUse = ({ id }: Client, assertion: ParsedJwt, { leeway }: Policy): AssertionUse => ({
  clientId: id,
  id: assertionId(assertion) ?? '',
  expiresAt: assertionEnd(assertion, leeway),
})

/** Where it is shown. */
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
 * RFC 10070: an assertion for an endpoint could be carried to another server whose endpoint calls itself the same. CIBA
 * §7.1 has two taken all the same, where people are only asked and nothing is issued.
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
