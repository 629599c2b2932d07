/** JSON in a string of a JSON document: Keycloak stores the two halves of a credential so. */
import { isRecord } from './source.ts'

/** An empty object if the value is not a JSON object in a string. */
export function jsonWithin(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'string') return {}
  try {
    const read: unknown = JSON.parse(value)
    return isRecord(read) ? read : {}
  } catch {
    return {}
  }
}
