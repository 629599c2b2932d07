/** What a deployment lets clients name as addresses beyond the public web: RFC 8252 §7.1, and hosts of its own network. */
import type { AllowList } from './outbound-address.ts'

export interface AddressRules {
  /** Hosts that the server may be sent to although nobody knows them to be public (`outbound.allow`). */
  readonly outboundAllow: AllowList
}

export const defaultAddressRules: AddressRules = Object.freeze({ outboundAllow: new Set<string>() })
