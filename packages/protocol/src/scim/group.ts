/** A group in requests and filters: RFC 7643 §4.2. */
import { ok, type Result } from '../result.ts'
import type { Json, JsonObject } from '../types.ts'
import { badRequest, type ScimError } from './error.ts'
import type { Filter } from './filter.ts'
import { asList } from './value.ts'

export interface ScimGroup {
  readonly name: string
  readonly externalId: string | null
  /** Ids of people. */
  readonly members: readonly string[]
}

/** The group that a complete resource describes, after validation by its schema. */
export function groupIn(resource: JsonObject): Result<ScimGroup, ScimError> {
  const { displayName, externalId, members } = resource
  const ids = memberIds(members)
  if (ids.kind === 'error') return ids
  const named = typeof displayName === 'string' ? displayName : ''
  return ok({ name: named, externalId: typeof externalId === 'string' ? externalId : null, members: ids.value })
}

/** Without duplicates, in the given order. */
export function memberIds(members: Json | undefined): Result<readonly string[], ScimError> {
  const ids = new Set<string>()
  for (const { value, type } of asList(members)) {
    if (typeof type === 'string' && type.toLowerCase() === 'group')
      return badRequest('invalidValue', 'A group has no groups in it.')
    if (typeof value !== 'string') return badRequest('invalidValue', 'A member is named by its value.')
    ids.add(value)
  }
  return ok([...ids])
}

/** Whether a filter uses an attribute that another list holds: `members` of groups, `groups` of people. */
export const mentions = (filter: Filter, attribute: string): boolean =>
  'terms' in filter
    ? filter.terms.some((term) => mentions(term, attribute))
    : 'term' in filter
      ? mentions(filter.term, attribute)
      : filter.path.attribute.toLowerCase() === attribute

const byValueAlone = badRequest('invalidFilter', 'Members are compared by their value, with eq or ne.')

/**
 * The people whom a filter for groups names. Only these members are looked up, so that no group is read as a whole; so
 * any other condition on members is refused.
 */
export function membersNamed(filter: Filter): Result<ReadonlySet<string>, ScimError> {
  const named = new Set<string>()
  const isFine = gather(filter, named)
  return isFine ? ok(named) : byValueAlone
}

function gather(filter: Filter, named: Set<string>): boolean {
  if ('terms' in filter) return filter.terms.every((term) => gather(term, named))
  if ('term' in filter) return gather(filter.term, named)
  if (filter.path.attribute.toLowerCase() !== 'members') return true
  if (filter.kind === 'values') return gatherValues(filter.where, named)
  return filter.kind === 'compare' && noted(filter, filter.path.sub ?? 'value', named)
}

/** The condition between the brackets of `members[value eq "…"]`. */
function gatherValues(where: Filter, named: Set<string>): boolean {
  if ('terms' in where) return where.terms.every((term) => gatherValues(term, named))
  return where.kind === 'compare' && where.op === 'eq' && noted(where, where.path.attribute, named)
}

function noted({ op, value }: Extract<Filter, { kind: 'compare' }>, part: string, named: Set<string>): boolean {
  if (part.toLowerCase() !== 'value' || (op !== 'eq' && op !== 'ne') || typeof value !== 'string') return false
  named.add(value)
  return true
}
