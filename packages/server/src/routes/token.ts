/** POST /token (RFC 6749 §3.2). */
import { endpointPath } from '@grantor/protocol'
import { clientEndpoint } from './client-endpoint.ts'

export const token = clientEndpoint({
  path: endpointPath.token,
  // Public clients in a browser redeem their codes here; no cookie is read, so any origin may.
  cors: true,
  async ask({ authority, surface }, asked) {
    const answer = await authority.token(asked)
    // Issued, so the grant type is one that we know.
    if (answer.ok) surface.meters.issued(asked.form.get('grant_type') ?? '')
    return answer
  },
})
