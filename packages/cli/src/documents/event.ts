/** An event as the line a person reads. */
import type { SealedEvent } from '@grantor/protocol/events'
import { printable } from '../output/printable.ts'
import type { Style } from '../output/style.ts'
import { shortTime } from '../output/time.ts'

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
