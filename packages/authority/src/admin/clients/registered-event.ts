/** The event of a client that an administrator created. */
import type { Actor } from '@grantor/protocol/events'
import type { NewClient } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'

export const registeredEvent = (by: Actor, client: NewClient, deps: EventDependencies) =>
  newEvent(deps, localOrigin(client.tenant), 'client.registered', {
    actor: by,
    clientId: client.id,
    scope: client.metadata.scope,
    data: {
      origin: client.origin,
      client_name: client.metadata.client_name ?? null,
      token_endpoint_auth_method: client.metadata.token_endpoint_auth_method,
      grant_types: client.metadata.grant_types,
      ...(client.disabledAt === null ? {} : { disabled: true }),
    },
  })
