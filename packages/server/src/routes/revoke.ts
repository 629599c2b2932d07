/** POST /revoke (RFC 7009). The answer to success is 200 with nothing in it (§2.2). */
import { endpointPath, isRefusal } from '@grantor/protocol'
import type { Route } from './route.ts'

const empty = { 'cache-control': 'no-store' }

export const revoke: Route = {
  path: endpointPath.revocation,
  methods: ['POST'],
  // RFC 7009 §2: browser applications give their tokens back themselves.
  cors: true,
  at: 'every issuer',
  handler: (desk) => async (request, reply) => {
    const asked = desk.read(request)
    if (isRefusal(asked)) return desk.refuse(reply, asked)
    const answer = await desk.authority.revoke(asked)
    desk.tell(reply, answer.quota)
    return answer.ok ? desk.send(reply, 200, null, empty) : desk.refuse(reply, answer.refusal)
  },
}
