/** What is served, out of the lists of grants and of client authentication methods: nothing else is accepted or published. */
import { clientAuthRules } from '../client-auth/index.ts'
import { grantRules } from '../grants/index.ts'
import { type AddressRules, defaultAddressRules } from '../uri/address-rules.ts'
import { federatedMethod } from '../client-auth/federated-jwt.ts'
import { jwtBearerGrant } from '../grants/grant-types.ts'
import type { Tenant } from '../oauth/tenant.ts'
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

/** By the lists of this package, and without exceptions of an operator. */
export const served: Served = servedBy(grantRules, clientAuthRules)

/** Where nobody else's tokens are believed, nothing that rests on them is offered. */
export function servedFor({ trustedIssuers = [] }: Tenant, all: Served): Served & Pick<Capabilities, 'redeemsIdJags'> {
  const redeemsIdJags = trustedIssuers.some(({ people }) => people !== undefined)
  if (trustedIssuers.length > 0) return { ...all, redeemsIdJags }
  return {
    ...all,
    redeemsIdJags,
    grantTypes: all.grantTypes.filter((type) => type !== jwtBearerGrant),
    clientAuthMethods: all.clientAuthMethods.filter((method) => method !== federatedMethod),
  }
}
