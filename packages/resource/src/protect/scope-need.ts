/** The scope that a route needs: one, any of several, or all of several. */

export type ScopeNeed = string | { readonly any: readonly string[] } | { readonly all: readonly string[] }

export function scopesOf(need: ScopeNeed): readonly string[] {
  if (typeof need === 'string') return [need]
  return 'any' in need ? need.any : need.all
}

/** A need that nothing could fulfil, or everything would, is a mistake in the declaration and does not start. */
export function checkedScopeNeed(need: ScopeNeed | undefined, route: string): ScopeNeed {
  const scopes = need === undefined ? [] : scopesOf(need)
  // RFC 6749 §3.3: scope-token.
  if (
    need === undefined ||
    scopes.length === 0 ||
    !scopes.every((scope) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope))
  ) {
    throw new Error(`${route} names no scope: a route that needs none does not start`)
  }
  return need
}

export function hasScope(need: ScopeNeed, granted: ReadonlySet<string>): boolean {
  if (typeof need === 'string') return granted.has(need)
  return 'any' in need ? need.any.some((scope) => granted.has(scope)) : need.all.every((scope) => granted.has(scope))
}
