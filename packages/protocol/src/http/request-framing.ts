/** Whether a request means the same to every server it passes: RFC 9112 §3.2, §6.1, §6.3. A proxy in front may read it otherwise. */

/** As node:http has it. */
export interface RequestHead {
  readonly httpVersion: string
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  readonly url?: string | undefined
}

/**
 * One Host (none at most in HTTP/1.0), that of an absolute target too; a body that is counted or chunked, in one way,
 * said once. The lengths of names are looked at first: this runs with every request.
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
  // RFC 9112 §6.1: a coding in HTTP/1.0, and one beside a length, are how a second request is smuggled.
  if (lengths + codings > 1 || (codings > 0 && isOld)) return false
  return url.startsWith('/') || isOfHost(url, host)
}

/** RFC 9110 §7.2: host and port, nothing that a list or a URL would hold. */
const hostField = /^[A-Za-z0-9._~!$&'()*+;=%[\]:-]+$/

const absoluteForm = /^https?:\/\/([^/?#]*)/i

/** RFC 9112 §3.2.2: the absolute form names its own host; with another one in the field nobody knows who is meant. */
function isOfHost(url: string, host: string | null): boolean {
  const named = absoluteForm.exec(url)?.[1]
  return named === undefined || host === null || named.toLowerCase() === host.toLowerCase()
}

/** What is asked for, in origin form, whichever form it came in. */
export function originForm(url: string): string {
  const rest = url.startsWith('/') ? url : url.replace(absoluteForm, '')
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`
}
