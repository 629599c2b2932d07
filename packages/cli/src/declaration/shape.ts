/** The outermost shape of a declaration; everything inside is the authority's to judge. */
import type { Declaration } from '@grantor/authority'
import type { Json, JsonObject } from '@grantor/protocol/types'

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An empty file declares nothing; that is allowed. Undefined means: not a declaration at all. */
export function asDeclaration(value: Json): Declaration | undefined {
  if (value === null) return {}
  return isObject(value) ? value : undefined
}
