/** Declared claims: which data of a person are put under which name into which document (docs/claims.md). */
import { parseScope } from '../oauth/scope.ts'
import { personClaims, scopeClaims } from '../oidc/claims.ts'
import { isAttributeName } from '../people/attributes.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { isReservedClaim } from './reserved-claims.ts'

export const claimDestinations = ['id_token', 'userinfo'] as const
export type ClaimDestination = (typeof claimDestinations)[number]

/** A mapping as it is declared. Exactly one of `from` and `value` is present. */
export type ClaimMapping = {
  readonly claim: string
  /** A source; see `claimSources`. */
  readonly from?: string
  /** A constant, the same for all people. */
  readonly value?: Json
  /** The scope that must have been granted for it. */
  readonly scope?: string
  /** For a client; left out, both. Mappings of an API always go into its access tokens. */
  readonly in?: readonly ClaimDestination[]
}

/** Sizes are in bytes of JSON. Tokens are sent in headers, whose size is limited. */
export const claimLimits = Object.freeze({ mappings: 30, nameLength: 200, value: 4096, all: 8192 })

/** The one list of sources; the claims of OIDC Core §5.1 are sources by their own names as well. */
export const claimSources: Readonly<Record<string, string>> = Object.freeze({
  username: 'what they sign in with',
  groups: 'the names of their groups',
  roles: 'the names of their roles; at an API, those that they hold there',
  'attributes.': 'an attribute of theirs, by its name after the dot',
})

const attributePrefix = 'attributes.'

export const attributeOf = (from: string): string | null =>
  from.startsWith(attributePrefix) ? from.slice(attributePrefix.length) : null

const isSource = (from: string): boolean => {
  const attribute = attributeOf(from)
  return attribute === null ? personClaims.has(from) || Object.hasOwn(claimSources, from) : isAttributeName(attribute)
}

/** A plain name, or a URI as RFC 7519 §4.2 recommends for public names. */
const plainName = /^[A-Za-z][A-Za-z0-9_.-]*$/
const uriName = /^(?:https?:\/\/|urn:)[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$/

export type MappingPlace = 'client' | 'resource'

/** The problem of a list of mappings; null where it has none. */
export function claimMappingsProblem(value: unknown, place: MappingPlace): string | null {
  if (!Array.isArray(value)) return 'must be a list'
  if (value.length > claimLimits.mappings) return `must not hold more than ${claimLimits.mappings} entries`
  const problem = value.map((it) => mappingProblem(it, place)).find((it) => it !== null)
  if (problem !== undefined) return `holds an entry that ${problem}`
  const names = (value as readonly ClaimMapping[]).map(({ claim }) => claim)
  return new Set(names).size === names.length ? null : 'must not name a claim twice'
}

const members: Readonly<Record<MappingPlace, readonly string[]>> = {
  client: ['claim', 'from', 'value', 'scope', 'in'],
  resource: ['claim', 'from', 'value', 'scope'],
}

function mappingProblem(it: unknown, place: MappingPlace): string | null {
  if (!isJsonObject(it)) return 'must be an object'
  const known = members[place]
  if (!Object.keys(it).every((name) => known.includes(name))) return `must hold ${known.join(', ')}, nothing else`
  const { claim, from, value, scope, in: destinations }: JsonObject = it
  if (typeof claim !== 'string' || claim.length > claimLimits.nameLength) return 'must name a claim'
  if (!plainName.test(claim) && !uriName.test(claim)) return 'must name a claim by a plain name or a URI'
  if (isReservedClaim(claim)) return `must not set ${claim}, which the protocol says`
  if ((from === undefined) === (value === undefined)) return 'must have one of from and value'
  if (from !== undefined && !(typeof from === 'string' && isSource(from)))
    return 'must say from: a claim of OpenID Connect, username, groups, roles or attributes.NAME'
  if (value !== undefined && sizeOf(value) > claimLimits.value)
    return `must not have a value of more than ${claimLimits.value} bytes`
  if (value === null) return 'must not have null for its value'
  if (scope !== undefined && !(typeof scope === 'string' && parseScope(scope)?.size === 1)) return 'must name one scope'
  return destinationProblem(destinations)
}

function destinationProblem(destinations: Json | undefined): string | null {
  if (destinations === undefined) return null
  const named: readonly string[] = claimDestinations
  const good =
    Array.isArray(destinations) &&
    destinations.length > 0 &&
    new Set(destinations).size === destinations.length &&
    destinations.every((it) => typeof it === 'string' && named.includes(it))
  return good ? null : `must say in: some of ${claimDestinations.join(', ')}`
}

export const sizeOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value))

/** The schema of mappings, as an API describes it. */
export const claimMappingsSchema = (place: MappingPlace): JsonObject => ({
  type: 'array',
  maxItems: claimLimits.mappings,
  items: {
    type: 'object',
    required: ['claim'],
    properties: {
      claim: { type: 'string', minLength: 1, maxLength: claimLimits.nameLength },
      from: { type: 'string', maxLength: 100 },
      value: {},
      scope: { type: 'string', maxLength: 200 },
      ...(place === 'client'
        ? { in: { type: 'array', items: { type: 'string', enum: [...claimDestinations] }, maxItems: 2 } }
        : {}),
    },
    additionalProperties: false,
  },
})

/**
 * The scope that a mapping needs, if it names none: that of its source claim (OIDC Core §5.4); for other sources,
 * `profile` at a client, and none at an API, since every token for it was allowed there.
 */
export function scopeOfMapping({ from, scope }: ClaimMapping, place: MappingPlace): string | null {
  if (scope !== undefined) return scope
  if (from === undefined) return place === 'client' ? 'openid' : null
  const own = Object.entries(scopeClaims).find(([, claims]) => claims.includes(from))?.[0]
  return own ?? (place === 'client' ? 'profile' : null)
}
