/** A request of node:http as the core takes it. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { err, ok } from '@grantor/protocol/result'
import type { ApiRequest, RequestBody, HeaderLine } from '../http/request.ts'

export function readNodeRequest(message: IncomingMessage, ip: string | null): ApiRequest {
  return {
    method: message.method ?? 'GET',
    target: message.url ?? '/',
    headers: headerLines(message.rawHeaders),
    ip,
    body: (limit) => readUpTo(message, limit),
    certificateThumbprint: () => certificateThumbprint(message),
  }
}

/** rawHeaders, because `headers` drops the second of two lines silently. */
function headerLines(raw: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) lines.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return lines
}

/** Every line of one header, without building the others. */
export function headerLinesOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const lines: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const at = rawHeaders[i] ?? ''
    if (at.length === name.length && at.toLowerCase() === name) lines.push(rawHeaders[i + 1] ?? '')
  }
  return lines
}

/** A client may stop in the middle, or send for ever: both end here. */
function readUpTo(message: IncomingMessage, limit: number): Promise<RequestBody> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const end = (read: RequestBody): void => {
      message.off('data', collect).off('end', finish).off('aborted', cut).off('error', cut).off('close', cut)
      resolve(read)
    }
    const collect = (chunk: Uint8Array): void => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= limit) return
      // The rest is let through unread until the answer is out; the connection closes after it.
      message.resume()
      end(err('too_large'))
    }
    const finish = (): void => end(ok(Buffer.concat(chunks)))
    const cut = (): void => end(err('cut_short'))
    message.on('data', collect).on('end', finish).on('aborted', cut).on('error', cut).on('close', cut)
  })
}

/** RFC 8705 §3.1: of the certificate that this connection proved. */
export function certificateThumbprint({ socket }: IncomingMessage): string | null {
  if (!('getPeerX509Certificate' in socket)) return null
  const certificate = (socket as TLSSocket).getPeerX509Certificate()
  return certificate === undefined ? null : createHash('sha256').update(certificate.raw).digest('base64url')
}
