/** GET and POST /userinfo (OIDC Core §5.3, RFC 6750 §2). */
import { endpointPath, endpointUrl } from '@grantor/protocol/documents'
import { bearerChallenge, type TokenChallenge } from '@grantor/protocol/http'
import type { Form } from '@grantor/protocol/oauth'
import type { Ok } from '@grantor/protocol/result'
import { type BearerToken, type Rejection, shownCertificate } from '@grantor/resource'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tokenIn } from '../http/bearer.ts'
import { missingProof, refusedProof } from '../http/possession.ts'
import { type Responder, jsonType } from '../http/responder.ts'
import type { Route } from './route.ts'

export const userinfo: Route = {
  path: endpointPath.userinfo,
  methods: ['GET', 'POST'],
  cors: true,
  at: 'every issuer',
  handler:
    ({ responder, authority, issuer }) =>
    async (request, reply) => {
      const asked = responder.readRequest(request)
      if (asked.kind === 'error') return responder.refuse(reply, asked.error)
      const shown = presentedToken(request)
      if (shown === null) return challenge(responder, reply, 401, {})
      if (shown === 'twice') return challenge(responder, reply, 400, { error: 'invalid_request' })
      const { tenant, proof, clientCertificate: der } = asked.value
      const url = endpointUrl(issuer.of(tenant), 'userinfo')
      const alias = issuer.mtlsOf(tenant)
      const presentedRequest = {
        method: request.method,
        url,
        aliases: alias === null ? [] : [endpointUrl(alias, 'userinfo')],
        ...(proof === null ? {} : { proof }),
        certificate: () => (der === null ? null : shownCertificate(der)),
      }
      let missing: Rejection | null = null
      const answer = await authority.userinfo(shown.token, asked.value, async (cnf, clientId) => {
        missing = await missingProof(cnf, { ...shown, tenant, clientId, request: presentedRequest }, authority)
        return missing === null
      })
      if (answer.kind === 'ok')
        return answer.value.signed === null
          ? responder.json(reply, answer.value.claims)
          : responder.send(reply, 200, answer.value.signed, signed)
      if (missing !== null) return unproven(responder, reply, missing)
      if (answer.error === 'unavailable' || answer.error === 'unproven')
        return responder.refuse(reply, { reason: 'unavailable', retryAfter: 2 })
      // RFC 6750 §3.1: 403 for a valid token that lacks the scope.
      return challenge(responder, reply, answer.error === 'insufficient_scope' ? 403 : 401, { error: answer.error })
    },
}

const realm = 'userinfo'
const signed = { 'content-type': 'application/jwt', 'cache-control': 'no-store' }

/** RFC 6750 §2: in the header, or in the body of a POST; never in both, never in the address. */
function presentedToken({ headers, body }: FastifyRequest): BearerToken | 'twice' | null {
  const header = tokenIn(headers.authorization)
  const form = body === undefined ? undefined : (body as Ok<Form>).value.get('access_token')
  if (header !== null && form !== undefined) return 'twice'
  return header ?? (form === undefined ? null : { scheme: 'bearer', token: form })
}

function unproven(responder: Responder, reply: FastifyReply, missing: Rejection): FastifyReply {
  const { status, error, headers } = refusedProof(missing, realm)
  const body = error === null ? null : JSON.stringify({ error })
  const type = body === null ? {} : { 'content-type': jsonType }
  return responder.send(reply, status, body, { ...type, ...headers, 'cache-control': 'no-store' })
}

function challenge(
  responder: Responder,
  reply: FastifyReply,
  status: number,
  tokenChallenge: TokenChallenge,
): FastifyReply {
  const body = tokenChallenge.error === undefined ? null : JSON.stringify({ error: tokenChallenge.error })
  const type = body === null ? {} : { 'content-type': jsonType }
  const scope = tokenChallenge.error === 'insufficient_scope' ? { scope: 'openid' } : {}
  const value = bearerChallenge({ realm, ...tokenChallenge, ...scope })
  return responder.send(reply, status, body, { ...type, 'www-authenticate': value, 'cache-control': 'no-store' })
}
