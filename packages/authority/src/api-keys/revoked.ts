/** The event of a revoked API key, as the revocation feed delivers it. */
import type { Actor } from '@grantor/protocol/events'
import { type ApiKey, keyNewsMatterFor } from '@grantor/protocol/oauth'
import type { TokenId } from '@grantor/protocol/types'
import { type EventDependencies, newEvent, type Origin } from '../events.ts'

/** `until` tells the revocation feed how long the revocation matters. */
export const keyRevoked = (
  key: ApiKey,
  { origin, actor }: { readonly origin: Origin; readonly actor: Actor },
  deps: EventDependencies,
) =>
  newEvent(deps, origin, 'api_key.revoked', {
    actor,
    clientId: key.clientId,
    jti: key.id as TokenId,
    data: { name: key.name, resource: key.resource, until: deps.clock.now() + keyNewsMatterFor },
  })
