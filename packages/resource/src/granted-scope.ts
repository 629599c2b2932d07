/** The scope of a caller as a set. Tokens of the same scope share one set, so it cannot be changed. */
import { Lru } from './lru.ts'

const shared = new Lru<string, ReadonlySet<string>>(1000)

/** RFC 6749 §3.3: words between spaces. */
export function grantedScope(text: string): ReadonlySet<string> {
  const known = shared.get(text)
  if (known !== undefined) return known
  const words = new Set(text.split(' ').filter((word) => word !== ''))
  const scope = Object.freeze(Object.defineProperties(words, { add: refused, delete: refused, clear: refused }))
  shared.set(text, scope)
  return scope
}

const refused = {
  value: (): never => {
    throw new TypeError('The scope of a caller cannot be changed')
  },
}
