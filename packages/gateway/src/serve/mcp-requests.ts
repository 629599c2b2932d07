/** Requests to an MCP server: the whole body is read and each message checked before anything is forwarded. */
import type { Caller } from '@grantor/resource'
import { readRequestBody } from '@grantor/resource/http'
import { readNodeRequest } from '@grantor/resource/node'
import type { Admission } from '../access/access.ts'
import type { McpGuard, ReceivedAnswer } from '../mcp/mcp-guard.ts'
import { accessRequest, admitted, type Incoming, whenDecided } from './incoming.ts'
import { sendOn } from './send-on.ts'

/** Bytes. Messages are short; long content is passed by URI. */
const longestBody = 4 * 1024 * 1024

export function forwardMessages(incoming: Incoming, guard: McpGuard): Promise<void> | void {
  const { generation, answer } = incoming
  // MCP clients expect 403 for a token that lacks a scope (RFC 6750 §3.1).
  return whenDecided(generation.access.decideFor(guard.route, accessRequest(incoming), 403), (decision) => {
    if (decision.kind === 'error') return answer(decision)
    const { caller } = decision.value
    if (caller === null) throw new Error('an MCP server is never public')
    return forwardOf(caller, { incoming: admitted(incoming, decision.value), guard, admission: decision.value })
  })
}

interface GuardedRequest {
  readonly incoming: Incoming
  readonly guard: McpGuard
  readonly admission: Admission
}

async function forwardOf(caller: Caller, { incoming, guard, admission }: GuardedRequest): Promise<void> {
  const { form, request, refuse, generation } = incoming
  const { method, headers } = form
  const objection = guard.objection(method, headers, caller)
  if (objection !== null) return refuse(objection)
  const transform = (answer: ReceivedAnswer) => guard.received(answer, caller)
  if (method !== 'POST') return sendOn(incoming, admission, { body: null, transform })
  if (request.headers.expect !== undefined) incoming.response.writeContinue()
  const limit = Math.min(longestBody, generation.config.limits.body)
  const body = await readRequestBody(readNodeRequest(request, null), headers, limit)
  if (body.kind === 'error') return refuse(body.error)
  const refused = await guard.check(body.value, headers, caller)
  if (refused !== null) return refuse(refused)
  return sendOn(incoming, admission, { body: Buffer.from(body.value), transform })
}
