/** Client metadata as they come back from a database: of the shape that the table of fields says, whatever the values. */
import { isJsonObject, type JsonObject } from '../types.ts'
import { clientFieldNames, clientFields, type ClientMetadata } from './client-fields.ts'

/** RFC 7591 §2: those that have a value where nothing is said, and therefore always are there. */
const always = ['redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method', 'scope'] as const

/**
 * Why this is no client's metadata; null when it is. Values are not judged again: what was allowed when it was written
 * stays readable, and fields that are not known were written by a newer program.
 */
export function storedMetadataProblem(value: unknown): string | null {
  if (!isJsonObject(value)) return 'the metadata are no object'
  for (const name of always) if (value[name] === undefined) return `the metadata have no ${name}`
  for (const name of clientFieldNames) {
    const held = value[name]
    if (held !== undefined && !fits(held, clientFields[name].type.schema)) return `${name} is of another type`
  }
  return null
}

export const isStoredMetadata = (value: unknown): value is ClientMetadata => storedMetadataProblem(value) === null

function fits(value: unknown, { type, items }: JsonObject): boolean {
  if (type === 'array')
    return Array.isArray(value) && value.every((entry) => !isJsonObject(items) || fits(entry, items))
  if (type === 'object') return isJsonObject(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === type
}
