/** POST /introspect (RFC 7662). For resource servers, so not for browsers. */
import { endpointPath, isRefusal } from '@grantor/protocol'
import type { Route } from './route.ts'

export const introspect: Route = {
  path: endpointPath.introspection,
  methods: ['POST'],
  cors: false,
  at: 'every issuer',
  handler: (desk) => async (request, reply) => {
    const asked = desk.read(request)
    if (isRefusal(asked)) return desk.refuse(reply, asked)
    const answer = await desk.authority.introspect(asked)
    desk.tell(reply, answer.quota)
    return answer.ok ? desk.json(reply, answer.value) : desk.refuse(reply, answer.refusal)
  },
}
