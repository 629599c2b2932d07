/** The headers of pages: no inline code, no framing, no caching, and forms may go only to listed targets. */

export interface PageNeeds {
  /**
   * Redirect URIs already validated against the client's registration. Chromium and Safari enforce `form-action` along
   * the whole redirect chain, so every page whose form may end in a redirect to the client must name it: login and
   * account choice too, not only consent. 'anywhere' is for form_post, whose only form is the client's answer: where the
   * client leads on from there is its own affair, and nothing of ours is in that form.
   */
  readonly formTargets?: readonly string[] | 'anywhere'
  /** Addresses shown in frames: the clients' front-channel logout. */
  readonly frames?: readonly string[]
  /**
   * Part of an authorization that a client may have opened in a window of its own: an opener policy would cut the two
   * apart for good, and the client would wait for an answer that its window can no longer hand over.
   */
  readonly opened?: boolean
  /** May stand in a frame of another site: the answer to prompt=none, which holds nothing to press or to see. */
  readonly framed?: boolean
  /** The page's script sends requests to this server. */
  readonly connects?: boolean
}

export type Headers = Readonly<Record<string, string>>

export function pageHeaders(needs: PageNeeds = {}): Headers {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(needs),
    'cache-control': 'no-store',
    // The URL of an interaction must not leak, not even to the client.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // For browsers that predate frame-ancestors.
    ...(needs.framed === true ? {} : { 'x-frame-options': 'DENY' }),
    'cross-origin-opener-policy': needs.opened === true ? 'unsafe-none' : 'same-origin',
    'cross-origin-resource-policy': needs.framed === true ? 'cross-origin' : 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-robots-tag': 'noindex',
  }
}

function policyOf(needs: PageNeeds): string {
  const frames = sources(needs.frames ?? [])
  const { formTargets = [] } = needs
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ...(needs.connects === true ? ["connect-src 'self'"] : []),
    ...(formTargets === 'anywhere' ? [] : [`form-action ${["'self'", ...sources(formTargets)].join(' ')}`]),
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    ...(needs.framed === true ? [] : ["frame-ancestors 'none'"]),
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** For problem pages, which are public and the same for everybody: they may be cached and indexed. */
export function publicPageHeaders(): Headers {
  const { 'x-robots-tag': _, ...headers } = pageHeaders()
  return { ...headers, 'cache-control': 'public, max-age=300' }
}

/**
 * Names contain a content hash, so caches never go stale. The policy is for a logo opened by itself: SVG may contain
 * script.
 */
export function assetHeaders(contentType: string): Headers {
  return {
    'content-type': contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
}

const sources = (uris: readonly string[]): readonly string[] => [
  ...new Set(uris.map(sourceOf).filter((s) => s !== null)),
]

/** A source expression for one URI, or null where none can be written: then the browser refuses, which is the safe side. */
export function sourceOf(uri: string): string | null {
  const url = URL.parse(uri)
  if (url === null) return null
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return schemeSource(url.protocol)
  // CSP has no grammar for IPv6 literals; the port narrows what the wildcard opens (RFC 8252 §7.3 allows [::1]).
  if (url.hostname.startsWith('[')) return `${url.protocol}//*:${url.port === '' ? defaultPort(url) : url.port}`
  return /^[a-z]+:\/\/[a-z0-9._-]+(?::\d+)?$/i.test(url.origin) ? url.origin : null
}

const defaultPort = (url: URL): string => (url.protocol === 'https:' ? '443' : '80')

/** Schemes that would let a form run script or read files; never allowed. */
const never = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:'])

const schemeSource = (scheme: string): string | null =>
  /^[a-z][a-z0-9+.-]*:$/.test(scheme) && !never.has(scheme) ? scheme : null
