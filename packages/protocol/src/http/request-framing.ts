/**
 * Whether every server on the way interprets a request alike: RFC 9112 §3.2, §6.1, §6.3. A proxy in front might read it
 * differently.
 */

/** As node:http provides it. */
export interface RequestHead {
  readonly httpVersion: string
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[]
  readonly url?: string | undefined
}

/**
 * One Host (none is allowed in HTTP/1.0), equal to that of an absolute target; the body's length by one header only,
 * sent once. The lengths of names are compared first: this runs with every request.
 */
export function isPlainlyFramed({ httpVersion, rawHeaders, url = '' }: RequestHead): boolean {
  let host: string | null = null
  let hosts = 0
  let lengths = 0
  let codings = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      host = rawHeaders[at + 1] ?? ''
      hosts++
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') lengths++
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (rawHeaders[at + 1]?.toLowerCase() !== 'chunked') return false
      codings++
    }
  }
  const isOld = httpVersion === '1.0'
  if (hosts > 1 || (hosts === 0 && !isOld) || (host !== null && !hostField.test(host))) return false
  // RFC 9112 §6.1: a transfer coding in HTTP/1.0, or beside a length, is used to smuggle a second request.
  if (lengths + codings > 1 || (codings > 0 && isOld)) return false
  return url.startsWith('/') || isOfHost(url, host)
}

/** RFC 9110 §7.2: host and port, without characters of a list or a URL. */
const hostField = /^[A-Za-z0-9._~!$&'()*+;=%[\]:-]+$/

const absoluteForm = /^https?:\/\/([^/?#]*)/i

/**
 * RFC 9112 §3.2.2: the absolute form names its own host; with another one in the Host field the target is ambiguous.
 */
function isOfHost(url: string, host: string | null): boolean {
  const named = absoluteForm.exec(url)?.[1]
  return named === undefined || host === null || named.toLowerCase() === host.toLowerCase()
}

/** The target in origin form, whichever form it came in. */
export function originForm(url: string): string {
  const rest = url.startsWith('/') ? url : url.replace(absoluteForm, '')
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`
}
