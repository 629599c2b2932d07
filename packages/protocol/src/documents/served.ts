/**
 * The supported features, derived from the lists of grants and of client authentication methods: nothing else is
 * accepted or published.
 */
import { clientAuthRules } from '../client-auth/index.ts'
import { grantRules } from '../grants/index.ts'
import { type AddressRules, defaultAddressRules } from '../uri/address-rules.ts'
import { federatedMethod } from '../client-auth/federated-jwt.ts'
import { jwtBearerGrant } from '../grants/grant-types.ts'
import type { Tenant } from '../oauth/tenant.ts'
import { profileMethods } from '../registration/profiles.ts'
import type { Capabilities, Served } from './capabilities.ts'

export const servedBy = (
  grants: readonly { readonly type: string }[],
  methods: readonly { readonly method: string; readonly byCertificate?: true }[],
  addresses: AddressRules = defaultAddressRules,
): Served => ({
  grantTypes: grants.map(({ type }) => type),
  clientAuthMethods: methods.map(({ method }) => method),
  certificates: methods.some(({ byCertificate }) => byCertificate === true),
  addresses,
})

/** By the lists of this package, without an operator's exceptions. */
export const served: Served = servedBy(grantRules, clientAuthRules)

/**
 * The features of a tenant: without those that need other issuers if it trusts none, and without those that its profile
 * refuses.
 */
export function servedFor(
  { trustedIssuers = [], profile }: Tenant,
  all: Served,
): Served & Pick<Capabilities, 'redeemsIdJags'> {
  const trusting = trustedIssuers.length > 0
  return {
    ...all,
    redeemsIdJags: trustedIssuers.some(({ people }) => people !== undefined),
    grantTypes: all.grantTypes.filter((type) => trusting || type !== jwtBearerGrant),
    clientAuthMethods: all.clientAuthMethods.filter(
      (method) =>
        (trusting || method !== federatedMethod) && (profile === undefined || profileMethods.includes(method)),
    ),
  }
}

/** The features for registering a client of the tenant, with the tenant's profile. */
export const heldToProfile = (all: Served, profile: Tenant['profile'] | undefined): Served =>
  profile === undefined ? all : { ...all, profile }
