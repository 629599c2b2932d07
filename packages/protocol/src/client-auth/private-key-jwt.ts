/** private_key_jwt — RFC 7521 §4.2, RFC 7523 §2.2 and §3 as RFC 10070 tightened them, OIDC Core §9. */
import { type ParsedJwt, parseJwt } from '../jose/jwt.ts'
import { fittingKeys, signedByOne } from '../jose/verification-key.ts'
import type { Client } from '../registration/client.ts'
import { leewayAhead, maySignWith, profileOf } from '../registration/profiles.ts'
import { textLimits } from '../oauth/text-limits.ts'
import type { Instant, Json } from '../types.ts'
import { err, ok } from '../result.ts'
import { type ClientAuthInput, type ClientAuthRule, isClientId } from './rule.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const failed = err({ reason: 'client_unauthenticated', challenge: false } as const)

/**
 * Seconds an assertion may have left: its identifier is stored that long, and a stolen assertion is valid that long.
 */
export const assertionLife = 600

export const privateKeyJwt: ClientAuthRule = {
  method: 'private_key_jwt',
  recognise({ form }) {
    const text = form.get('client_assertion')
    const type = form.get('client_assertion_type')
    if (text === undefined && type === undefined) return null
    if (text === undefined || type !== assertionType || text.length > textLimits.jwt) return failed
    const assertion = parseJwt(text)
    const clientId = assertion?.claims['sub']
    if (assertion === null || typeof clientId !== 'string') return failed
    // An assertion by another issuer about the client, which another method reads.
    if (isOfOthers(assertion)) return null
    if (!isClientId(clientId)) return failed
    // RFC 7521 §4.2: client_id is not needed beside an assertion, but must not name another client.
    const again = form.get('client_id')
    if (again !== undefined && again !== clientId) return err({ reason: 'client_auth_ambiguous' })
    return ok({ method: 'private_key_jwt', clientId, secret: null, assertion })
  },
  proves: (it) => assertionProblem(it) === null,
}

/**
 * RFC 7523 §3: in an assertion that the client signs, issuer and subject are the client; otherwise it is another
 * issuer's.
 */
export const isOfOthers = ({ claims: { iss, sub } }: ParsedJwt): boolean =>
  typeof iss === 'string' && typeof sub === 'string' && iss !== sub

/** The first check that an assertion fails; null where it is valid. */
export function assertionProblem({ presented, client, now, requirements }: ClientAuthInput): string | null {
  const { assertion, clientId } = presented
  if (assertion === undefined || requirements === undefined || client === null) return 'assertion_missing'
  const { claims, typ } = assertion
  if (!isAssertionType(typ)) return 'assertion_typ'
  if (claims['iss'] !== clientId) return 'assertion_iss'
  if (assertionId(assertion) === null) return 'assertion_jti'
  const { issuerAsText } = profileOf(client)
  const audiences = issuerAsText ? new Set([requirements.issuer]) : requirements.audiences
  if ((issuerAsText && typeof claims['aud'] !== 'string') || !isMeantFor(claims['aud'], audiences))
    return 'assertion_aud'
  if (!isTimely(assertion, { now, client, leeway: requirements.leeway })) return 'assertion_exp'
  const keys = fittingKeys(assertion, client.metadata.token_endpoint_auth_signing_alg, requirements.keys)
  if (keys.length === 0 || !maySignWith(client, assertion.alg)) return 'assertion_key'
  return signedByOne(assertion, keys) ? null : 'assertion_signature'
}

/** RFC 10070: `client-authentication+jwt`, or an older form. A token of another type is not an assertion. */
const isAssertionType = (typ: string | undefined): boolean =>
  typ === undefined || typ === 'jwt' || typ === 'client-authentication+jwt'

/** RFC 10070: the audience must be this server alone; a list with one member is the same. */
function isMeantFor(aud: Json | undefined, audiences: ReadonlySet<string>): boolean {
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return named.length > 0 && named.every((one) => typeof one === 'string' && audiences.has(one))
}

interface Clocks {
  readonly now: Instant
  readonly client: Client
  readonly leeway: number
}

/** RFC 7523 §3: `exp` is required and near; `nbf` and `iat` are optional, with leeway for a clock that is ahead. */
function isTimely({ claims: { exp, nbf, iat } }: ParsedJwt, { now, client, leeway }: Clocks): boolean {
  const seconds = now / 1000
  if (typeof exp !== 'number' || exp + leeway <= seconds || exp > seconds + assertionLife + leeway) return false
  const latest = seconds + leewayAhead(client, leeway)
  return [nbf, iat].every((from) => from === undefined || (typeof from === 'number' && from <= latest))
}

/** The unique id of an assertion; null where it has none (OIDC Core §9 requires one), or one that is too long. */
export function assertionId({ claims: { jti } }: ParsedJwt): string | null {
  return typeof jti === 'string' && jti !== '' && jti.length <= textLimits.jti ? jti : null
}

/** From then on the assertion would be refused anyway. */
export const assertionEnd = ({ claims: { exp } }: ParsedJwt, leeway: number): Instant =>
  Math.ceil((Number(exp) + leeway) * 1000) as Instant
