/** The one grammar of addresses from clients: RFC 3986, only in spellings that every reader interprets alike. */
import { textLimits } from '../oauth/text-limits.ts'
import { err, ok, type Result } from '../result.ts'

export interface UriParts {
  /** In lower case. */
  readonly scheme: string
  /** Host and port; null without two slashes. */
  readonly authority: string | null
  readonly path: string
  readonly query: string | null
}

/** RFC 3986 §2: no blank, control character, quote, other bracket, backslash or character beyond ASCII; no fragment. */
const characters = /^[!$&-;=?-Z_a-z~%[\]]+$/
const shape = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?]*))?([^?]*)(?:\?(.*))?$/i
const webAuthority = /^([^:[\]]+|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?$/i

/** The parts of an absolute URI without fragment, or its problem. */
export function parseUri(text: string): Result<UriParts, string> {
  if (text.length > textLimits.uri) return err('is too long')
  if (text.includes('#')) return err('must not have a fragment')
  const parts = characters.test(text) ? shape.exec(text) : null
  if (parts === null || !URL.canParse(text)) return err('is not an absolute URI')
  const [, scheme = '', authority = null, path = '', query = null] = parts
  const uri = { scheme: scheme.toLowerCase(), authority, path, query }
  const problem = encodingProblem(text) ?? authorityProblem(uri, text) ?? dotSegmentProblem(uri)
  return problem === null ? ok(uri) : err(problem)
}

export function uriProblem(text: string): string | null {
  const parsed = parseUri(text)
  return parsed.kind === 'error' ? parsed.error : null
}

/** RFC 3986 §2.1, §2.5: complete triplets that are UTF-8, without control characters. */
function encodingProblem(text: string): string | null {
  if (/%(?![0-9a-f]{2})/i.test(text)) return 'must hold % only before two hexadecimal digits'
  try {
    return /\p{Cc}/u.test(decodeURIComponent(text)) ? 'must not hold control characters' : null
  } catch {
    return 'must be UTF-8 where it is percent-encoded'
  }
}

function authorityProblem({ scheme, authority, path }: UriParts, text: string): string | null {
  if (authority?.includes('@') === true) return 'must not hold a user name or password'
  if (authority !== null && /[*%]/.test(authority)) return 'must name one host, without wildcards and percent-encoding'
  if (scheme !== 'https' && scheme !== 'http') {
    return authority === null && !path.startsWith('/') ? 'must have a slash after its scheme' : null
  }
  if (authority === null || authority === '') return 'must have two slashes and a host after its scheme'
  const [, host = ''] = webAuthority.exec(authority) ?? []
  // Parsers accept 127.1, 0x7f000001 and many others for the same host: only their canonical spelling is allowed.
  return new URL(text).hostname === host.toLowerCase() ? null : 'must write its host and port plainly'
}

/**
 * RFC 3986 §5.2.4: an intermediary may remove dot segments, which makes it another address. Encoded ones count, with
 * slashes of both kinds, and so do those with parameters (`..;x`), which some servers drop.
 */
function dotSegmentProblem({ path }: UriParts): string | null {
  const plain = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c/gi, '/')
  const dotted = plain.split('/').some((segment) => /^\.{1,2}(;|%3b|$)/i.test(segment))
  return dotted ? 'must not hold dot segments' : null
}

/**
 * The names of parameters in a query as the most lenient reader interprets them: decoded, with either separator, any
 * case, surrounding blanks, and up to a bracket (`code[0]` is `code` for many).
 */
export const queryNames = (query: string | null): readonly string[] =>
  (query ?? '')
    .split(/[&;]/)
    .map((pair) => pair.split('=', 1).join('').replaceAll('+', ' '))
    .map((name) => decodeURIComponent(name).split('[', 1).join('').trim().toLowerCase())

/** RFC 3986 §3.5: a fragment is for the reader of the fetched document, and never sent. */
export const withoutFragment = (uri: string): string => uri.split('#', 1)[0] ?? ''
