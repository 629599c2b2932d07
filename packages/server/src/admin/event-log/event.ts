/** An event as the admin API shows it (docs/events.md), without empty fields. */
import { eventDocument, eventNames, type SealedEvent } from '@grantor/protocol/events'
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

export function eventEntry(event: SealedEvent): EventDocument {
  const document = eventDocument(event)
  return present({ ...document, actor: present(document.actor) }) as EventDocument
}

const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

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
