/** The algebra of scopes: RFC 6749 §3.3. */

export type Scope = ReadonlySet<string>

/** Stricter than the grammar: nobody can consent to a list that is too long to read. */
export const scopeLimits = Object.freeze({ text: 4096, names: 100, name: 128 })

export const noScope: Scope = new Set()

/** scope-token = 1*( %x21 / %x23-5B / %x5D-7E ), separated by single spaces. */
const scopeList = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/** Null where the text is not a scope. Order and duplicates are ignored. */
export function parseScope(text: string): Scope | null {
  if (text.length > scopeLimits.text || !scopeList.test(text)) return null
  const names = new Set(text.split(' '))
  if (names.size > scopeLimits.names) return null
  for (const name of names) if (name.length > scopeLimits.name) return null
  return names
}

/** The canonical text of a set: names in code point order, so that equal scopes are equal strings. */
export const formatScope = (scope: Scope): string =>
  scope.size < 2 ? (scope.values().next().value ?? '') : [...scope].sort().join(' ')

export const isWithin = (inner: Scope, outer: Scope): boolean => inner.isSubsetOf(outer)
export const intersect = (a: Scope, b: Scope): Scope => a.intersection(b)
export const without = (a: Scope, b: Scope): Scope => a.difference(b)
