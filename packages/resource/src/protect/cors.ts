/** Cross-origin requests of browsers (Fetch standard §3.3). No cookies are involved, so no credentials are allowed. */
import type { RequestHeaders } from '../http/request.ts'
import { type ApiResponse, apiResponse } from '../http/response.ts'

export interface CorsPlan {
  /** Origins in full, or `*`: a bearer token is not sent by a browser on its own, so any page may ask. */
  readonly origins: '*' | readonly string[]
  /** Request headers that pages may send, in addition to those of the conventions. */
  readonly requestHeaders?: readonly string[]
  /** Response headers that pages may read, in addition to those of the conventions. */
  readonly responseHeaders?: readonly string[]
}

/**
 * The problem of an origin that browsers never send (RFC 6454 §6.2, Fetch standard §3.2): theirs have no trailing
 * slash, path, capitals or default port. Null for an origin that a browser may send.
 */
export function originProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  const sent = isHttp ? url.origin === text : text === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text)
  if (sent) return null
  return `${text} is no origin as browsers send it${isHttp ? `: ${url.origin}` : ''}`
}

/** Throws for an origin that browsers never send: it would match no page, without any sign of why. */
export function checkedCors(plan: CorsPlan): CorsPlan {
  const problems = plan.origins === '*' ? [] : plan.origins.map(originProblem)
  for (const problem of problems) if (problem !== null) throw new TypeError(`cors: ${problem}`)
  return plan
}

/** What MCP clients in browsers send and read (MCP 2026-07-28, Streamable HTTP). */
export const mcpCors: CorsPlan = {
  origins: '*',
  requestHeaders: ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'],
  responseHeaders: ['MCP-Protocol-Version', 'Mcp-Session-Id'],
}

const exposed = [
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'DPoP-Nonce',
  'Deprecation',
  'Sunset',
  'WWW-Authenticate',
  'Idempotency-Replayed',
  'Preference-Applied',
  'X-Request-Id',
]

const requestable = [
  'Authorization',
  'Content-Type',
  'DPoP',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
]

/** On every answer, errors included: a page that cannot read a 401 cannot react to it. */
export function corsHeaders(plan: CorsPlan, headers: RequestHeaders): Record<string, string> {
  const readable = [...exposed, ...(plan.responseHeaders ?? [])].join(', ')
  if (plan.origins === '*') {
    return { 'access-control-allow-origin': '*', 'access-control-expose-headers': readable }
  }
  if (plan.origins.length === 0) return {}
  const origin = headers.get('origin')
  // The answer depends on the origin, so `Vary` must tell caches, also where the origin is not allowed.
  if (origin === null || !plan.origins.includes(origin)) return { vary: 'Origin' }
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': readable }
}

export function isPreflight(method: string, headers: RequestHeaders): boolean {
  return method === 'OPTIONS' && headers.get('origin') !== null && headers.get('access-control-request-method') !== null
}

/** A preflight comes without a token, so it is answered without one; the answer tells only the methods of a path. */
export function preflight(plan: CorsPlan, headers: RequestHeaders, allow: string): ApiResponse {
  if (corsHeaders(plan, headers)['access-control-allow-origin'] === undefined) return apiResponse(204, { allow })
  return apiResponse(204, {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': [...requestable, ...(plan.requestHeaders ?? [])].join(', '),
    'access-control-max-age': '600',
  })
}
