/** Dispatches a request: to a page of the gateway, to forward-auth, or on to the API behind. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import type { ApiMetrics } from '@grantor/api'
import { apiResponse, corsHeaders, isPreflight, preflight, type Reply } from '@grantor/resource/http'
import { answerForwardAuth, isForwardAuth } from '../forward-auth/forward-auth.ts'
import { forwardsLeft } from '../headers/request-headers.ts'
import { answerRelayed, isRelayed } from '../relay/relay-requests.ts'
import { answerReply, watchAnswer } from './answers.ts'
import type { Generation } from './generation.ts'
import { accessRequest, admitted, type Incoming, whenDecided } from './incoming.ts'
import { forwardMessages } from './mcp-requests.ts'
import type { GatewayPage } from './pages.ts'
import { readForm } from './received-request.ts'
import { sendOn } from './send-on.ts'

export interface HandlerContext {
  current(): Generation
  readonly metrics: ApiMetrics
  notice(text: string): void
  readonly draining: () => boolean
}

const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function createRequestHandler(context: HandlerContext) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const generation = context.current()
    const { origin } = new URL(generation.config.audience)
    const method = request.method ?? 'GET'
    let route = 'none'
    generation.enter()
    watchAnswer(response)
    response.on('close', () => {
      generation.leave()
      context.metrics.count('rs_requests_total', { method, route, status: String(response.statusCode) })
    })
    if (context.draining()) response.setHeader('connection', 'close')
    const form = readForm(request)
    const shared = form.kind === 'ok' ? corsHeaders(generation.cors, form.value.headers) : {}
    const answer = (reply: Reply): void => void answerReply(response, reply, { origin, method, shared })
    if (form.kind === 'error') return answer(form)
    const incoming: Incoming = {
      generation,
      request,
      response,
      form: form.value,
      shared,
      notice: context.notice,
      answer,
      refuse: (refused) => answer(err(refused)),
      routed: (to) => void (route = to.path),
    }
    const fail = (error: unknown): void => {
      context.notice(
        `a defect of the gateway: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
      if (response.headersSent) response.destroy()
      else answer(err(problem('internal', 'Something went wrong on our side.')))
    }
    try {
      handle(incoming)?.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

function handle(incoming: Incoming): Promise<void> | void {
  const { generation, form, answer, notice } = incoming
  const { method, target, headers } = form
  const { access, cors } = generation
  const allowed = (): string => usualMethods.filter((usual) => generation.mayRoute(usual, target.path)).join(', ')
  if (cors.origins.length > 0 && isPreflight(method, headers)) return answer(ok(preflight(cors, headers, allowed())))
  const page = generation.page(target.path)
  if (page !== null) return showPage(page, incoming)
  const { relay } = generation.trust
  if (relay !== null && isRelayed(target.path)) return answerRelayed(incoming, relay)
  if (isForwardAuth(target.path)) {
    const reply = answerForwardAuth(accessRequest(incoming), { access, notice })
    return reply instanceof Promise ? reply.then(answer) : answer(reply)
  }
  if (generation.upstream === null) return answer(err(problem('not-found', 'There is no API behind this gateway.')))
  if (generation.mcp?.serves(target.path) === true) return forwardMessages(incoming, generation.mcp)
  return whenDecided(access.decide(accessRequest(incoming)), (decision) => {
    if (decision.kind === 'error') return answer(decision)
    const passed = admitted(incoming, decision.value)
    // RFC 9110 §7.6.2: with `Max-Forwards: 0` the gateway itself answers.
    return forwardsLeft(incoming.request) === 0
      ? passed.answer(ok(apiResponse(204, { allow: allowed() })))
      : sendOn(passed, decision.value)
  })
}

function showPage(page: GatewayPage, incoming: Incoming): Promise<void> | void {
  const { generation, form, answer } = incoming
  if (form.method !== 'GET' && form.method !== 'HEAD')
    return answer(err(problem('method-not-allowed', 'This page is read.', { headers: { allow: 'GET, HEAD' } })))
  const show = async (): Promise<void> => answer(await page.show())
  if (page.route === null) return show()
  return whenDecided(generation.access.decideFor(page.route, accessRequest(incoming)), (decision) =>
    decision.kind === 'ok' ? show() : answer(decision),
  )
}
