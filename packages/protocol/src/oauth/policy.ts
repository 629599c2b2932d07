/** Lifetimes and rules as frozen data (docs/conventions.md). Durations are seconds. */
import { defaultRegistration, type RegistrationPolicy } from '../registration/policy.ts'
import { type AddressRules, defaultAddressRules } from '../uri/address-rules.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

export interface Policy {
  readonly accessTtl: number
  readonly idTokenTtl: number
  readonly codeTtl: number
  readonly pushedRequestTtl: number
  readonly refreshIdleTtl: number
  readonly refreshMaxTtl: number
  /** For how long a spent refresh token, presented again by the same client, still yields its one successor. */
  readonly refreshRetryWindow: number
  readonly deviceTtl: number
  readonly deviceInterval: number
  /** For a CIBA request: how long a person may take, and how often the client may ask. */
  readonly backchannelTtl: number
  readonly backchannelInterval: number
  /** How many CIBA requests may wait for one person. */
  readonly backchannelWaiting: number
  readonly interactionTtl: number
  /** For how long a mailed link can set a new password, sign in, or confirm an address. */
  readonly resetTtl: number
  readonly signInLinkTtl: number
  readonly addressCheckTtl: number
  /** For how long signing in cancels the deletion of an account. */
  readonly deletionGrace: number
  readonly sessionIdleTtl: number
  readonly sessionMaxTtl: number
  /** For how long a browser may skip the second factor. */
  readonly rememberedBrowserTtl: number
  /** For how long after a sign-in a person may change their sign-in methods. */
  readonly recentSignIn: number
  /** For the clocks of others only; never extends our own codes, request URIs or tokens. */
  readonly leeway: number
  readonly keyRotation: number
  readonly keyAnnounce: number
  readonly eventRetention: number
  readonly pkce: 'always' | 'public_clients'
  /** RFC 9126 §5: whether every client must push its authorization requests. A tenant may override it. */
  readonly requirePushed: boolean
  /** The allowed audience of a client assertion: the issuer alone (RFC 10070), or an endpoint as well. */
  readonly assertionAudience: 'issuer' | 'endpoints'
  /** Whether a DPoP proof must carry a nonce of ours (RFC 9449 §8). */
  readonly dpopNonce: 'off' | 'required'
  readonly registration: RegistrationPolicy
  readonly addresses: AddressRules
}

/** Seconds: no setting and no resource can give an access or ID token a longer lifetime. */
export const longestTokenLife = day

export const defaultPolicy: Policy = Object.freeze({
  accessTtl: 10 * minute,
  idTokenTtl: 10 * minute,
  codeTtl: minute,
  pushedRequestTtl: minute,
  refreshIdleTtl: 30 * day,
  refreshMaxTtl: 180 * day,
  refreshRetryWindow: minute,
  deviceTtl: 10 * minute,
  deviceInterval: 5,
  backchannelTtl: 10 * minute,
  backchannelInterval: 5,
  backchannelWaiting: 5,
  interactionTtl: 10 * minute,
  resetTtl: 30 * minute,
  signInLinkTtl: 10 * minute,
  addressCheckTtl: day,
  deletionGrace: 14 * day,
  sessionIdleTtl: 12 * hour,
  sessionMaxTtl: 30 * day,
  rememberedBrowserTtl: 30 * day,
  recentSignIn: 10 * minute,
  leeway: minute,
  keyRotation: 90 * day,
  keyAnnounce: day,
  eventRetention: 400 * day,
  pkce: 'always',
  requirePushed: false,
  assertionAudience: 'issuer',
  dpopNonce: 'off',
  registration: defaultRegistration,
  addresses: defaultAddressRules,
})
