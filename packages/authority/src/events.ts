/** Makes events: who, what, when, on whose behalf. They become facts only inside a verb of the store. */
import { type Actor, type EventName, isPersonal, type NewEvent } from '@grantor/protocol/events'
import type { Client } from '@grantor/protocol/registration'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'
import { deviceOf } from './people/device-name.ts'
import type { Clock, Ids } from './ports/environment.ts'

/** Where a request came from, as far as the log should know. */
export interface Origin {
  readonly tenant: TenantId
  readonly ip: string | null
  readonly traceId: string | null
  /** Of a person's browser. */
  readonly userAgent?: string | null
}

type Details = Partial<Pick<NewEvent, 'subject' | 'clientId' | 'grantId' | 'jti' | 'scope' | 'reason' | 'data'>>

export interface EventDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'id'>
}

export function newEvent(
  { clock, ids }: EventDependencies,
  origin: Origin,
  name: EventName,
  about: Details & { readonly actor: Actor },
): NewEvent {
  return {
    id: ids.id() as EventId,
    tenant: origin.tenant,
    at: clock.now(),
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
    data: withDevice(name, about, origin.userAgent ?? null),
  }
}

/** What people may want to read of themselves says which device they acted with. */
function withDevice(
  name: EventName,
  { actor, data = null }: Details & { readonly actor: Actor },
  userAgent: string | null,
) {
  if (actor.kind !== 'user' || !isPersonal(name)) return data
  const device = deviceOf(userAgent)
  return device === null ? data : { ...data, device }
}

/** The origin of what an operator or the service itself does. */
export const localOrigin = (tenant: TenantId): Origin => ({ tenant, ip: null, traceId: null })

export const systemActor: Actor = { kind: 'system', id: null }

/**
 * What is refused to clients, and to strangers who want an account, and tokens that APIs ask about in vain, counted
 * (background/refused-requests.ts).
 */
export interface RefusedRequest {
  readonly name: Extract<
    EventName,
    | 'client.refused'
    | 'redirect_uri.refused'
    | 'consent.denied'
    | 'verifier.refused'
    | 'proof.refused'
    | 'assertion.refused'
    | 'token.refused'
    | 'token.denied'
    | 'token.rejected'
    | 'sign_up.refused'
  >
  readonly tenant: TenantId
  /** Who asked. Null where no such client exists: what strangers call themselves is not kept. */
  readonly clientId: string | null
  readonly reason: string
  /** For the operator's log: what was registered, where something else was sent. */
  readonly expected?: string
  /** Of the API that a token was denied for. */
  readonly resource?: string
}

/** Notes that a client was given a token. */
export interface UseRecorder {
  note(client: Client, at: Instant): void
}

export interface RefusalRecorder {
  record(refused: RefusedRequest): void
}
