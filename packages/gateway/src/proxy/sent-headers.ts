/** The whole header section for the API behind: the client's, filtered, and the gateway's own. */
import type { IncomingMessage } from 'node:http'
import type { Caller } from '@grantor/resource'
import { identityOf } from '../headers/identity-headers.ts'
import { forwardsLeft, requestHeaders } from '../headers/request-headers.ts'

export interface SentHeadersInput {
  readonly request: IncomingMessage
  readonly audience: string
  /** null: not known. */
  readonly clientAddress: string | null
  /** The header in which proxies forward client certificates: removed, as the API behind cannot tell who wrote it. */
  readonly certificateHeader: string | null
  readonly requestId: string
  readonly caller: Caller | null
  /** Whether the client's own credentials go along. */
  readonly credentials: 'forward' | 'remove'
  /** Sent in place of the client's credentials. */
  readonly token: string | null
  /** Drops Content-Length: undici sets its own for the body that is sent. */
  readonly newLength: boolean
  /** Drops Accept-Encoding, because the gateway looks into the answer on its way back. */
  readonly plainAnswer: boolean
}

export function sentHeaders(input: SentHeadersInput): string[] {
  const { request, audience, requestId, caller, token } = input
  const { protocol, host } = new URL(audience)
  const maxForwards = forwardsLeft(request)
  const dropsCredentials = input.credentials === 'remove' || token !== null
  const without = new Set([
    ...(dropsCredentials ? ['authorization', 'dpop'] : []),
    ...(input.certificateHeader === null ? [] : [input.certificateHeader.toLowerCase()]),
    ...(input.newLength ? ['content-length'] : []),
    ...(input.plainAnswer ? ['accept-encoding'] : []),
    ...(maxForwards === null ? [] : ['max-forwards']),
  ])
  const added: [string, string][] = [
    ...(caller === null ? [] : Object.entries(identityOf(caller))),
    ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as [string, string]]),
    ...(maxForwards === null ? [] : [['Max-Forwards', String(maxForwards - 1)] as [string, string]]),
    ['X-Forwarded-For', input.clientAddress ?? 'unknown'],
    ['X-Forwarded-Proto', protocol.slice(0, -1)],
    ['X-Forwarded-Host', host],
    ['X-Request-Id', requestId],
    ['Via', '1.1 grantor-gateway'],
  ]
  return requestHeaders({ rawHeaders: request.rawHeaders, more: added, without })
}
