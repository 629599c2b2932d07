/**
 * Whether a token of another issuer is valid: RFC 7523 §3, RFC 8725, draft-ietf-oauth-identity-assertion-authz-grant
 * §4.4.
 */
import { jwtType } from '../jose/algorithms.ts'
import type { ParsedJwt } from '../jose/jwt.ts'
import { signedByOne, type VerificationKey } from '../jose/verification-key.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { emailKey, isMailAddress } from '../people/mail-address.ts'
import type { Instant, Json, JsonObject } from '../types.ts'
import { keeps } from './claim-rules.ts'
import type { TrustedIssuer, TrustedPeople } from './trusted-issuer.ts'

export interface TrustedTokenRequirements {
  readonly issuer: TrustedIssuer
  /** Our own issuer. */
  readonly self: string
  /** Its keys, as far as they are available. */
  readonly keys: readonly VerificationKey[]
  readonly now: Instant
  /** Seconds of tolerance for the issuer's clock: a token may begin this much later. */
  readonly leeway: number
}

/**
 * The maximum remaining lifetime of a token in seconds: its identifier is stored, and a stolen token is valid, that
 * long.
 */
const longestLife = 24 * 3600
const longestIdJagLife = 3600

/** Types that identify a subject. A token for another purpose (a logout, a proof, a grant) is not accepted. */
const identityTypes: ReadonlySet<string | undefined> = new Set([
  undefined,
  'jwt',
  jwtType.access,
  'client-authentication+jwt',
])

export const isIdJag = ({ typ }: Pick<ParsedJwt, 'typ'>): boolean => typ === jwtType.idJag

/**
 * The first check that a token fails, for the operator's log; null where it is valid. Nothing of the token is trusted
 * before.
 */
export function trustedTokenProblem(jwt: ParsedJwt, on: TrustedTokenRequirements): string | null {
  const { claims } = jwt
  if (!isIdJag(jwt) && !identityTypes.has(jwt.typ)) return 'token_typ'
  // An issuer declared with our own name would make our own tokens count a second time.
  if (claims['iss'] !== on.issuer.issuer || on.issuer.issuer === on.self) return 'token_iss'
  if (!isText(claims['sub'])) return 'token_sub'
  if (!isOnlyFor(claims['aud'], isIdJag(jwt) ? on.self : (on.issuer.audience ?? on.self))) return 'token_aud'
  if (isDeep(claims, mostLevels)) return 'token_deep'
  if (claims['jti'] !== undefined && tokenIdOf(jwt) === null) return 'token_jti'
  const late = timeProblem(jwt, on)
  if (late !== null) return late
  return signedByOne(jwt, on.keys) ? null : 'token_signature'
}

/** No legitimate token is nested deeper. */
const mostLevels = 16

const isDeep = (value: Json, left: number): boolean =>
  typeof value === 'object' && value !== null && (left === 0 || Object.values(value).some((it) => isDeep(it, left - 1)))

/** This server alone; a list of one is the same. Any other audience could send the token here. */
function isOnlyFor(aud: Json | undefined, audience: string): boolean {
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return named.length === 1 && named[0] === audience
}

function timeProblem(jwt: ParsedJwt, { now, leeway }: TrustedTokenRequirements): string | null {
  const { exp, nbf, iat } = jwt.claims
  const seconds = now / 1000
  const life = isIdJag(jwt) ? longestIdJagLife : longestLife
  if (typeof exp !== 'number' || exp <= seconds || exp > seconds + life + leeway) return 'token_exp'
  const begun = [nbf, iat].every((from) => from === undefined || (typeof from === 'number' && from <= seconds + leeway))
  return begun ? null : 'token_nbf'
}

const isText = (value: Json | undefined): value is string =>
  typeof value === 'string' && value !== '' && value.length <= textLimits.claim

/** Its unique id; null where it has none. */
export const tokenIdOf = ({ claims: { jti } }: Pick<ParsedJwt, 'claims'>): string | null =>
  typeof jti === 'string' && jti !== '' && jti.length <= textLimits.jti ? jti : null

/** Empty where it has none, which a valid token always has. */
export const subjectOfToken = ({ claims: { sub } }: Pick<ParsedJwt, 'claims'>): string =>
  typeof sub === 'string' ? sub : ''

/** Rounded down, so that nothing based on it lives longer. */
export const tokenEnd = ({ claims: { exp } }: Pick<ParsedJwt, 'claims'>): Instant =>
  Math.floor(Number(exp) * 1000) as Instant

/** How to find the person. */
export type PersonLookup = { readonly username: string } | { readonly email: string }

/**
 * The person here for whom a token speaks. A link takes precedence over an address, and an address counts only if the
 * issuer may vouch for its domain and states that it was verified: otherwise whoever can set addresses there could
 * impersonate anybody here.
 */
export function personMeant(claims: JsonObject, people: TrustedPeople | undefined): PersonLookup | null {
  if (people === undefined || !isOfTenant(claims, people)) return null
  const link = people.linked?.find(({ sub }) => sub === claims['sub'])
  if (link !== undefined) return { username: link.username }
  const { email, email_verified: verified } = claims
  if (typeof email !== 'string' || !isMailAddress(email) || verified !== true) return null
  const domain = emailKey(email).split('@').at(-1) ?? ''
  return people.email_domains?.includes(domain) === true ? { email } : null
}

/**
 * An issuer with several tenants may use one `sub` for two people: a token with a tenant must have the declared one.
 */
const isOfTenant = (claims: JsonObject, { claims: asked = {} }: TrustedPeople): boolean =>
  keeps(claims, asked) && (claims['tenant'] === undefined || asked['tenant'] !== undefined)
