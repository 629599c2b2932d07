/** The claims of a status list token, written and read (draft-ietf-oauth-status-list §5.1, §8.3). */
import { endpointUrl } from '../documents/capabilities.ts'
import { isJsonObject, type Instant, type Json, type JsonObject } from '../types.ts'
import type { StatusBits } from './list-encoding.ts'

/** Media type of a list; its `typ` is in the table of jose/algorithms.ts. */
export const statusListMediaType = 'application/statuslist+jwt'

/** Seconds for which a list may be used before it is fetched again. */
export const statusListTtl = 60

export const statusListUri = (issuer: string, list: string): string => `${endpointUrl(issuer, 'statusLists')}/${list}`

export interface StatusListToken {
  /** The address of the list. */
  readonly uri: string
  /** Everything revoked before is in the list. */
  readonly issuedAt: Instant
  readonly lst: string
  readonly aggregationUri: string
}

/** A list that a cache kept for its whole `ttl` may be used for another `ttl`; after that it has expired. */
export const statusListClaims = ({ uri, issuedAt, lst, aggregationUri }: StatusListToken): JsonObject => {
  const iat = Math.floor(issuedAt / 1000)
  return {
    sub: uri,
    iat,
    exp: iat + 2 * statusListTtl,
    ttl: statusListTtl,
    status_list: { bits: 1, lst, aggregation_uri: aggregationUri },
  }
}

export interface StatusListClaims {
  readonly issuedAt: Instant
  readonly expiresAt: Instant | null
  /** Seconds; null where the list has none. */
  readonly ttl: number | null
  readonly bits: StatusBits
  readonly lst: string
}

export interface ExpectedStatusList {
  /** As in the token that refers to it. */
  readonly uri: string
  readonly issuer: string
  readonly now: Instant
  /** Milliseconds. */
  readonly leeway: number
}

/** Null where it is not the requested list, not of this issuer, from the future, expired or malformed. */
export function readStatusListClaims(claims: JsonObject, expected: ExpectedStatusList): StatusListClaims | null {
  const { sub, iss = expected.issuer, iat, exp, nbf, ttl = null, status_list: list } = claims
  if (sub !== expected.uri || iss !== expected.issuer || !isDate(iat) || !isJsonObject(list)) return null
  const { bits, lst } = list
  if (typeof lst !== 'string' || !isBits(bits)) return null
  if (ttl !== null && !(typeof ttl === 'number' && ttl > 0)) return null
  const latest = (expected.now + expected.leeway) / 1000
  if (iat > latest || (nbf !== undefined && !(isDate(nbf) && nbf <= latest))) return null
  const expiresAt = exp === undefined ? null : isDate(exp) ? ((exp * 1000) as Instant) : undefined
  if (expiresAt === undefined || (expiresAt !== null && expiresAt + expected.leeway <= expected.now)) return null
  return { issuedAt: (iat * 1000) as Instant, expiresAt, ttl, bits, lst }
}

const isBits = (value: Json | undefined): value is StatusBits => [1, 2, 4, 8].includes(value as number)
const isDate = (value: Json | undefined): value is number =>
  typeof value === 'number' && value >= 0 && value <= 8_640_000_000_000
