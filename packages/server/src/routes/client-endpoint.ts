/** The shape of the endpoints that clients post a form to: read it, ask the authority, tell the limits, answer. */
import type { Answer, EndpointRequest } from '@grantor/authority'
import { isRefusal } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import type { Desk } from '../http/responder.ts'
import type { Incoming } from '../http/exchange.ts'
import type { Serve } from '../http/fast-path.ts'
import type { Route } from './route.ts'

interface ClientEndpoint extends Pick<Route, 'path' | 'cors'> {
  /** Null answers 200 with nothing in it. */
  ask(desk: Desk, asked: EndpointRequest, request: Incoming): Promise<Answer<JsonObject | null>>
  /** Called when it was answered with success. */
  done?(desk: Desk, asked: EndpointRequest): void
}

const empty = { 'cache-control': 'no-store' }

export function clientEndpoint({ path, cors, ask, done }: ClientEndpoint): Route {
  const serve =
    (desk: Desk): Serve =>
    async (request, reply) => {
      const asked = desk.read(request)
      if (isRefusal(asked)) return desk.refuse(reply, asked)
      const answer = await ask(desk, asked, request)
      desk.tell(reply, answer.quota)
      if (!answer.ok) return desk.refuse(reply, answer.refusal)
      done?.(desk, asked)
      return answer.value === null ? desk.send(reply, 200, null, empty) : desk.json(reply, answer.value)
    }
  return { path, methods: ['POST'], cors, at: 'every issuer', handler: serve, serve }
}
