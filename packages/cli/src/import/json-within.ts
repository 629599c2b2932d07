/** JSON in a text of a JSON document, as Keycloak keeps the halves of a credential. */
import { isRecord } from './source.ts'

/** Empty where it is none. */
export function jsonWithin(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'string') return {}
  try {
    const read: unknown = JSON.parse(value)
    return isRecord(read) ? read : {}
  } catch {
    return {}
  }
}
