/** What is served, out of the lists of grants and of client authentication methods: nothing else is accepted or published. */
import { clientAuthRules } from '../client-auth/index.ts'
import { grantRules } from '../grants/index.ts'
import { type AddressRules, defaultAddressRules } from '../uri/address-rules.ts'
import type { Served } from './capabilities.ts'

export const servedBy = (
  grants: readonly { readonly type: string }[],
  methods: readonly { readonly method: string }[],
  addresses: AddressRules = defaultAddressRules,
): Served => ({
  grantTypes: grants.map(({ type }) => type),
  clientAuthMethods: methods.map(({ method }) => method),
  addresses,
})

/** By the lists of this package, and without exceptions of an operator. */
export const served: Served = servedBy(grantRules, clientAuthRules)
