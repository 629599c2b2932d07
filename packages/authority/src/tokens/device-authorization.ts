/** POST /device_authorization (RFC 8628 §3.1), without HTTP: parse → decide → mint → commit → answer. */
import {
  acceptDeviceRequest,
  type DeviceRequest,
  deviceResponse,
  type UserCode,
  userCodeFrom,
} from '@grantor/protocol/device'
import { retryAfter } from '@grantor/protocol/http'
import { secretPrefix } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { basisOf } from '../directory.ts'
import type { Hands } from '../hands.ts'
import { addressKey } from '../limits/limits.ts'
import { retryStale } from '../retry-stale.ts'
import { userCodeHandle } from './user-code-handle.ts'
import { type AuthenticateClient, withinLimits } from '../limits/endpoint-limits.ts'

/** What the person will be shown of the device comes from here. */
export interface DeviceEndpointRequest extends EndpointRequest {
  readonly userAgent: string | null
}

type Attempt = EndpointResult<JsonObject> | 'stale'

/** Of 20^8 codes a few thousand are alive: two collisions in a row mean that something is wrong. */
const maxDraws = 5
const longestUserAgent = 300

export async function deviceAuthorization(
  request: DeviceEndpointRequest,
  hands: Hands,
): Promise<EndpointResult<JsonObject>> {
  const { limits, limiter } = hands
  // Anybody can ask in the name of a public client: what is kept for those who ask is bounded by address, too.
  if (limits.deviceRequests !== null && request.ip !== null) {
    const taken = await limiter.take(limits.deviceRequests, addressKey(request.ip))
    if (!taken.allowed) {
      return { ...err({ reason: 'limit_reached', retryAfter: retryAfter(taken) }), quota: [taken] }
    }
  }
  return withinLimits('device', { request, hands }, (who) =>
    retryStale(request.tenant, hands, () => authorizeDeviceOnce(request, who, hands)),
  )
}

async function authorizeDeviceOnce(
  request: DeviceEndpointRequest,
  who: AuthenticateClient,
  hands: Hands,
): Promise<Attempt> {
  const catalogue = await hands.directory.currentCatalogue(request.tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return err({ reason: 'tenant_unknown' })
  const authenticated = await who()
  if (authenticated.kind === 'error') return authenticated
  const client = authenticated.value
  const issuer = hands.issuers.issuerOf(request.tenant)
  const asked = acceptDeviceRequest(request.form, { client, catalogue, issuer })
  if (asked.kind === 'error') return asked
  for (let draw = 0; draw < maxDraws; draw++) {
    const minted = mintDeviceCodes(hands)
    const device = deviceOf(request, { asked: asked.value, clientId: client.id, minted }, hands)
    const outcome = await hands.store.devices.open(device, basisOf(catalogue, client))
    if (outcome === 'stale') return 'stale'
    const { deviceTtl: expiresIn, deviceInterval: interval } = hands.policy
    if (outcome === 'opened') return ok(deviceResponse(issuer, { ...minted, expiresIn, interval }))
  }
  return err({ reason: 'unavailable', retryAfter: 1 })
}

interface MintedDeviceCodes {
  readonly deviceCode: string
  readonly userCode: UserCode
}

function mintDeviceCodes(hands: Pick<Hands, 'ids'>): MintedDeviceCodes {
  let userCode = userCodeFrom(hands.ids.salt())
  while (userCode === null) userCode = userCodeFrom(hands.ids.salt())
  return { deviceCode: hands.ids.secret(secretPrefix.device), userCode }
}

interface AcceptedDevice {
  readonly asked: DeviceRequest
  readonly clientId: string
  readonly minted: MintedDeviceCodes
}

function deviceOf(
  { tenant, ip, userAgent }: DeviceEndpointRequest,
  { asked, clientId, minted }: AcceptedDevice,
  hands: Hands,
) {
  const now = hands.clock.now()
  return {
    tenant,
    handle: hands.ids.handleOf(minted.deviceCode),
    userCode: userCodeHandle(tenant, minted.userCode, hands),
    clientId,
    request: asked,
    ip,
    userAgent: userAgent?.slice(0, longestUserAgent) ?? null,
    askedAt: now,
    expiresAt: (now + hands.policy.deviceTtl * 1000) as Instant,
    interval: hands.policy.deviceInterval,
    salt: hands.ids.salt(),
  }
}
