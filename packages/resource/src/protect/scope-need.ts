/** What a route needs of a token: one scope, any or all of several, or authorization details of a type (RFC 9396). */
import type { Caller } from '../validate/caller.ts'

export type ScopeNeed =
  | string
  | { readonly any: readonly string[] }
  | { readonly all: readonly string[] }
  /** Only the type is checked; the handler judges the content: `caller.authorizationDetails`. */
  | { readonly details: string }

/** The scopes of a need; none where it is for authorization details. */
export function scopesOf(need: ScopeNeed): readonly string[] {
  if (typeof need === 'string') return [need]
  if ('details' in need) return []
  return 'any' in need ? need.any : need.all
}

/** RFC 6749 §3.3. */
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/

/** Throws for a need that no token, or every token, would fulfil: that is a mistake in the declaration. */
export function checkedScopeNeed(need: ScopeNeed | undefined, route: string): ScopeNeed {
  if (typeof need === 'object' && 'details' in need && need.details !== '') return need
  const scopes = need === undefined ? [] : scopesOf(need)
  const areValid = scopes.length > 0 && scopes.every((scope) => scopeToken.test(scope))
  if (need === undefined || !areValid)
    throw new Error(`${route} names no scope: a route that needs none does not start`)
  return need
}

export function isFulfilled(
  need: ScopeNeed,
  { scope: granted, authorizationDetails }: Pick<Caller, 'scope' | 'authorizationDetails'>,
): boolean {
  if (typeof need === 'string') return granted.has(need)
  if ('details' in need) return authorizationDetails.some(({ type }) => type === need.details)
  return 'any' in need ? need.any.some((scope) => granted.has(scope)) : need.all.every((scope) => granted.has(scope))
}
