/** What a scope is called in a language, or a type of details: the catalogue's own words, else ours, else its name. */
import type { ScopeEntry } from '@grantor/protocol/oauth'
import type { Language } from './index.ts'

export function scopeWords(language: Language, name: string, entry: Pick<ScopeEntry, 'description'> | null): string {
  const own = entry === null ? undefined : described(language, entry.description)
  if (own !== undefined && own !== '') return own
  const { scopes } = language.messages
  return Object.hasOwn(scopes, name) ? scopes[name as keyof typeof scopes] : name
}

export function described(language: Language, description: ScopeEntry['description']): string | undefined {
  if (typeof description === 'string') return description
  return description[language.tag] ?? description['en'] ?? Object.values(description)[0]
}
