/**
 * urn:openid:params:grant-type:ciba — OpenID Connect CIBA Core 1.0 §10.1, §11: redeems a request that a person approved
 * on another device.
 */
import { type AuthorizationDetail, requestedDetails } from '../authorization-details/detail.ts'
import { requestedResource } from '../oauth/audience.ts'
import type { Handle } from '../types.ts'
import { err, ok } from '../result.ts'
import { pollRefusal } from './device-code.ts'
import { entitlement } from './entitlement.ts'
import { firstRefresh } from './grant-life.ts'
import { cibaGrant } from './grant-types.ts'
import { spentFor } from './retry.ts'
import { type GrantRule, refuse } from './rule.ts'

export interface CibaParams {
  readonly handle: Handle
  readonly resource: string | null
  readonly authorizationDetails: readonly AuthorizationDetail[] | null
}

export const ciba: GrantRule<CibaParams, { request: 'device' }> = {
  type: cibaGrant,
  redeems: 'device',

  parse(form, handleOf) {
    const id = form.get('auth_req_id')
    if (id === undefined) return err({ reason: 'parameter_missing', name: 'auth_req_id' })
    const resource = requestedResource(form)
    if (resource.kind === 'error') return resource
    const details = requestedDetails(form)
    if (details.kind === 'error') return details
    return ok({ handle: handleOf(id), resource: resource.value, authorizationDetails: details.value })
  },

  lookups: ({ handle }) => ({ request: { find: 'device', by: handle } }),

  decide(input) {
    const { params, client, now } = input
    const { request } = input.facts
    if (request?.backchannel !== true) return refuse({ reason: 'auth_req_id_unknown' })
    if (request.clientId !== client.id) return refuse({ reason: 'auth_req_id_of_another_client' })
    // Only this client, which has authenticated, can present it again. So the second use is refused, and the tokens of
    // the first stay valid.
    if (request.redeemedAt !== null) return refuse({ reason: 'auth_req_id_used' })
    if (request.deniedAt !== null) return refuse({ reason: 'device_denied' })
    if (request.expiresAt <= now) return refuse({ reason: 'auth_req_id_expired' })
    const { grant } = request
    if (grant === null) return pollRefusal(request, params.handle, now)
    const { resource, authorizationDetails } = params
    const granted = entitlement({ grant, held: grant.scope, scope: null, resource, authorizationDetails }, input)
    if (granted.kind === 'error') return refuse(granted.error)
    return {
      do: 'issue',
      ...granted.value,
      spend: { kind: 'device', handle: params.handle, spentFor: spentFor(granted.value, input.issuer) },
      refresh: firstRefresh(grant, input),
      idToken: granted.value.scope.has('openid') ? { grant, nonce: null } : null,
    }
  },
}
