/** An event as it is shown (docs/events.md), and the line a person reads. */
import type { SealedEvent } from '@grantor/protocol/events'
import type { JsonObject } from '@grantor/protocol/types'
import { printable } from '../output/printable.ts'
import type { Style } from '../output/style.ts'
import { shortTime, timestamp } from '../output/time.ts'

export const eventDocument = (event: SealedEvent): JsonObject => ({
  id: event.id,
  seq: event.seq,
  at: timestamp(event.at),
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

export function eventLine(event: SealedEvent, style: Style): string {
  const { actor, clientId, subject, jti, scope, reason, ip } = event
  const shown = { client: clientId, subject: subject === clientId ? null : subject, scope, reason, jti, ip }
  const details = Object.entries(shown).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`${style.dim(`${name}=`)}${printable(value)}`],
  )
  const by = actor.id === null || actor.id === clientId ? actor.kind : `${actor.kind}:${actor.id}`
  const name = /rejected|replayed|failed|revoked|dropped|deleted/.test(event.name) ? style.warn : style.good
  return [
    style.dim(`${String(event.seq).padStart(6)}  ${shortTime(event.at)}`),
    ` ${name(event.name.padEnd(22))}`,
    printable(by).padEnd(18),
    ...details,
  ].join(' ')
}
