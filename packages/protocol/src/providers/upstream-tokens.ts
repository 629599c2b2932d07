/** Validates tokens of a provider: ID tokens (OIDC Core §3.1.3.7) and logout tokens (OIDC Back-Channel Logout §2.6). */
import { jwtType } from '../jose/algorithms.ts'
import type { ParsedJwt } from '../jose/jwt.ts'
import { isSameAlgorithm, signedByOne, type VerificationKey } from '../jose/verification-key.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { isJsonObject, type Instant, type Json } from '../types.ts'
import type { Provider } from './provider.ts'
import { issuerOfToken } from './upstream-issuer.ts'

export interface SignalTokenRequirements {
  /** As its discovery document says it; Entra's may hold `{tenantid}`. */
  readonly issuer: string
  readonly clientId: string
  readonly keys: readonly VerificationKey[]
  readonly now: Instant
  /** Seconds of tolerance for the provider's clock. */
  readonly leeway: number
}

export interface UpstreamTokenRequirements extends SignalTokenRequirements {
  /** The algorithms that it may sign with for us: {@link upstreamAlgorithms}. */
  readonly algs: readonly string[]
}

/**
 * OIDC Core §3.1.3.7, Back-Channel Logout §2.6: the registered algorithm; without one, those that the provider's
 * document lists, or RS256 if it lists none. Security events have no such rule (RFC 8417).
 */
export function upstreamAlgorithms(
  { id_token_signed_response_alg: registered }: Pick<Provider, 'id_token_signed_response_alg'>,
  listed: Json | undefined,
): readonly string[] {
  if (registered !== undefined) return [registered]
  return Array.isArray(listed) && listed.length > 0 ? listed.filter((it) => typeof it === 'string') : ['RS256']
}

/** OIDC Core §2: no longer than that. */
const longestSub = 255
/** Seconds: ID tokens and logout tokens are made for immediate use. */
const longestAge = 600

export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** The first check that an ID token fails, for the operator's log; null where it is valid. */
export function idTokenProblem(
  jwt: ParsedJwt,
  on: UpstreamTokenRequirements & { readonly nonce: string },
): string | null {
  const { claims } = jwt
  if (jwt.typ !== undefined && jwt.typ !== 'jwt') return 'token_typ'
  if (!isSubject(claims['sub'])) return 'token_sub'
  const misdirected = addresseeProblem(jwt, on)
  if (misdirected !== null) return misdirected
  if (claims['nonce'] !== on.nonce) return 'token_nonce'
  if (claims['auth_time'] !== undefined && !isTime(claims['auth_time'])) return 'token_auth_time'
  return timeProblem(jwt, on) ?? algorithmProblem(jwt, on) ?? signatureProblem(jwt, on)
}

/** The same for a logout token; the caller uses up its `jti`. */
export function logoutTokenProblem(jwt: ParsedJwt, on: UpstreamTokenRequirements): string | null {
  const { claims } = jwt
  // §2.4 recommends a type of its own; a token with any other type is not a logout token.
  if (jwt.typ !== undefined && jwt.typ !== 'jwt' && jwt.typ !== jwtType.logout) return 'token_typ'
  const { sub, sid, jti, nonce, events } = claims
  if (nonce !== undefined) return 'token_nonce'
  if (!isJsonObject(events) || !Object.hasOwn(events, logoutEvent) || !isJsonObject(events[logoutEvent]))
    return 'token_events'
  if (sub === undefined && sid === undefined) return 'token_sub'
  if (sub !== undefined && !isSubject(sub)) return 'token_sub'
  if (sid !== undefined && !isText(sid, textLimits.claim)) return 'token_sid'
  if (!isText(jti, textLimits.jti)) return 'token_jti'
  return addresseeProblem(jwt, on) ?? timeProblem(jwt, on) ?? algorithmProblem(jwt, on) ?? signatureProblem(jwt, on)
}

/** Seconds: a provider that could not reach us retries for days, but no longer than this. */
export const longestSignalAge = 7 * 86_400

/**
 * The same of a security event token (RFC 8417 §2.2, SSF 1.0 §4.1), which says when it was made and never when it ends.
 */
export function signalTokenProblem(jwt: ParsedJwt, on: SignalTokenRequirements): string | null {
  const { jti, iat, exp, events } = jwt.claims
  // SSF 1.0 §4.1.1: the type is required, so that no other token of the provider is accepted as one.
  if (jwt.typ !== jwtType.securityEvent) return 'token_typ'
  if (!isJsonObject(events) || Object.keys(events).length === 0) return 'token_events'
  if (!isText(jti, textLimits.jti)) return 'token_jti'
  const misdirected = addresseeProblem(jwt, on)
  if (misdirected !== null) return misdirected
  const seconds = on.now / 1000
  if (exp !== undefined && (!isTime(exp) || exp <= seconds - on.leeway)) return 'token_exp'
  if (!isTime(iat) || iat > seconds + on.leeway || iat < seconds - longestSignalAge) return 'token_iat'
  return signatureProblem(jwt, on)
}

/** Whose it is and whom it is for: us and nobody else, since whoever else it is for could bring it here. */
function addresseeProblem({ claims }: ParsedJwt, { issuer, clientId }: SignalTokenRequirements): string | null {
  if (issuerOfToken(claims, issuer) === null) return 'token_iss'
  const { aud, azp } = claims
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (named.length !== 1 || named[0] !== clientId) return 'token_aud'
  return azp === undefined || azp === clientId ? null : 'token_azp'
}

function timeProblem({ claims }: ParsedJwt, { now, leeway }: SignalTokenRequirements): string | null {
  const { exp, iat, nbf } = claims
  const seconds = now / 1000
  if (!isTime(exp) || exp <= seconds - leeway) return 'token_exp'
  if (!isTime(iat) || iat > seconds + leeway || iat < seconds - longestAge - leeway) return 'token_iat'
  return nbf === undefined || (isTime(nbf) && nbf <= seconds + leeway) ? null : 'token_nbf'
}

const algorithmProblem = ({ alg }: ParsedJwt, { algs }: UpstreamTokenRequirements): string | null =>
  algs.some((it) => isSameAlgorithm(it, alg)) ? null : 'token_alg'

/** Keys are asymmetric, and each knows its algorithms: neither `none` nor a secret made of a public key finds one. */
const signatureProblem = (jwt: ParsedJwt, { keys }: SignalTokenRequirements): string | null =>
  signedByOne(jwt, keys) ? null : 'token_signature'

const isText = (value: Json | undefined, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most

const isSubject = (value: Json | undefined): value is string =>
  isText(value, longestSub) && !/[\p{Cc}\p{Cs}]/u.test(value)

const isTime = (value: Json | undefined): value is number => typeof value === 'number' && Number.isFinite(value)
