/** The door: what is turned away before a body is read: over-long addresses, plain HTTP, and addresses of nothing. */
import type { IncomingMessage } from 'node:http'
import type { Refusal } from '@grantor/protocol'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerOf } from '../caller.ts'
import type { Desk } from '../desk.ts'
import { refuseInKind } from '../interact/answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Found out once, at the door. */
    caller: Caller
  }
}

const nothingThere: Refusal = { reason: 'not_found' }
const longestUrl = 8 * 1024

export function guardDoor(app: FastifyInstance, elsewhere: Desk): void {
  const { encrypted, proxies } = elsewhere.surface

  const objection = ({ url = '' }: IncomingMessage, { secure }: Caller): Refusal | null => {
    if (url.length > longestUrl) return { reason: 'uri_too_long' }
    // A token that crossed a network in the clear is burnt already; refusing it makes the mistake visible.
    return encrypted || secure ? null : { reason: 'tls_required' }
  }

  app.addHook('onRequest', (request, reply, next) => {
    const { socket, headers } = request.raw
    request.caller = callerOf({ peer: socket.remoteAddress ?? null, headers, encrypted }, proxies)
    const refusal = objection(request.raw, request.caller) ?? (request.is404 ? nothingThere : null)
    if (refusal === null) return next()
    // What would follow is not read.
    if (request.method !== 'GET' && request.method !== 'HEAD') reply.header('connection', 'close')
    refuseInKind({ desk: elsewhere, reply }, refusal)
  })
}
