/** The whole header section that goes to the API behind: the client's, cleaned, and what the gateway says. */
import type { IncomingMessage } from 'node:http'
import type { Caller } from '@grantor/resource'
import { identityOf } from '../headers/identity-headers.ts'
import { forwardsLeft, requestHeaders } from '../headers/request-headers.ts'

export interface SentHeadersInput {
  readonly request: IncomingMessage
  readonly audience: string
  /** null: not known. */
  readonly clientAddress: string | null
  /** In which proxies hand on certificates; the gateway judged by it, and nobody behind can tell who wrote it. */
  readonly certificateHeader: string | null
  readonly requestId: string
  readonly caller: Caller | null
  /** Whether the client's own credentials go along. */
  readonly credentials: 'forward' | 'remove'
  /** In place of them. */
  readonly token: string | null
  /** The length is said anew, by whoever sends the body. */
  readonly newLength: boolean
  /** Answers are looked into on their way back. */
  readonly plainAnswer: boolean
}

export function sentHeaders(input: SentHeadersInput): string[] {
  const { request, audience, requestId, caller, token } = input
  const { protocol, host } = new URL(audience)
  const left = forwardsLeft(request)
  const replaced = input.credentials === 'remove' || token !== null
  const without = new Set([
    ...(replaced ? ['authorization', 'dpop'] : []),
    ...(input.certificateHeader === null ? [] : [input.certificateHeader.toLowerCase()]),
    ...(input.newLength ? ['content-length'] : []),
    ...(input.plainAnswer ? ['accept-encoding'] : []),
    ...(left === null ? [] : ['max-forwards']),
  ])
  const more: [string, string][] = [
    ...(caller === null ? [] : Object.entries(identityOf(caller))),
    ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as [string, string]]),
    ...(left === null ? [] : [['Max-Forwards', String(left - 1)] as [string, string]]),
    ['X-Forwarded-For', input.clientAddress ?? 'unknown'],
    ['X-Forwarded-Proto', protocol.slice(0, -1)],
    ['X-Forwarded-Host', host],
    ['X-Request-Id', requestId],
    ['Via', '1.1 grantor-gateway'],
  ]
  return requestHeaders({ rawHeaders: request.rawHeaders, more, without })
}
