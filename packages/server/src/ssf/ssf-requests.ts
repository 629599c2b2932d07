/** Handles one request to the shared signals endpoints: finds the operation, admits the caller, answers. */
import type { IncomingMessage } from 'node:http'
import type { Origin } from '@grantor/authority'
import { retryAfter } from '@grantor/protocol/http'
import { refusalResponse } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import { defaultSizes, readRequestHead } from '@grantor/resource/http'
import { readNodeRequest } from '@grantor/resource/node'
import { admit, type ReceivedSsf, type SsfContext } from './admission.ts'
import { type SsfOperation, ssfOperations, type SsfQuestion } from './operations.ts'
import { bodyOf } from './request-body.ts'
import { belowIssuer } from './ssf-path.ts'
import { type SsfAnswer, ssfAnswer, ssfRefusal, withQuota } from './ssf-responder.ts'

type SsfService = (raw: IncomingMessage, origin: Origin) => Promise<SsfAnswer>

export function ssfService(context: SsfContext): SsfService {
  const { authority } = context
  return async (raw, origin) => {
    const request = readNodeRequest(raw, origin.ip)
    const head = readRequestHead(request, defaultSizes)
    if (head.kind === 'error')
      return ssfRefusal({ status: head.error.status, err: 'invalid_request', description: head.error.detail })
    const { path, search } = belowIssuer(request.target)
    const operation = operationAt(request.method, path)
    if (operation.kind === 'error') return operation.error
    const received: ReceivedSsf = { raw, request, headers: head.value, origin }
    const admitted = await admit(received, operation.value.scope, context)
    if (admitted.kind === 'error') return admitted.error
    const { clientId } = admitted.value
    const quota = await authority.signals.take(origin.tenant, clientId)
    if (quota !== null && !quota.allowed) {
      const after = retryAfter(quota)
      const over = refusalResponse({ reason: 'limit_reached', limit: quota.policy, retryAfter: after })
      const refused = { status: over.status, err: over.error, description: over.error_description }
      return withQuota(ssfRefusal(refused, { 'retry-after': String(after) }), quota)
    }
    const body = await bodyOf(received)
    if (body.kind === 'error') return body.error
    const over = (): boolean => raw.socket.destroyed || context.draining()
    const question = { call: { origin, clientId }, search, body: body.value, over }
    return withQuota(await answerOf(operation.value, question, context), quota)
  }
}

async function answerOf(
  operation: SsfOperation,
  asked: Omit<SsfQuestion, 'waited'>,
  { authority }: SsfContext,
): Promise<SsfAnswer> {
  let waited = 0
  const question = { ...asked, waited: (milliseconds: number) => void (waited += milliseconds) }
  const done = await operation.run(question, authority)
  return { ...(done.kind === 'ok' ? ssfAnswer(operation.status, done.value) : ssfRefusal(done.error)), waited }
}

function operationAt(method: string, path: string): Result<SsfOperation, SsfAnswer> {
  const here = ssfOperations.filter((it) => it.path === path)
  const found = here.find((it) => it.method === (method === 'HEAD' ? 'GET' : method))
  if (found !== undefined) return ok(found)
  if (here.length === 0)
    return err(ssfRefusal({ status: 404, err: 'not_found', description: 'There is nothing at this address.' }))
  const allow = here.map((it) => it.method).join(', ')
  return err(ssfRefusal({ status: 405, err: 'invalid_request', description: `Allowed here: ${allow}.` }, { allow }))
}
