/** POST /token (RFC 6749 §3.2). */
import { endpointPath } from '@grantor/protocol/documents'
import { clientEndpoint } from './client-endpoint.ts'

export const token = clientEndpoint({
  path: endpointPath.token,
  // Public clients in a browser redeem their codes here; no cookie is read, so any origin may call.
  cors: true,
  ask: ({ authority }, asked) => authority.token(asked),
  // A token was issued, so the grant type is a known one: the label of the metric stays bounded.
  done: ({ meters }, { form }) => meters.issued(form.get('grant_type') ?? ''),
})
