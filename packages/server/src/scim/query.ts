/** The query of a list or a resource: from the URL, or from the body of a search (RFC 7644 §3.4.2, §3.4.3). */
import type { ScimQuery } from '@grantor/authority'
import { ok, type Result } from '@grantor/protocol/result'
import {
  badRequest,
  everything,
  type Projection,
  projectionOf,
  scimBounds,
  type ScimError,
} from '@grantor/protocol/scim'
import { isJsonObject, type Json } from '@grantor/protocol/types'

export interface ListQuery extends ScimQuery {
  readonly projection: Projection
}

const known: ReadonlySet<string> = new Set(['filter', 'startindex', 'count', 'attributes', 'excludedattributes'])
type Named = ReadonlyMap<string, string>

/**
 * Names are case-insensitive; unknown ones, `sortBy` among them, are ignored. A repeated name is refused as ambiguous.
 */
export function queryIn(search: string): Result<ListQuery, ScimError> {
  const named = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(search)) {
    const key = name.toLowerCase()
    if (!known.has(key)) continue
    if (named.has(key)) return badRequest('invalidValue', `${name} is given once.`)
    named.set(key, value)
  }
  return listQuery(named)
}

export const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** POST to `.search`. */
export function searchIn(body: Json): Result<ListQuery, ScimError> {
  if (!isJsonObject(body) || !Array.isArray(body['schemas']) || !body['schemas'].includes(searchSchema))
    return badRequest('invalidSyntax', `schemas names ${searchSchema}.`)
  const named = new Map<string, string>()
  for (const [name, value] of Object.entries(body)) {
    const text = Array.isArray(value) ? value.filter((it) => typeof it === 'string').join(',') : value
    const isPlain = typeof text === 'string' || typeof text === 'number'
    if (isPlain && known.has(name.toLowerCase())) named.set(name.toLowerCase(), String(text))
  }
  return listQuery(named)
}

function listQuery(named: Named): Result<ListQuery, ScimError> {
  const startIndex = wholeNumber(named.get('startindex'), 1)
  const count = wholeNumber(named.get('count'), scimBounds.usualResults)
  if (startIndex === null || count === null)
    return badRequest('invalidValue', 'startIndex and count are whole numbers.')
  const attributes = named.get('attributes') ?? null
  const excluded = named.get('excludedattributes') ?? null
  return ok({
    filter: named.get('filter') ?? null,
    // RFC 7644 §3.4.2.4: a startIndex below 1 counts as 1, a count below 0 as 0.
    startIndex: Math.max(1, startIndex),
    count: Math.min(scimBounds.results, Math.max(0, count)),
    projection: attributes === null && excluded === null ? everything : projectionOf(attributes, excluded),
  })
}

function wholeNumber(text: string | undefined, usual: number): number | null {
  if (text === undefined) return usual
  return /^-?\d{1,9}$/.test(text) ? Number(text) : null
}
