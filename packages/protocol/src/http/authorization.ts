/**
 * The Authorization header: RFC 9110 §11.4, used by RFC 6750 §2.1 (Bearer), RFC 7617 §2 (Basic) and RFC 9449 §7.1
 * (DPoP).
 */

export interface Credentials {
  /** In lower case, because schemes are case-insensitive. */
  readonly scheme: string
  /** token68; null where the scheme is followed by something else, or nothing. */
  readonly token: string | null
}

const grammar = /^([\w!#$%&'*+.^`|~-]+)(?: +([\w.~+/-]+=*) *$)?/

/** Null where there is no scheme. */
export function parseAuthorizationHeader(header: string | null | undefined): Credentials | null {
  const [, scheme, token = null] = grammar.exec(header ?? '') ?? []
  return scheme === undefined ? null : { scheme: scheme.toLowerCase(), token }
}

export function bearerToken(header: string | null | undefined): string | null {
  const found = parseAuthorizationHeader(header)
  return found?.scheme === 'bearer' ? found.token : null
}
