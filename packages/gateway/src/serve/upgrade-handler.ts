/** Handles a request to upgrade to WebSocket: judged like any other request, then forwarded. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { problem, type Problem } from '@grantor/protocol/http'
import { type Admission, withQuotaHeaders } from '../access/access.ts'
import { sentHeaders } from '../proxy/sent-headers.ts'
import { forwardUpgrade } from '../proxy/upgrade.ts'
import { answerSocket } from './answers.ts'
import type { Generation } from './generation.ts'
import { accessRequest, clientAddressOf } from './incoming.ts'
import { type FormedRequest, readForm } from './received-request.ts'
import type { HandlerContext } from './request-handler.ts'
import { upstreamToken } from './send-on.ts'

interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly client: Duplex
  readonly head: Buffer
  readonly generation: Generation
  readonly form: FormedRequest
  refuse(problem: Problem): void
  notice(text: string): void
}

export function createUpgradeHandler({ current, metrics, notice }: HandlerContext) {
  return (request: IncomingMessage, client: Duplex, head: Buffer): void => {
    const generation = current()
    const { origin } = new URL(generation.config.audience)
    // Entered before the first await: while a token is introspected, a new generation may take over.
    generation.enter()
    client.on('close', () => generation.leave())
    client.on('error', () => client.destroy())
    const refuse = (refused: Problem): void => {
      const status = String(answerSocket(client, refused, origin))
      metrics.count('rs_requests_total', { method: 'GET', route: 'upgrade', status })
    }
    const form = readForm(request)
    if (form.kind === 'error') return refuse(form.error)
    const asked: UpgradeRequest = { request, client, head, generation, form: form.value, refuse, notice }
    handle(asked).catch(() => refuse(problem('internal', 'Something went wrong on our side.')))
  }
}

async function handle(asked: UpgradeRequest): Promise<void> {
  const { generation, form, request } = asked
  const decision = await generation.access.decide(accessRequest({ generation, form, request }))
  if (decision.kind === 'error') return asked.refuse(decision.error)
  const refuse = (refused: Problem): void => asked.refuse(withQuotaHeaders(decision.value.headers, refused))
  // Each message to an MCP server must be checked; over a WebSocket that would not happen.
  if (generation.mcp?.serves(form.target.path) === true)
    return refuse(problem('forbidden', 'MCP is not spoken over WebSocket here.'))
  const token = await upstreamToken({ generation, form }, decision.value)
  return token.kind === 'error' ? refuse(token.error) : sendOn({ ...asked, refuse }, decision.value, token.value)
}

function sendOn(asked: UpgradeRequest, admission: Admission, token: string | null): void {
  const { caller, headers: more } = admission
  const { generation, request, client, head, form, refuse, notice } = asked
  const { upstream, exchanges, config } = generation
  const { authorization, audience, limits } = config
  if (upstream === null) return refuse(problem('not-found', 'There is no API behind this gateway.'))
  const open = exchanges.open(admission, false, () => client.destroy())
  const headers = sentHeaders({
    request,
    audience,
    clientAddress: clientAddressOf(asked),
    certificateHeader: config.clientCertHeader?.name ?? null,
    requestId: randomUUID(),
    caller,
    credentials: authorization.kind === 'remove' ? 'remove' : 'forward',
    token,
    newLength: true,
    plainAnswer: false,
  })
  forwardUpgrade(
    { request, client, head, target: form.target.path + form.target.query, headers, more, open },
    { upstream, streamIdle: limits.streamIdle * 1000, refuse, notice, done: () => exchanges.close(open) },
  )
}
