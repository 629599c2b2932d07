/** An event as it is shown (docs/events.md): times in ISO form, null for absent members. */
import type { SealedEvent } from './event.ts'

export const eventDocument = (event: SealedEvent) => ({
  id: event.id,
  seq: event.seq,
  at: new Date(event.at).toISOString(),
  tenant: event.tenant,
  name: event.name,
  actor: { kind: event.actor.kind, id: event.actor.id },
  subject: event.subject,
  client_id: event.clientId,
  grant_id: event.grantId,
  jti: event.jti,
  scope: event.scope,
  reason: event.reason,
  ip: event.ip,
  trace_id: event.traceId,
  data: event.data,
})
