/** An event as the admin API shows it (DECISIONS §7): the fields it has, times in ISO form. */
import { eventNames, type SealedEvent } from '@grantor/protocol/events'
import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ readOnly: true, description }))

export const EventSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  seq: Type.Integer({ readOnly: true, description: 'Its place in the log of its tenant, without gaps' }),
  at: Type.String({ readOnly: true, format: 'date-time' }),
  tenant: Type.String({ readOnly: true }),
  name: Type.Enum([...eventNames], { readOnly: true }),
  actor: Type.Object({ kind: Type.String(), id: Type.Optional(Type.String()) }, { readOnly: true }),
  subject: text('Whom it is about'),
  client_id: text('Which client it is about'),
  grant_id: text('The grant'),
  jti: text('The token'),
  scope: text('What was granted'),
  reason: text('Why, in a word'),
  ip: text('Where the request came from'),
  trace_id: text('The trace of the request'),
  data: Type.Optional(Type.Object({}, { readOnly: true, additionalProperties: true })),
})
export type EventDocument = Type.Static<typeof EventSchema>

export function eventDocument(event: SealedEvent): EventDocument {
  const { actor } = event
  return {
    id: event.id,
    seq: event.seq,
    at: new Date(event.at).toISOString(),
    tenant: event.tenant,
    name: event.name,
    actor: { kind: actor.kind, ...(actor.id === null ? {} : { id: actor.id }) },
    ...present({
      subject: event.subject,
      client_id: event.clientId,
      grant_id: event.grantId,
      jti: event.jti,
      scope: event.scope,
      reason: event.reason,
      ip: event.ip,
      trace_id: event.traceId,
    }),
    ...(event.data === null ? {} : { data: event.data }),
  }
}

const present = (fields: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null))

export const exampleEvent: EventDocument = {
  id: '0192f0c4-a1b2-7c3d-8e4f-5a6b7c8d9e0f',
  seq: 42,
  at: '2026-11-15T10:00:00.000Z',
  tenant: 'default',
  name: 'token.revoked',
  actor: { kind: 'client', id: 'web' },
  client_id: 'web',
  jti: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
}
