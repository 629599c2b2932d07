/** JSON Merge Patch: RFC 7396. */
import { isJsonObject, type Json } from '../types.ts'

/**
 * RFC 7396 §2. Built with Object.fromEntries, which defines own properties: a member named `__proto__` stays a member
 * and never becomes a prototype. Depth is limited where JSON is read (json-text.ts).
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const merged = new Map<string, Json>(isJsonObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
