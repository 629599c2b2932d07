/** The credentials of a request, and the bearer token in them (RFC 6750 §2.1, RFC 9110 §11.4). */
import { parseAuthorizationHeader } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { ApiRequest } from '../http/request.ts'
import { type Rejection, rejection } from './rejections.ts'

/** What to do with a JWT when the revocation state is too old to judge it by. */
export type StalePolicy = 'refuse' | 'introspect' | 'serve'

export interface PresentedCredentials {
  /**
   * The Authorization header: every field line of it. Node joins or drops repeated lines in `headers`, so an adapter
   * takes them from `headersDistinct` (or `Headers`, which joins with a comma; that is refused as malformed).
   */
  readonly authorization: string | readonly string[] | null | undefined
  /** A token was also sent as `access_token` in the query or the body: RFC 6750 §2 allows one method per request. */
  readonly tokenElsewhere?: boolean
  /** The tenant that this request addresses; null is the default tenant. Left out, any trusted tenant may call. */
  readonly tenant?: string | null
  /** The policy of this route; left out, the validator's. */
  readonly onStale?: StalePolicy
  /** The request that a proof of possession is checked against. Without it, bound tokens are refused. */
  readonly request?: PresentedRequest
}

export interface PresentedRequest {
  readonly method: string
  /** The URL as clients see it: behind a proxy, the public one. */
  readonly url: string
  /** Other URLs of the same resource (RFC 8705 §5), which a proof may name as well. */
  readonly aliases?: readonly string[]
  /** The DPoP header (RFC 9449 §4.1). */
  readonly proof?: string | undefined
  /** The client certificate of the connection (RFC 8705 §3); read only where a token is bound to one. */
  readonly certificate?: ApiRequest['certificate']
  /** The client's IP address as the adapter knows it; read for API keys and for tokens the issuer is asked about. */
  readonly address?: (() => string | null) | undefined
  /** The address of the connection's peer, which alone decides whether a proxy's header is trusted. */
  readonly peer?: ApiRequest['peer']
  /** All lines of a header, by its name in lower case. */
  readonly lines?: ((name: string) => readonly string[]) | undefined
}

export interface BearerToken {
  readonly scheme: 'bearer' | 'dpop'
  readonly token: string
}

/** A request as an adapter has it: the target as it was sent, all lines of a header by its name in lower case. */
export interface RequestLines {
  readonly method: string
  readonly target: string
  readonly lines: (name: string) => readonly string[]
  readonly address?: PresentedRequest['address']
  readonly peer?: PresentedRequest['peer']
  readonly certificate?: PresentedRequest['certificate']
}

/** RFC 6750 §2.3: whether a query carries a token, under whatever spelling a form parser would read as that name. */
function isTokenInQuery(target: string): boolean {
  const at = target.indexOf('?')
  return at >= 0 && new URLSearchParams(target.slice(at)).has('access_token')
}

/**
 * The credentials of a request. `origin` is the API's own, so that no proxy or Host header decides the URL of a proof.
 */
export function presentedCredentials(
  { method, target, lines, address, peer, certificate }: RequestLines,
  origin: string,
): PresentedCredentials {
  const proofs = lines('dpop')
  return {
    authorization: lines('authorization'),
    tokenElsewhere: isTokenInQuery(target),
    request: {
      method,
      // RFC 9112 §3.2.2: a proxy may send the absolute form.
      url: origin + (target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')),
      // RFC 9449 §4.3: not more than one proof; two that are joined do not parse.
      proof: proofs.length === 0 ? undefined : proofs.join(', '),
      certificate,
      address,
      peer,
      lines,
    },
  }
}

/** The scheme of the challenge to these credentials. */
export function presentedScheme({ authorization }: PresentedCredentials): BearerToken['scheme'] {
  const line = typeof authorization === 'string' ? authorization : authorization?.[0]
  return parseAuthorizationHeader(line)?.scheme === 'dpop' ? 'dpop' : 'bearer'
}

/** Headers are at most 16 KiB; a token may take half of that. */
const longestToken = 8192

/** The one Authorization line of a request; null where there is none, several, or a token elsewhere, too. */
export function authorizationLine({ authorization, tokenElsewhere }: PresentedCredentials): string | null {
  if (tokenElsewhere === true) return null
  if (typeof authorization === 'string') return authorization
  return authorization?.length === 1 ? (authorization[0] ?? null) : null
}

export function readBearerToken({
  authorization,
  tokenElsewhere,
}: PresentedCredentials): Result<BearerToken, Rejection> {
  const lines = typeof authorization === 'string' ? [authorization] : (authorization ?? [])
  const [line] = lines
  if (lines.length > 1) return err(rejection('header_repeated'))
  if (line === undefined || line === '')
    return err(rejection(tokenElsewhere === true ? 'invalid_request' : 'token_missing'))
  // A request with another scheme is challenged, not called malformed.
  const { scheme, token } = parseAuthorizationHeader(line) ?? {}
  if (scheme !== 'bearer' && scheme !== 'dpop') return err(rejection('token_missing'))
  if (tokenElsewhere === true) return err(rejection('header_repeated'))
  if (line.length > longestToken + 'Bearer '.length) return err(rejection('token_malformed'))
  // One space: RFC 9110 allows more, but no client sends more, and one form is easier to guard.
  if (typeof token !== 'string' || line.length !== scheme.length + 1 + token.length)
    return err(rejection('invalid_request'))
  return ok({ scheme, token })
}
