/** The door: what is turned away before routing's result matters: over-long addresses, and plain HTTP. */
import type { IncomingMessage } from 'node:http'
import type { Refusal } from '@grantor/protocol'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../caller.ts'
import type { Desk } from '../desk.ts'

const longestUrl = 8 * 1024

export function guardDoor(app: FastifyInstance, elsewhere: Desk): void {
  const { encrypted, proxies } = elsewhere.surface

  const objection = ({ url = '', socket, headers }: IncomingMessage): Refusal | null => {
    if (url.length > longestUrl) return { reason: 'uri_too_long' }
    if (encrypted) return null
    // A token that crossed a network in the clear is burnt already; refusing it makes the mistake visible.
    const { secure } = callerOf({ peer: socket.remoteAddress ?? null, headers, encrypted }, proxies)
    return secure ? null : { reason: 'tls_required' }
  }

  app.addHook('onRequest', (request, reply, next) => {
    const refusal = objection(request.raw)
    if (refusal === null) next()
    else elsewhere.refuse(reply, refusal)
  })
}
