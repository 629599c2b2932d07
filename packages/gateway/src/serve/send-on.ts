/** Forwards an admitted request to the API behind, with its headers, its body, and the token for the API. */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Problem } from '@grantor/protocol/http'
import { presentedCredentials, readBearerToken } from '@grantor/resource'
import type { Admission } from '../access/access.ts'
import { forward, type ForwardedExchange } from '../proxy/forward.ts'
import { requestBody } from '../proxy/request-body.ts'
import { sentHeaders } from '../proxy/sent-headers.ts'
import { tooLarge } from '../proxy/upstream.ts'
import { clientAddressOf, type Incoming } from './incoming.ts'

/** The body of a request that was already read and checked. */
export interface CheckedMessages {
  readonly body: Buffer | null
  readonly transform: ForwardedExchange['transform']
}

export function sendOn(
  incoming: Incoming,
  admission: Admission,
  checked: CheckedMessages | null = null,
): Promise<void> | void {
  const { caller } = admission
  incoming.routed(admission.route)
  if (incoming.generation.tokens === null || caller === null)
    return sendWith(incoming, { admission, checked, token: null })
  return upstreamToken(incoming, admission).then((token) =>
    token.kind === 'ok' ? sendWith(incoming, { admission, checked, token: token.value }) : incoming.answer(token),
  )
}

export async function upstreamToken(
  { generation, form }: Pick<Incoming, 'generation' | 'form'>,
  { route, caller }: Admission,
): Promise<Result<string | null, Problem>> {
  const { method, target, headers } = form
  const { tokens, access } = generation
  if (tokens === null || caller === null) return ok(null)
  const presented = presentedCredentials({ method, target: target.path, lines: headers.lines }, '')
  const bearer = readBearerToken(presented)
  if (bearer.kind === 'error') return ok(null)
  const token = await tokens.tokenFor(bearer.value.token)
  if (token.kind === 'ok') return token
  if (token.error !== 'inactive') return err(token.error)
  // The token was accepted here, by the leeway or before a revocation arrived, but has ended for its issuer. The client
  // is refused as with any bad token, so that it gets another one.
  return err(access.ended(route, caller, Date.now() < caller.expiresAt ? 'revoked' : 'expired'))
}

interface Sending {
  readonly admission: Admission
  readonly checked: CheckedMessages | null
  readonly token: string | null
}

function sendWith(incoming: Incoming, { admission, checked, token }: Sending): void {
  const { generation, request, response, form, shared, notice, refuse } = incoming
  const { config, upstream, exchanges, access } = generation
  const { limits, audience, authorization } = config
  if (upstream === null || response.destroyed) return
  const body: Result<Readable | Buffer | null, 'too_large'> =
    checked === null ? requestBody(request, limits.body) : ok(checked.body)
  if (body.kind === 'error') return refuse(tooLarge(limits.body))
  if (body.value !== null && request.headers.expect !== undefined && checked === null) response.writeContinue()
  const { caller } = admission
  const requestId = randomUUID()
  let cut = (_over: (() => Problem) | null): void => {}
  // A reading request (a long poll) counts as a stream until its answer begins; a changing request may finish.
  const isRead = form.method === 'GET' || form.method === 'HEAD'
  const open = exchanges.open(admission, isRead, (ending) =>
    cut(ending === null || caller === null || !isRead ? null : () => access.ended(admission.route, caller, ending)),
  )
  response.on('close', () => exchanges.close(open))
  const headers = sentHeaders({
    request,
    audience,
    clientAddress: clientAddressOf(incoming),
    certificateHeader: config.clientCertHeader?.name ?? null,
    requestId,
    caller,
    credentials: authorization.kind === 'remove' ? 'remove' : 'forward',
    token,
    newLength: checked !== null || body.value === null,
    plainAnswer: checked?.transform !== undefined,
  })
  const more = { ...admission.headers, ...shared, 'x-request-id': requestId }
  cut = forward(
    {
      request,
      response,
      target: form.target.path + form.target.query,
      headers,
      body: body.value,
      more,
      open,
      transform: checked?.transform,
    },
    { upstream, bodyLimit: limits.body, streamIdle: limits.streamIdle * 1000, refuse, notice },
  )
}
