/** Whether a token of another issuer is good: RFC 7523 §3, RFC 8725, draft-ietf-oauth-identity-assertion-authz-grant §4.4. */
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
  /** Our own name. */
  readonly self: string
  /** Its keys, as far as they can be had. */
  readonly keys: readonly VerificationKey[]
  readonly now: Instant
  /** Seconds, for its clock: a token may begin this much later. */
  readonly leeway: number
}

/** Seconds that a token may still be good for: its identifier is remembered, and a stolen one is good, that long. */
const longestLife = 24 * 3600
const longestIdJagLife = 3600

/** Kinds that speak of who somebody is. What is made for another purpose (a logout, a proof, a grant) is none. */
const identityTypes: ReadonlySet<string | undefined> = new Set([
  undefined,
  'jwt',
  jwtType.access,
  'client-authentication+jwt',
])

export const isIdJag = ({ typ }: Pick<ParsedJwt, 'typ'>): boolean => typ === jwtType.idJag

/** The first check that a token fails, for the operator's log; null where it is good. Nothing else of it was believed. */
export function trustedTokenProblem(jwt: ParsedJwt, on: TrustedTokenRequirements): string | null {
  const { claims } = jwt
  if (!isIdJag(jwt) && !identityTypes.has(jwt.typ)) return 'token_typ'
  // Whoever is trusted under our own name would make us believe ourselves twice.
  if (claims['iss'] !== on.issuer.issuer || on.issuer.issuer === on.self) return 'token_iss'
  if (!isText(claims['sub'])) return 'token_sub'
  if (!isOnlyFor(claims['aud'], isIdJag(jwt) ? on.self : (on.issuer.audience ?? on.self))) return 'token_aud'
  if (isDeep(claims, mostLevels)) return 'token_deep'
  if (claims['jti'] !== undefined && tokenIdOf(jwt) === null) return 'token_jti'
  const late = timeProblem(jwt, on)
  if (late !== null) return late
  return signedByOne(jwt, on.keys) ? null : 'token_signature'
}

/** No token says anything that is nested deeper. */
const mostLevels = 16

const isDeep = (value: Json, left: number): boolean =>
  typeof value === 'object' && value !== null && (left === 0 || Object.values(value).some((it) => isDeep(it, left - 1)))

/** Us and nobody else; a list of one is the same. Whoever else it is for could bring it here. */
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

/** What makes it single; null where it has none. */
export const tokenIdOf = ({ claims: { jti } }: Pick<ParsedJwt, 'claims'>): string | null =>
  typeof jti === 'string' && jti !== '' && jti.length <= textLimits.jti ? jti : null

/** Empty where it has none, which a good one never is. */
export const subjectOfToken = ({ claims: { sub } }: Pick<ParsedJwt, 'claims'>): string =>
  typeof sub === 'string' ? sub : ''

/** Rounded down: nothing that rests on it lives longer. */
export const tokenEnd = ({ claims: { exp } }: Pick<ParsedJwt, 'claims'>): Instant =>
  Math.floor(Number(exp) * 1000) as Instant

/** By what a person of ours is to be found. */
export type PersonLookup = { readonly username: string } | { readonly email: string }

/**
 * Whom of ours a token speaks of. A link counts before an address, and an address only if the issuer vouches for its
 * domain here and says itself that it was verified: else whoever may write addresses there could be anybody here.
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

/** An issuer of several tenants may give two people one `sub`: who says a tenant must say the declared one. */
const isOfTenant = (claims: JsonObject, { claims: asked = {} }: TrustedPeople): boolean =>
  keeps(claims, asked) && (claims['tenant'] === undefined || asked['tenant'] !== undefined)
