/** The certificate that a request comes with: its connection's, or what a trusted proxy says it saw. Nobody else's word counts. */
import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'
import type { EndpointRequest } from '@grantor/authority'
import { type CertificateHeaderFormat, forwardedCertificate, mostSentAlong } from '@grantor/protocol/mtls'
import type { Refusal } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import { isWithin, plainAddress } from '@grantor/resource/addresses'

/** DER. */
type ShownCertificate = Pick<EndpointRequest, 'clientCertificate' | 'certificatesSentAlong'>

export interface ClientCertificates {
  of(request: IncomingMessage): Result<ShownCertificate, Refusal>
  /** Whether the connection is one that was asked for a certificate. */
  isAsked(socket: Socket): boolean
  /** Remembers what each connection of this server shows in its handshake. */
  watch(server: Pick<Server, 'on'>): void
}

export interface ForwardedCertificates {
  readonly trusted: BlockList
  /** Null: the proxies forward no certificate, and the one of their own connection is not the client's. */
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

/** The certificate by which this connection's handshake was signed, and what was sent along with it. */
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
