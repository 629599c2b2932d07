/** POST /register (RFC 7591 §3); GET, PUT and DELETE /register/{client_id} (RFC 7592 §2). */
import type { EndpointResult } from '@grantor/authority'
import { endpointPath } from '@grantor/protocol/documents'
import type { Ok } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Responder, jsonType } from '../http/responder.ts'
import type { Route } from './route.ts'

// Browser applications register themselves, too; no cookie is read, so any origin may call.
const shared = { cors: true, at: 'every issuer' } as const
const noStore = { 'cache-control': 'no-store' }

export const register: Route = {
  ...shared,
  path: endpointPath.registration,
  methods: ['POST'],
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const asked = responder.readRequest(request)
      if (asked.kind === 'error') return responder.refuse(reply, asked.error)
      const body = request.body as Ok<Json> | undefined
      if (body === undefined) return responder.refuse(reply, { reason: 'metadata_expected' })
      return answerRegistration(responder, reply, 201, await authority.register({ ...asked.value, body: body.value }))
    },
}

export const registration: Route = {
  ...shared,
  path: `${endpointPath.registration}/:id`,
  methods: ['GET', 'PUT', 'DELETE'],
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const asked = responder.readRequest(request)
      if (asked.kind === 'error') return responder.refuse(reply, asked.error)
      const registrationRequest = { ...asked.value, clientId: idIn(request) }
      const { registration: registrations } = authority
      if (request.method === 'DELETE') {
        const gone = await registrations.remove(registrationRequest)
        return gone.kind === 'ok' ? responder.send(reply, 204, null, noStore) : responder.refuse(reply, gone.error)
      }
      if (request.method !== 'PUT')
        return answerRegistration(responder, reply, 200, await registrations.read(registrationRequest))
      const body = request.body as Ok<Json> | undefined
      if (body === undefined) return responder.refuse(reply, { reason: 'metadata_expected' })
      return answerRegistration(
        responder,
        reply,
        200,
        await registrations.replace({ ...registrationRequest, body: body.value }),
      )
    },
}

const idIn = (request: FastifyRequest): string => (request.params as { readonly id: string }).id

const answerRegistration = (
  responder: Responder,
  reply: FastifyReply,
  status: number,
  answer: EndpointResult<JsonObject>,
): FastifyReply => {
  responder.addQuotaHeaders(reply, answer.quota)
  return answer.kind === 'ok'
    ? responder.send(reply, status, JSON.stringify(answer.value), { ...noStore, 'content-type': jsonType })
    : responder.refuse(reply, answer.error)
}
