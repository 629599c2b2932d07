/** The stored row of an accepted CIBA request, and its event. */
import type { BackchannelRequest } from '@grantor/protocol/authorize'
import type { Policy } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { NewBackchannelRequest } from '@grantor/store'
import type { DeviceEndpointRequest } from '../device/device-authorization.ts'
import { newEvent } from '../events.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'
import { sealNotification } from './notification.ts'

export interface KeptRequestDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly policy: Policy
  readonly vault: Vault
}

const longestUserAgent = 300

export interface AcceptedRequest {
  readonly request: DeviceEndpointRequest
  readonly client: Client
  readonly asked: BackchannelRequest
  /** The person who is asked; null where nobody is. */
  readonly person: Person | null
  /** Why nobody is asked, although the hint names a person; for the log alone. */
  readonly unasked: 'too_many_waiting' | 'user_code_missing' | null
}

export function newBackchannelRequest(
  { request, client, asked, person }: AcceptedRequest,
  authReqId: Secret,
  { clock, ids, policy, vault }: KeptRequestDependencies,
): NewBackchannelRequest {
  const now = clock.now()
  const handle = ids.handleOf(authReqId)
  return {
    tenant: request.tenant,
    handle,
    clientId: client.id,
    request: asked.access,
    terms: asked.terms,
    subject: person?.id ?? null,
    ip: request.ip,
    userAgent: request.userAgent?.slice(0, longestUserAgent) ?? null,
    askedAt: now,
    expiresAt: (now + asked.expiresIn * 1000) as Instant,
    interval: policy.backchannelInterval,
    salt: ids.salt(),
    notification:
      asked.notificationToken === null
        ? null
        : sealNotification({ authReqId, token: asked.notificationToken }, { tenant: request.tenant, handle }, vault),
  }
}

/** The event, from which the mail to the person is made. */
export function backchannelRequested(
  { request, client, asked, person, unasked }: AcceptedRequest,
  deps: KeptRequestDependencies,
) {
  const { bindingMessage } = asked.terms
  return newEvent(deps, request, 'backchannel.requested', {
    actor: { kind: 'client', id: client.id },
    subject: person?.id ?? null,
    clientId: client.id,
    scope: asked.access.scope.join(' '),
    reason: unasked ?? (person === null ? 'nobody_meant' : null),
    data: {
      hint: asked.hint.name,
      expires_at: deps.clock.now() + asked.expiresIn * 1000,
      ...(bindingMessage === null ? {} : { binding_message: bindingMessage }),
    },
  })
}
