/** The client certificate of a request: from its connection, or from the header of a trusted proxy. */
import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'
import type { EndpointRequest } from '@grantor/authority'
import { type CertificateHeaderFormat, forwardedCertificate, mostSentAlong } from '@grantor/protocol/mtls'
import type { Refusal } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import { isWithin, plainAddress } from '@grantor/resource/addresses'

/** Certificates in DER. */
type ShownCertificate = Pick<EndpointRequest, 'clientCertificate' | 'certificatesSentAlong'>

export interface ClientCertificates {
  of(request: IncomingMessage): Result<ShownCertificate, Refusal>
  /** Whether the client of this connection was asked for a certificate. */
  isAsked(socket: Socket): boolean
  /** Remembers the certificate of each TLS handshake of this server. */
  watch(server: Pick<Server, 'on'>): void
}

export interface ForwardedCertificates {
  readonly trusted: BlockList
  /** Null: the proxies forward no certificates; those of their own connections are not the clients'. */
  readonly header: { readonly name: string; readonly format: CertificateHeaderFormat } | null
}

const none: ShownCertificate = { clientCertificate: null }
const noCertificate = ok(none)

export function openClientCertificates(proxies: ForwardedCertificates | null): ClientCertificates {
  const shown = new WeakMap<Socket, Result<ShownCertificate, never>>()
  const readHeader = proxies === null ? null : headerReader(proxies)
  return {
    of(request) {
      const { socket } = request
      if (readHeader !== null && isTrustedProxy(socket, proxies)) return readHeader(request)
      return shown.get(socket) ?? noCertificate
    },
    isAsked: (socket) => shown.has(socket),
    watch: (server) =>
      void server.on('secureConnection', (socket: TLSSocket) => shown.set(socket, ok(certificateOf(socket)))),
  }
}

function isTrustedProxy({ remoteAddress }: Socket, proxies: ForwardedCertificates | null): boolean {
  return proxies !== null && remoteAddress !== undefined && isWithin(proxies.trusted, plainAddress(remoteAddress))
}

/** The client certificate of this connection's handshake, and the further certificates sent with it. */
function certificateOf(socket: TLSSocket): ShownCertificate {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return none
  const sentAlong: Uint8Array[] = []
  let issuer: X509Certificate | undefined = certificate.issuerCertificate
  while (issuer !== undefined && sentAlong.length < mostSentAlong) {
    sentAlong.push(issuer.raw)
    issuer = issuer.issuerCertificate
  }
  return { clientCertificate: certificate.raw, certificatesSentAlong: sentAlong }
}

/** Remembers the last header of each connection: a proxy often sends many requests of one client over it. */
function headerReader({ header }: ForwardedCertificates): ClientCertificates['of'] {
  if (header === null) return () => noCertificate
  const { format } = header
  const name = header.name.toLowerCase()
  const recent = new WeakMap<Socket, { readonly value: string; readonly read: Result<ShownCertificate, Refusal> }>()
  return ({ socket, headersDistinct }) => {
    const lines = headersDistinct[name] ?? []
    const [value = ''] = lines
    const before = recent.get(socket)
    if (before?.value === value && lines.length === 1) return before.read
    const forwarded = forwardedCertificate(format, lines)
    if (forwarded.kind === 'ok' && forwarded.value === null) return noCertificate
    const read =
      forwarded.kind === 'error'
        ? err({ reason: 'client_certificate_unreadable' } as const)
        : ok({ clientCertificate: forwarded.value })
    if (lines.length === 1) recent.set(socket, { value, read })
    return read
  }
}
