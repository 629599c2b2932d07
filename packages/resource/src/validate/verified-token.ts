/** A token whose origin is proven: its claims, read once for all later requests (RFC 9068 §2.2, RFC 7662 §2.2). */
import { hash } from 'node:crypto'
import { type AuthorizationDetail, isDetail } from '@grantor/protocol/authorization-details'
import type { VerificationKey } from '@grantor/protocol/jose'
import { apiKeyTokenType, maySayAccess } from '@grantor/protocol/oauth'
import { err, ok, type Ok, type Result } from '@grantor/protocol/result'
import { statusReference, type StatusReference } from '@grantor/protocol/status-list'
import type { Instant, Json, JsonObject } from '@grantor/protocol/types'
import { type AddressBlock, addressBlock } from '@grantor/protocol/uri'
import { grantedScope } from '../granted-scope.ts'
import type { TrustedIssuer } from '../issuer/trusted-issuers.ts'
import type { RevocableToken } from '../revocation/revocation-source.ts'
import type { Caller } from './caller.ts'
import { readForeignClaims } from './foreign-claims.ts'
import type { RejectionCode } from './rejections.ts'

export interface VerifiedToken {
  readonly issuer: TrustedIssuer
  /** null where the issuer vouched for the token by introspection. */
  readonly key: VerificationKey | null
  /** Monotonic: when the issuer was asked about the token; null where it was verified by its signature. */
  readonly askedAt: number | null
  readonly caller: Caller
  /** The positive verdict, built once. */
  readonly accepted: Ok<Caller>
  readonly revocable: RevocableToken
  /** The revision of the issuer's revocations at which the token was last found not to be revoked. */
  foundGoodAt: number | undefined
  /** The token's entry in a status list, if it names one. */
  readonly status: StatusReference | null
  /** The later of `nbf` and `iat`. */
  readonly validFrom: number
  /** RFC 7800: what the token is bound to. */
  readonly confirmation: JsonObject | null
  /** Addresses from which an API key may be used; null means anywhere. */
  readonly addresses: readonly AddressBlock[] | null
}

type ClaimsError = Extract<
  RejectionCode,
  'token_malformed' | 'token_type_invalid' | 'audience_mismatch' | 'tenant_mismatch'
>

export interface VerificationContext {
  readonly issuer: TrustedIssuer
  readonly key: VerificationKey | null
  readonly audience: ReadonlySet<string>
  /** Where the issuer was asked: when (monotonic and wall clock), and about which kind of credential. */
  readonly asked?: {
    readonly at: number
    readonly on: Instant
    readonly as: Caller['credential']
  }
  /** Used as `jti` where an introspection response or a foreign issuer's token has none. */
  readonly fallbackId?: string
}

export function readVerifiedToken(
  written: JsonObject,
  context: VerificationContext,
): Result<VerifiedToken, ClaimsError> {
  const { issuer, key, audience, asked, fallbackId } = context
  const claims = issuer.foreign === null ? written : readForeignClaims(written, issuer.foreign, fallbackId ?? '')
  if (claims === null) return err('token_malformed')
  const read = readClaims(claims, context)
  if (read.kind === 'error') return read
  if (!isMeantFor(claims['aud'], audience)) return err('audience_mismatch')
  const tenant = issuer.tenantOf(claims)
  if (tenant === undefined) return err('tenant_mismatch')
  const { credential, expiresAt, notBefore, addresses, ...identified } = read.value
  const caller: Caller = Object.freeze({
    credential,
    issuer: issuer.issuer,
    tenant,
    ...identified,
    grantId: text(claims['grant_id']),
    claims,
    expiresAt,
    ...(asked === undefined ? {} : { askedOn: asked.on }),
  })
  const revocable = revocableOf(caller)
  const status = statusReference(claims)
  if (status !== null) issuer.seen.listed = true
  if (asked !== undefined) issuer.seen.asked = true
  const verified: VerifiedToken = {
    issuer,
    key,
    askedAt: asked?.at ?? null,
    caller,
    accepted: Object.freeze(ok(caller)),
    // No cutoff by second ends an API key: it makes us ask its issuer again instead (news.ts).
    revocable: credential === 'api_key' ? { ...revocable, issuedAt: Infinity as Instant } : revocable,
    foundGoodAt: undefined,
    status,
    validFrom: Math.max(revocable.issuedAt, notBefore),
    confirmation: confirmationIn(claims['cnf']),
    addresses,
  }
  verifications.set(caller, verified)
  return ok(verified)
}

interface ReadClaims extends Pick<
  Caller,
  'credential' | 'subject' | 'clientId' | 'scope' | 'authorizationDetails' | 'jti' | 'expiresAt'
