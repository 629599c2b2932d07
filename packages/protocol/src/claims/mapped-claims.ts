/**
 * The claims that declared mappings yield for a person; they are added to those of the protocol, and never replace
 * them.
 */
import type { Scope } from '../oauth/scope.ts'
import type { Catalogue, Resource } from '../oauth/tenant.ts'
import { sameUri } from '../oauth/uri.ts'
import { personClaims } from '../oidc/claims.ts'
import { groupLimits } from '../people/group.ts'
import type { Person } from '../people/person.ts'
import { type Client, registeredScope } from '../registration/client.ts'
import type { Json, JsonObject } from '../types.ts'
import {
  attributeOf,
  type ClaimDestination,
  claimLimits,
  type ClaimMapping,
  type MappingPlace,
  scopeOfMapping,
  sizeOf,
} from './claim-mapping.ts'
import { isReservedClaim } from './reserved-claims.ts'

interface Mapped {
  readonly place: MappingPlace
  /** Null for a client's own token: then only constants apply. */
  readonly person: Person | null
  readonly scope: Scope
  /** The roles that apply. */
  readonly roles: readonly string[]
}

/** For an ID token or userinfo: within the scope that the client may request now. */
export function claimsForClient(
  client: Client,
  { person, scope, into }: { readonly person: Person; readonly scope: Scope; readonly into: ClaimDestination },
): JsonObject {
  const { claim_mappings: mappings } = client.metadata
  if (mappings === undefined) return {}
  const held = scope.intersection(registeredScope(client))
  const rows = mappings.filter((row) => row.in === undefined || row.in.includes(into))
  return mapped(rows, { place: 'client', person, scope: held, roles: person.roles ?? [] })
}

/** For an access token for this API. */
export function claimsForResource(
  resource: Resource | null,
  { person, scope, catalogue }: Pick<Mapped, 'person' | 'scope'> & { readonly catalogue: Catalogue },
): JsonObject {
  if (resource?.claimMappings === undefined) return {}
  const here = (catalogue.roles ?? []).filter((role) => sameUri(role.resource, resource.identifier))
  const names = new Set(here.map(({ name }) => name))
  const roles = (person?.roles ?? []).filter((name) => names.has(name))
  return mapped(resource.claimMappings, { place: 'resource', person, scope, roles })
}

/**
 * A claim without value, or beyond the size limit, is omitted; a claim of the protocol is never set by a mapping, even
 * a stored one.
 */
function mapped(mappings: readonly ClaimMapping[], it: Mapped): JsonObject {
  const found: [string, Json][] = []
  let room = claimLimits.all
  for (const mapping of mappings) {
    const neededScope = scopeOfMapping(mapping, it.place)
    if (isReservedClaim(mapping.claim) || (neededScope !== null && !it.scope.has(neededScope))) continue
    const value = mapping.value ?? (mapping.from === undefined ? undefined : valueFrom(mapping.from, it))
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue
    const size = sizeOf(value) + mapping.claim.length
    if (sizeOf(value) > claimLimits.value || size > room) continue
    room -= size
    found.push([mapping.claim, value])
  }
  return Object.fromEntries(found)
}

function valueFrom(from: string, { person, roles }: Mapped): Json | undefined {
  if (person === null) return undefined
  const attribute = attributeOf(from)
  if (attribute !== null) return own(person.attributes ?? {}, attribute)
  if (from === 'username') return person.username
  if (from === 'roles') return [...roles]
  if (from === 'groups') {
    const { groups = [] } = person
    // No partial list: a reader would take it for the whole.
    return groups.length > groupLimits.inToken ? undefined : [...groups]
  }
  return personClaims.has(from) ? own({ preferred_username: person.username, ...person.claims }, from) : undefined
}

const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
