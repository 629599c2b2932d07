/** POST /token (RFC 6749 §3.2). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const token = clientEndpoint({
  path: endpointPath.token,
  // Public clients in a browser redeem their codes here; no cookie is read, so any origin may.
  cors: true,
  ask: ({ authority }, asked) => authority.token(asked),
  // Issued, so the grant type is one that we know.
  done: ({ meters }, { form }) => meters.issued(form.get('grant_type') ?? ''),
})