> {
  /** Milliseconds; 0 where there is no `nbf`. */
  readonly notBefore: number
  readonly addresses: VerifiedToken['addresses']
}

/** Reads all claims but the audience. A signed token must have all of them; an introspection response may lack some. */
function readClaims(
  claims: JsonObject,
  { key, asked, fallbackId }: VerificationContext,
): Result<ReadClaims, ClaimsError> {
  const isSigned = key !== null
  const credential = asked?.as ?? 'access_token'
  const isKey = credential === 'api_key'
  // An API key is never accepted as an access token, nor the other way round.
  if (isKey !== (!isSigned && claims['token_type'] === apiKeyTokenType)) return err('token_type_invalid')
  // RFC 8725 §3.12: a JWT with the claims of another kind is no access token, whatever its header says.
  if (isSigned && !maySayAccess(claims)) return err('token_malformed')
  const { iat, nbf, scope = '' } = claims
  const exp = isKey && claims['exp'] === undefined ? endless : claims['exp']
  const mayLackIat = !isSigned && iat === undefined
  if (!numericDate(exp) || !(numericDate(iat) || mayLackIat)) return err('token_malformed')
  if (nbf !== undefined && !numericDate(nbf)) return err('token_malformed')
  const clientId = text(claims['client_id'])
  const jti = text(claims['jti']) ?? fallbackId ?? null
  const subject = text(claims['sub']) ?? (isSigned ? null : clientId)
  if (subject === null || clientId === null || jti === null || typeof scope !== 'string') return err('token_malformed')
  const authorizationDetails = detailsIn(claims['authorization_details'])
  const addresses = isKey ? blocksIn(claims['addresses']) : null
  if (authorizationDetails === null || addresses === undefined) return err('token_malformed')
  return ok({
    credential,
    subject,
    clientId,
    scope: grantedScope(scope),
    authorizationDetails,
    jti,
    expiresAt: (exp * 1000) as Instant,
    notBefore: nbf === undefined ? 0 : nbf * 1000,
    addresses,
  })
}

const verifications = new WeakMap<Caller, VerifiedToken>()

/** The token of an accepted caller; undefined for a Caller that no validator of this process made. */
export const verificationOf = (caller: Caller): VerifiedToken | undefined => verifications.get(caller)

/** The id of a token without `jti`. */
export const tokenDigest = (token: string | Uint8Array): string => `sha256-${hash('sha256', token, 'base64url')}`

/** The facts of a token by which a revocation may name it. */
export function revocableOf({ tenant, jti, grantId, subject, clientId, claims }: Caller): RevocableToken {
  const { iat } = claims
  // An introspected token without `iat` counts as issued before every cutoff, so that any cutoff that names it ends it.
  const issuedAt = (typeof iat === 'number' ? iat * 1000 : 0) as Instant
  return { tenant, jti, grantId, sessionId: text(claims['sid']), subject, clientId, issuedAt }
}

/** Seconds: the last moment that a Date can represent. */
const endless = 8_640_000_000_000

/** RFC 7519 §4.1.3: one of our identifiers in `aud` is enough. */
function isMeantFor(aud: Json | undefined, ours: ReadonlySet<string>): boolean {
  if (typeof aud === 'string') return ours.has(aud)
  return Array.isArray(aud) && (aud as readonly unknown[]).some((name) => typeof name === 'string' && ours.has(name))
}

/** Null where any address is allowed; undefined where the claim cannot be read, so that the key is refused. */
function blocksIn(value: Json | undefined): readonly AddressBlock[] | null | undefined {
  if (value === undefined) return null
  const blocks = Array.isArray(value)
    ? (value as readonly Json[]).map((text) => (typeof text === 'string' ? addressBlock(text) : null))
    : [null]
  return blocks.every((block) => block !== null) ? blocks : undefined
}

const noDetails: readonly AuthorizationDetail[] = Object.freeze([])

/** RFC 9396 §2: an array of objects, each with a type; null for anything else. */
function detailsIn(value: Json | undefined): readonly AuthorizationDetail[] | null {
  if (value === undefined) return noDetails
  return Array.isArray(value) && (value as readonly Json[]).every(isDetail)
    ? (value as readonly AuthorizationDetail[])
    : null
}

/** Any `cnf` binds the token. One that cannot be read becomes `{}`, which nobody can prove. */
function confirmationIn(cnf: Json | undefined): JsonObject | null {
  if (cnf === undefined) return null
  return typeof cnf === 'object' && cnf !== null && !Array.isArray(cnf) ? (cnf as JsonObject) : {}
}

const text = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
/** RFC 7519 §2: seconds, possibly with a fraction; within what a Date can hold. */
const numericDate = (value: Json | undefined): value is number =>
  typeof value === 'number' && value >= 0 && value <= endless
