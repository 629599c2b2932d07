/**
 * urn:ietf:params:oauth:grant-type:device_code — RFC 8628 §3.4, §3.5; a retry after a lost answer works as for refresh
 * tokens.
 */
import { type AuthorizationDetail, requestedDetails } from '../authorization-details/detail.ts'
import { requestedResource } from '../oauth/audience.ts'
import { deviceGrant } from './grant-types.ts'
import type { Handle, Instant, Secret } from '../types.ts'
import { err, ok } from '../result.ts'
import type { DeviceFacts } from './grant.ts'
import { entitlement } from './entitlement.ts'
import { firstRefresh } from './grant-life.ts'
import { isRetry, isSameHolder, retryRefusal, spentFor } from './retry.ts'
import { type GrantRule, refuse, type RefuseDecision } from './rule.ts'

export interface DeviceCodeParams {
  readonly code: Secret
  readonly handle: Handle
  readonly resource: string | null
  readonly authorizationDetails: readonly AuthorizationDetail[] | null
}

/** Seconds; RFC 8628 §3.5: slow_down adds this much, for this and every later poll. */
export const slowDownBy = 5
/** Seconds. The interval of a client that keeps polling too fast grows no further, and causes no more writes. */
export const slowestInterval = 60
/** Milliseconds by which network delays may shorten the time between two polls sent an interval apart. */
const jitter = 1_000

export const deviceCode: GrantRule<DeviceCodeParams, { device: 'device' }> = {
  type: deviceGrant,
  redeems: 'device',

  parse(form, handleOf) {
    const code = form.get('device_code')
    if (code === undefined) return err({ reason: 'parameter_missing', name: 'device_code' })
    const resource = requestedResource(form)
    if (resource.kind === 'error') return resource
    const details = requestedDetails(form)
    if (details.kind === 'error') return details
    const authorizationDetails = details.value
    return ok({ code: code as Secret, handle: handleOf(code), resource: resource.value, authorizationDetails })
  },

  lookups: ({ handle }) => ({ device: { find: 'device', by: handle } }),

  decide(input) {
    const { params, client, policy, now } = input
    const { device } = input.facts
    if (device === null || device.backchannel === true) return refuse({ reason: 'device_code_unknown' })
    // Another client can neither use the code nor, by presenting it, end the grant.
    if (device.clientId !== client.id) return refuse({ reason: 'device_code_of_another_client' })
    const { grant } = device
    const { redeemedAt: spentAt, successorSpentAt } = device
    const isSame = grant === null || isSameHolder(input, grant)
    const retry = isRetry({ spentAt, successorSpentAt }, policy, now) && isSame
    // As with a replayed refresh token (RFC 9700 §4.14.2): two parties hold this code, and nobody can tell who stole
    // it.
    if (spentAt !== null && !retry)
      return refuse({ reason: 'device_code_replayed' }, grant === null ? {} : { revoke: grant.id })
    if (device.deniedAt !== null) return refuse({ reason: 'device_denied' })
    // Approved or not, a code that was not redeemed in time is invalid (no leeway for our own codes).
    if (!retry && device.expiresAt <= now) return refuse({ reason: 'device_code_expired' })
    if (grant === null) return pollRefusal(device, params.handle, now)
    const { resource, authorizationDetails } = params
    const granted = entitlement({ grant, held: grant.scope, scope: null, resource, authorizationDetails }, input)
    if (granted.kind === 'error') return refuse(granted.error)
    const different = retry
      ? retryRefusal(
          { before: device.spentFor, asked: { scope: null, authorizationDetails }, issued: granted.value },
          input.issuer,
        )
      : null
    if (different !== null) return refuse(different)
    return {
      do: 'issue',
      ...granted.value,
      spend: retry
        ? { kind: 'device-retry', handle: params.handle }
        : { kind: 'device', handle: params.handle, spentFor: spentFor(granted.value, input.issuer) },
      refresh: firstRefresh(grant, input, { token: params.code, salt: device.salt }),
      idToken: granted.value.scope.has('openid') ? { grant, nonce: null } : null,
    }
  },
}

/** RFC 8628 §3.5, CIBA §11: nobody has decided yet; the interval of a client that polled too soon grows. */
export function pollRefusal({ polledAt, interval }: DeviceFacts, handle: Handle, now: Instant): RefuseDecision {
  const early = polledAt !== null && now - polledAt < interval * 1000 - jitter
  return early ? refuse({ reason: 'device_polled_too_fast' }, { slower: handle }) : refuse({ reason: 'device_pending' })
}
