/**
 * Makes events: actor, action, time, and the client and subject concerned. They are recorded only by a verb of the
 * store.
 */
import { type Actor, type EventName, isPersonal, type NewEvent } from '@grantor/protocol/events'
import type { Client } from '@grantor/protocol/registration'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'
import { deviceOf } from './people/device-name.ts'
import type { Clock, Ids } from './ports/environment.ts'

/** The origin of a request, as far as the log records it. */
export interface Origin {
  readonly tenant: TenantId
  readonly ip: string | null
  readonly traceId: string | null
  /** The user agent of a person's browser. */
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

/** Events that people can read about themselves name the device. */
function withDevice(
  name: EventName,
  { actor, data = null }: Details & { readonly actor: Actor },
  userAgent: string | null,
) {
  if (actor.kind !== 'user' || !isPersonal(name)) return data
  const device = deviceOf(userAgent)
  return device === null ? data : { ...data, device }
}

/** The origin of acts of an operator or of the service itself. */
export const localOrigin = (tenant: TenantId): Origin => ({ tenant, ip: null, traceId: null })

export const systemActor: Actor = { kind: 'system', id: null }

/**
 * A refusal to a client, or to a stranger who wants an account, or an unknown token that an API asked about; refusals
 * are counted (background/refused-requests.ts).
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
  /** The client that asked. Null where it does not exist: names made up by strangers are not kept. */
  readonly clientId: string | null
  readonly reason: string
  /** For the operator's log: the registered value, where the request had another. */
  readonly expected?: string
  /** The API for which a token was denied. */
  readonly resource?: string
}

/** Notes that a client received a token. */
export interface UseRecorder {
  note(client: Client, at: Instant): void
}

export interface RefusalRecorder {
  record(refused: RefusedRequest): void
}
