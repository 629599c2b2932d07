/** A request of node:http as the `ApiRequest` of the core. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { err, ok } from '@grantor/protocol/result'
import type { ApiRequest, RequestBody, HeaderLine, ShownCertificate } from '../http/request.ts'
import { shownCertificate } from '../possession/shown-certificate.ts'
import type { RequestLines } from '../validate/presented-credentials.ts'

export function readNodeRequest(message: IncomingMessage, ip: string | null): ApiRequest {
  return {
    method: message.method ?? 'GET',
    target: message.url ?? '/',
    headers: headerLines(message.rawHeaders),
    ip,
    body: (limit) => readUpTo(message, limit),
    peer: message.socket.remoteAddress ?? null,
    certificate: () => connectionCertificate(message),
  }
}

/** From rawHeaders, because `headers` silently drops the second line of a repeated header. */
function headerLines(raw: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) lines.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return lines
}

/** Every line of one header, without collecting the others. */
export function headerLinesOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const lines: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const at = rawHeaders[i] ?? ''
    if (at.length === name.length && at.toLowerCase() === name) lines.push(rawHeaders[i + 1] ?? '')
  }
  return lines
}

/** Handles a client that stops in the middle of the body, and one that never stops sending. */
function readUpTo(message: IncomingMessage, limit: number): Promise<RequestBody> {
  // No event would ever come, and the caller would wait for ever.
  if (message.readableDidRead) throw new Error('the body was read already: this must come before what parses bodies')
  // The connection is gone already, and its `close` event with it.
  if (message.destroyed) return Promise.resolve(err('cut_short'))
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const end = (read: RequestBody): void => {
      message.off('data', collect).off('end', finish).off('close', cut)
      resolve(read)
    }
    const collect = (chunk: Uint8Array): void => {
      length += chunk.length
      chunks.push(chunk)
      // The remaining bytes are discarded until the answer is sent; then the connection closes.
      if (length > limit) end(err('too_large'))
    }
    const finish = (): void => end(ok(Buffer.concat(chunks)))
    const cut = (): void => end(err('cut_short'))
    message.on('data', collect).on('end', finish).on('close', cut)
  })
}

/** The parts of a request that a guard reads. */
export function requestLines(message: IncomingMessage, address: () => string | null): RequestLines {
  return {
    method: message.method ?? 'GET',
    target: message.url ?? '/',
    lines: (name) => headerLinesOf(message, name),
    address,
    peer: message.socket.remoteAddress ?? null,
    certificate: () => connectionCertificate(message),
  }
}

const seen = new WeakMap<Socket, ShownCertificate>()

/** RFC 8705 §3.1: the certificate that this connection proved. */
export function connectionCertificate({ socket }: IncomingMessage): ShownCertificate | null {
  if (!('getPeerX509Certificate' in socket)) return null
  const known = seen.get(socket)
  if (known !== undefined) return known
  const certificate = (socket as TLSSocket).getPeerX509Certificate()
  if (certificate === undefined) return null
  const shown = shownCertificate(certificate.raw)
  seen.set(socket, shown)
  return shown
}
