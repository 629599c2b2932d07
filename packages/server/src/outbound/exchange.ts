/** One request to a checked address and the head of its answer: a fresh TLS connection that nothing else ever uses. */
import type { IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions, SecureContext } from 'node:tls'
import type { OutboundError } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Target } from './target.ts'

/** What is posted. */
export interface RequestBody {
  readonly type: string
  readonly content: string
  /** Beside its type and length: what says who sends it. */
  readonly headers: Readonly<Record<string, string>>
}

export interface OutboundRequest {
  readonly target: Target
  /** Already checked; the connection goes to one of these whatever the name means by then. */
  readonly addresses: readonly string[]
  readonly accept: string
  /** Null asks by GET. */
  readonly body: RequestBody | null
  /** What says who asks; null where nothing but the content does. */
  readonly authorization: string | null
  readonly roots: SecureContext
  readonly signal: AbortSignal
}

const maxHeaderSize = 16 * 1024

// No proxy of the environment, no connection kept for later, no TLS session remembered; a second for each address.
const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, autoSelectFamilyAttemptTimeout: 1_000 })

export function sendRequest(request: OutboundRequest): Promise<Result<IncomingMessage, OutboundError>> {
  const { signal } = request
  return new Promise((resolve) => {
    const fail = (error: OutboundError) => resolve(err(signal.aborted ? 'time' : error))
    const sent = httpsRequest(optionsOf(request))
    sent.once('response', (response) => resolve(ok(response)))
    sent.on('error', (error: NodeJS.ErrnoException) => fail(isTooLong(error) ? 'size' : 'unreachable'))
    sent.on('information', () => {
      // Interim answers may follow each other for ever, and none was asked for.
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
  // RFC 6066 §3: an address is no server name.
  servername: isIP(request.target.host) === 0 ? request.target.host : '',
  lookup: pinned(request.addresses),
  maxHeaderSize,
  secureContext: request.roots,
  // Said aloud, because an environment variable could say otherwise.
  rejectUnauthorized: true,
  signal: request.signal,
})

const isTooLong = ({ code }: NodeJS.ErrnoException): boolean => code === 'HPE_HEADER_OVERFLOW'

const headersOf = ({ target, accept, body, authorization }: OutboundRequest): Record<string, string> => ({
  host: target.authority,
  'user-agent': 'Grantor',
  accept,
  // What is compressed may be a thousand times larger than its bytes on the way.
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
