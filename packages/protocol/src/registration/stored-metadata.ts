/** Client metadata read from a database: checks the types by the table of fields, but not the values. */
import { isJsonObject, type JsonObject } from '../types.ts'
import { clientFieldNames, clientFields, type ClientMetadata } from './client-fields.ts'

/** RFC 7591 §2: fields with a default value, which are therefore always present. */
const always = ['redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method', 'scope'] as const

/**
 * Why a value is not client metadata; null when it is. Values are not validated again: what was allowed when it was
 * written stays readable, and unknown fields were written by a newer program.
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
