/** POST /token (RFC 6749 §3.2). */
import { endpointPath, isRefusal } from '@grantor/protocol'
import type { Route } from './route.ts'

export const token: Route = {
  path: endpointPath.token,
  methods: ['POST'],
  // Public clients in a browser redeem their codes here; no cookie is read, so any origin may.
  cors: true,
  at: 'every issuer',
  handler: (desk) => async (request, reply) => {
    const asked = desk.read(request)
    if (isRefusal(asked)) return desk.refuse(reply, asked)
    const answer = await desk.authority.token(asked)
    desk.tell(reply, answer.quota)
    if (!answer.ok) return desk.refuse(reply, answer.refusal)
    // Issued, so the grant type is one that we know.
    desk.surface.meters.issued(asked.form.get('grant_type') ?? '')
    return desk.json(reply, answer.value)
  },
}
