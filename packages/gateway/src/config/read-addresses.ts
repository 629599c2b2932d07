/** Reads the URLs in the file of a gateway. */
import { isLoopbackHost } from '@grantor/protocol/http'
import type { Fields } from './fields.ts'

export const isLoopback = (host: string): boolean => isLoopbackHost(host) || host === '::1'

/** TLS is required except on loopback, which is not a network. `problemOf` checks further rules of the field. */
export function readAddress(file: Fields, name: string, problemOf: (url: URL) => string | null = () => null): string {
  const text = file.requiredText(name)
  if (text === '') return text
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  const problem =
    url === null || !isSafe || url.hash !== '' || url.username !== '' || url.password !== ''
      ? 'must be an https address (http on loopback only)'
      : problemOf(url)
  if (problem !== null) file.refuse(name, problem)
  return text
}

/** The value of `iss`, byte for byte: an issuer with a path does not end with a slash. */
export const readIssuer = (file: Fields): string =>
  readAddress(file, 'issuer', ({ pathname, href }) =>
    pathname !== '/' && href.endsWith('/') ? 'ends with a slash' : null,
  )

export function readUpstream(file: Fields): string | null {
  const text = file.text('upstream')
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const plain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (!plain || !/^https?:$/.test(url.protocol)) {
    file.refuse('upstream', 'must be http or https with host and port, and without a path')
    return null
  }
  return url.origin
}
