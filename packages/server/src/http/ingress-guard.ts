/** The door: what is turned away before a body is read: over-long addresses, plain HTTP, and addresses of nothing. */
import type { IncomingMessage } from 'node:http'
import type { Refusal } from '@grantor/protocol/oauth'
import type { FastifyInstance } from 'fastify'
import { type Caller, callersBy } from './caller.ts'
import type { Desk } from './responder.ts'
import { refuseInKind } from '../interact/page-answer.ts'
import type { Surface } from './http-context.ts'

const nothingThere: Refusal = { reason: 'not_found' }
const longestUrl = 8 * 1024

export interface Door {
  callerOf(request: IncomingMessage): Caller
  objection(request: IncomingMessage, caller: Caller): Refusal | null
}

export const openDoor = ({ encrypted, proxies }: Surface): Door => ({
  callerOf: callersBy(encrypted, proxies),
  objection({ url = '' }, { secure }) {
    if (url.length > longestUrl) return { reason: 'uri_too_long' }
    // A token that crossed a network in the clear is burnt already; refusing it makes the mistake visible.
    return encrypted || secure ? null : { reason: 'tls_required' }
  },
})

export function guardDoor(app: FastifyInstance, door: Door, elsewhere: Desk): void {
  app.addHook('onRequest', (request, reply, next) => {
    request.caller = door.callerOf(request.raw)
    const refusal = door.objection(request.raw, request.caller) ?? (request.is404 ? nothingThere : null)
    if (refusal === null) return next()
    // What would follow is not read.
    if (request.method !== 'GET' && request.method !== 'HEAD') reply.header('connection', 'close')
    refuseInKind({ desk: elsewhere, reply }, refusal)
  })
}
