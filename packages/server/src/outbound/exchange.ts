/** Sends one request to a checked address, over a fresh TLS connection of its own, and returns the answer's head. */
import type { IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions, SecureContext } from 'node:tls'
import type { OutboundError } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Target } from './target.ts'

/** The body of a POST. */
export interface RequestBody {
  readonly type: string
  readonly content: string
  /** Headers in addition to type and length, such as credentials. */
  readonly headers: Readonly<Record<string, string>>
}

export interface OutboundRequest {
  readonly target: Target
  /** Already checked; the connection goes to one of these, whatever the name resolves to by then. */
  readonly addresses: readonly string[]
  readonly accept: string
  /** Null sends a GET. */
  readonly body: RequestBody | null
  /** The Authorization header; null for none. */
  readonly authorization: string | null
  readonly roots: SecureContext
  readonly signal: AbortSignal
}

const maxHeaderSize = 16 * 1024

// No proxy of the environment, no persistent connections, no TLS sessions; a second for each address.
const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, autoSelectFamilyAttemptTimeout: 1_000 })

export function sendRequest(request: OutboundRequest): Promise<Result<IncomingMessage, OutboundError>> {
  const { signal } = request
  return new Promise((resolve) => {
    const fail = (error: OutboundError) => resolve(err(signal.aborted ? 'time' : error))
    const sent = httpsRequest(optionsOf(request))
    sent.once('response', (response) => resolve(ok(response)))
    sent.on('error', (error: NodeJS.ErrnoException) => fail(isTooLong(error) ? 'size' : 'unreachable'))
    sent.on('information', () => {
      // Interim answers (1xx) were not requested, and could follow each other for ever.
      fail('status')
      sent.destroy()
    })
    sent.on('close', () => fail('unreachable'))
    sent.end(request.body?.content)
  })
}

const optionsOf = (request: OutboundRequest): RequestOptions & ConnectionOptions => ({
  agent,
  method: request.body === null ? 'GET' : 'POST',
  host: request.target.host,
  port: request.target.port,
  path: request.target.path,
  headers: headersOf(request),
  // RFC 6066 §3: an IP address is not allowed as server name.
  servername: isIP(request.target.host) === 0 ? request.target.host : '',
  lookup: pinned(request.addresses),
  maxHeaderSize,
  secureContext: request.roots,
  // Explicit, because an environment variable could turn it off.
  rejectUnauthorized: true,
  signal: request.signal,
})

const isTooLong = ({ code }: NodeJS.ErrnoException): boolean => code === 'HPE_HEADER_OVERFLOW'

const headersOf = ({ target, accept, body, authorization }: OutboundRequest): Record<string, string> => ({
  host: target.authority,
  'user-agent': 'Grantor',
  accept,
  // A compressed body could expand to a thousand times its size.
  'accept-encoding': 'identity',
  ...(authorization === null ? {} : { authorization }),
  ...(body === null
    ? {}
    : {
        'content-type': body.type,
        'content-length': String(Buffer.byteLength(body.content)),
        ...body.headers,
      }),
})

const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, found) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = all
    if (first === undefined) found(new Error('no address'), '')
    else if (options.all === true) found(null, all)
    else found(null, first.address, first.family)
  }
