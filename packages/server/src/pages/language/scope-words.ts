/** What a scope is called in a language, or a type of details: the catalogue's own words, else ours, else its name; and in which order they are told. */
import type { ScopeEntry } from '@grantor/protocol/oauth'
import { oidcScopeNames } from '@grantor/protocol/oidc'
import { fallback, type Language } from './index.ts'
import { lookupAmong } from './lookup.ts'

export function scopeWords(language: Language, name: string, entry: Pick<ScopeEntry, 'description'> | null): string {
  const own = entry === null ? undefined : described(language, entry.description)
  if (own !== undefined && own !== '') return own
  const { scopes } = language.messages
  return Object.hasOwn(scopes, name) ? scopes[name as keyof typeof scopes] : name
}

export function described(language: Language, description: ScopeEntry['description']): string | undefined {
  if (typeof description === 'string') return description
  const found = lookupAmong(Object.keys(description))([language.tag, fallback.tag])
  return found === null ? Object.values(description)[0] : description[found]
}

/** First who one is, then what may be done, at the end for how long: as one would tell it. */
export const inReadingOrder = (scope: ReadonlySet<string>): readonly string[] =>
  [...scope].toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))

const rank = (name: string): number => {
  const position = oidcScopeNames.indexOf(name)
  if (name === 'offline_access') return 1000
  return position === -1 ? 100 : position
}
