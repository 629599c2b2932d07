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
  /** How long a spent refresh token, presented again by the same client, still yields its one successor. */
  readonly refreshRetryWindow: number
  readonly deviceTtl: number
  readonly deviceInterval: number
  /** Of a request by the back channel (CIBA): how long a person may take, and how often the client may ask. */
  readonly backchannelTtl: number
  readonly backchannelInterval: number
  /** How many such requests wait for one person at most. */
  readonly backchannelWaiting: number
  readonly interactionTtl: number
  /** How long a mailed link sets a new password, one signs in, and one confirms an address. */
  readonly resetTtl: number
  readonly signInLinkTtl: number
  readonly addressCheckTtl: number
  /** How long an account that its person ended can be kept by signing in. */
  readonly deletionGrace: number
  readonly sessionIdleTtl: number
  readonly sessionMaxTtl: number
  /** How long a browser is spared the second factor. */
  readonly rememberedBrowserTtl: number
  /** How long after a sign-in a person may change what they sign in with. */
  readonly recentSignIn: number
  /** For other people's clocks only; never extends our own codes, request URIs or tokens. */
  readonly leeway: number
  readonly keyRotation: number
  readonly keyAnnounce: number
  readonly eventRetention: number
  readonly pkce: 'always' | 'public_clients'
  /** RFC 9126 §5: whether every client pushes its authorization requests. A tenant may say otherwise. */
  readonly requirePushed: boolean
  /** How a client assertion may call us: by the issuer alone (RFC 10070), or by an endpoint as well. */
  readonly assertionAudience: 'issuer' | 'endpoints'
  /** Whether a DPoP proof must carry a nonce of ours (RFC 9449 §8). */
  readonly dpopNonce: 'off' | 'required'
  readonly registration: RegistrationPolicy
  readonly addresses: AddressRules
}

/** Seconds: no setting and no resource gives an access or ID token a longer life. */
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
