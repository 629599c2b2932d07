/** The client certificate of a request: from its connection, or from the header of a trusted proxy (RFC 9440). */
import {
  type CertificateHeaderFormat,
  certificateHeaderFormats,
  certificateHeaderNameProblem,
  certificateThumbprint,
  forwardedCertificate,
  readCertificate,
} from '@grantor/protocol/mtls'
import { isWithin, plainAddress, proxyAddressProblem, trustedList } from '../http/addresses.ts'
import type { ShownCertificate } from '../http/request.ts'
import { Lru } from '../lru.ts'
import type { PresentedRequest } from '../validate/presented-credentials.ts'

export interface ClientCertHeader {
  /** Such as `Client-Cert`. The proxies must remove this header from requests of clients. */
  readonly name: string
  /** RFC 9440 (`:base64:`), nginx's `$ssl_client_escaped_cert`, or Envoy's `x-forwarded-client-cert`. */
  readonly format: CertificateHeaderFormat
  /**
   * Addresses or CIDR blocks of the proxies (`loopback` for this machine); from any other peer the header is ignored.
   */
  readonly proxies: readonly string[]
}

/** 'unreadable': the header of a trusted proxy holds no certificate, or was sent twice. */
export type CertificateReader = (request: PresentedRequest) => ShownCertificate | 'unreadable' | null

export const connectionCertificateOf: CertificateReader = ({ certificate }) => certificate?.() ?? null

/** The certificate of the proxy's own connection is never taken for that of its client. */
export function forwardedBy({ name, format, proxies }: ClientCertHeader): CertificateReader {
  const trusted = trustedList(proxies)
  const header = name.toLowerCase()
  const recent = new Lru<string, ShownCertificate | 'unreadable'>(1000)
  const read = (lines: readonly string[]): ShownCertificate | 'unreadable' | null => {
    const forwarded = forwardedCertificate(format, lines)
    if (forwarded.kind === 'error') return 'unreadable'
    return forwarded.value === null ? null : shownCertificate(forwarded.value)
  }
  return (request) => {
    const { peer, lines } = request
    if (typeof peer !== 'string' || lines === undefined || !isWithin(trusted, plainAddress(peer)))
      return connectionCertificateOf(request)
    const given = lines(header)
    const [value] = given
    if (value === undefined || given.length > 1) return read(given)
    const known = recent.get(value)
    if (known !== undefined) return known
    const shown = read(given)
    if (shown !== null) recent.set(value, shown)
    return shown
  }
}

/** A certificate that cannot be parsed in full has no validity, but its thumbprint, by which tokens are bound to it. */
export function shownCertificate(der: Uint8Array): ShownCertificate {
  const facts = readCertificate(der)
  if (facts === null) return { thumbprint: certificateThumbprint(der) }
  const { thumbprint, notBefore, notAfter } = facts
  return { thumbprint, notBefore, notAfter }
}

/** Why these settings cannot be used; null where they can. */
export function clientCertHeaderProblem({ name, format, proxies }: ClientCertHeader): string | null {
  if (!certificateHeaderFormats.includes(format)) return `format is one of ${certificateHeaderFormats.join(', ')}`
  if (proxies.length === 0) return 'name the proxies: from anybody else it would be a lie'
  return certificateHeaderNameProblem(name) ?? proxies.map(proxyAddressProblem).find((one) => one !== null) ?? null
}
