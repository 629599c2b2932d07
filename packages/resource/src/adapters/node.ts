/** The adapter of node:http and node:https: your listener behind a protected resource. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { defaultSizes } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { ProtectedResource } from '../protect/protected-resource.ts'
import type { Caller } from '../validate/caller.ts'
import { lastAnswerText } from './cut-socket.ts'
import { sendLastAnswer } from './last-answer.ts'
import { readNodeRequest } from './node-request.ts'
import { trackResponses, trackUpgraded } from './open-responses.ts'

export { lingerAfterAnswer, sendLastAnswer } from './last-answer.ts'
export { readNodeRequest } from './node-request.ts'

export type ProtectedRequestListener = (
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
) => void | Promise<void>

/** `createServer(protectedListener(resource, (request, response, caller) => …))`. */
export function protectedListener(resource: ProtectedResource, listener: ProtectedRequestListener) {
  const track = trackResponses(resource)
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const received = await resource.receive(readNodeRequest(request, request.socket.remoteAddress ?? null))
      if (received.kind === 'answered') return answerWith(response, received.response)
      for (const [name, value] of Object.entries(received.headers)) response.setHeader(name, value)
      track(request, response, received.caller)
      await listener(request, response, received.caller)
    } catch (error) {
      const answer = resource.internalError(error)
      // An answer that was begun cannot be replaced, only cut off.
      if (response.headersSent) response.destroy()
      else answerWith(response, answer)
    }
  }
}

export type ProtectedUpgradeListener = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  caller: Caller,
) => void | Promise<void>

/**
 * `server.on('upgrade', protectedUpgrade(resource, (request, socket, head, caller) => …))`: a handshake is judged like
 * a request, and its connection is closed when the token ends (RFC 6455 §7.4.1, 1008). Also for Express.
 */
export function protectedUpgrade(resource: ProtectedResource, listener: ProtectedUpgradeListener) {
  return async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => socket.destroy())
    try {
      const received = await resource.receive(readNodeRequest(request, request.socket.remoteAddress ?? null))
      if (received.kind === 'answered') return sendLastAnswer(socket, lastAnswerText(received.response))
      trackUpgraded(resource, socket, received.caller)
      await listener(request, socket, head, received.caller)
    } catch (error) {
      resource.internalError(error)
      socket.destroy()
    }
  }
}

/** Sends an answer of the toolkit, such as that of `lacking`. */
export function answerWith(response: ServerResponse, { status, headers, body }: ApiResponse): void {
  // An unread body would keep the connection busy.
  response.req.resume()
  response.writeHead(status, headers).end(body ?? undefined)
}

/** The body as text; null where it is larger than the limit or was cut short. */
export async function bodyText(request: IncomingMessage, limit = defaultSizes.body): Promise<string | null> {
  const read = await readNodeRequest(request, null).body(limit)
  return read.kind === 'ok' ? Buffer.from(read.value).toString('utf8') : null
}
