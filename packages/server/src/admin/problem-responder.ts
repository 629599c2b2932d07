/** Answers refusals at the paths of the admin API as problems, also those made before the API is reached. */
import { randomUUID } from 'node:crypto'
import { problem, type Problem, type ProblemSlug } from '@grantor/protocol/http'
import { refusalResponse } from '@grantor/protocol/oauth'
import { err } from '@grantor/protocol/result'
import { renderResponse } from '@grantor/resource/http'
import type { HttpReply } from '../http/exchange.ts'
import type { Responder } from '../http/responder.ts'

const slugs: Readonly<Record<number, ProblemSlug>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'payload-too-large',
  414: 'uri-too-long',
  415: 'unsupported-media-type',
  431: 'headers-too-large',
  503: 'temporary-reduced-capacity',
}

export function problemResponder(responder: Responder, origin: () => string): Responder {
  function tell<R extends HttpReply>(reply: R, what: Problem, requestId: string): R {
    const rendered = renderResponse(err(what), reply.request.method ?? 'GET', { origin: origin(), requestId })
    return responder.send(reply, rendered.status, rendered.body, rendered.headers)
  }
  return {
    ...responder,
    tells: 'problems',
    refuse(reply, why) {
      const { status, error_description: detail, headers } = refusalResponse(why)
      responder.meter.refused(why.reason)
      const names = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
      const slug = slugs[status] ?? 'invalid-request'
      return tell(reply, problem(slug, detail, { headers: Object.fromEntries(names) }), randomUUID())
    },
    fail: (reply, id) => tell(reply, problem('internal', 'Something went wrong on our side.'), id),
  }
}
