/** POST /device_authorization (RFC 8628 §3.1). */
import { endpointPath, isRefusal } from '@grantor/protocol'
import type { Route } from './route.ts'

export const deviceAuthorization: Route = {
  path: endpointPath.deviceAuthorization,
  methods: ['POST'],
  // As at /token: no cookie is read, so any origin may.
  cors: true,
  at: 'every issuer',
  handler: (desk) => async (request, reply) => {
    const asked = desk.read(request)
    if (isRefusal(asked)) return desk.refuse(reply, asked)
    const userAgent = request.headers['user-agent'] ?? null
    const answer = await desk.authority.deviceAuthorization({ ...asked, userAgent })
    desk.tell(reply, answer.quota)
    return answer.ok ? desk.json(reply, answer.value) : desk.refuse(reply, answer.refusal)
  },
}
