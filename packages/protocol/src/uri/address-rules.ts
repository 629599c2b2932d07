/**
 * The addresses that a deployment allows clients beyond the public web: RFC 8252 §7.1, and hosts of its own network.
 */
import { knownAppSchemes } from './app-scheme.ts'
import type { AllowList } from './outbound-address.ts'

export interface AddressRules {
  /** Schemes of apps that are not reversed domain names (`registration.schemes`). */
  readonly schemes: ReadonlySet<string>
  /** Hosts that the server may call although they are not known to be public (`outbound.allow`). */
  readonly outboundAllow: AllowList
}

export const defaultAddressRules: AddressRules = Object.freeze({
  schemes: new Set(knownAppSchemes),
  outboundAllow: new Set<string>(),
})
