/** Makes events: who, what, when, on whose behalf. They become facts only inside a verb of the store. */
import type { Actor, EventName, NewEvent } from '@grantor/protocol/events'
import type { EventId, TenantId } from '@grantor/protocol/types'
import type { Ports } from './ports/ports.ts'

/** Where a request came from, as far as the log should know. */
export interface Origin {
  readonly tenant: TenantId
  readonly ip: string | null
  readonly traceId: string | null
}

type Details = Partial<Pick<NewEvent, 'subject' | 'clientId' | 'grantId' | 'jti' | 'scope' | 'reason' | 'data'>>

export function newEvent(
  ports: Pick<Ports, 'clock' | 'ids'>,
  origin: Origin,
  name: EventName,
  about: Details & { readonly actor: Actor },
): NewEvent {
  return {
    id: ports.ids.id() as EventId,
    tenant: origin.tenant,
    at: ports.clock.now(),
    name,
    actor: about.actor,
    subject: about.subject ?? null,
    clientId: about.clientId ?? null,
    grantId: about.grantId ?? null,
    jti: about.jti ?? null,
    scope: about.scope ?? null,
    reason: about.reason ?? null,
    ip: origin.ip,
    traceId: origin.traceId,
    data: about.data ?? null,
  }
}

/** The origin of what an operator or the service itself does. */
export const localOrigin = (tenant: TenantId): Origin => ({ tenant, ip: null, traceId: null })

export const systemActor: Actor = { kind: 'system', id: null }
