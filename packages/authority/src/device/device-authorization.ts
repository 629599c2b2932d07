/** POST /device_authorization (RFC 8628 §3.1), without HTTP: parse → decide → mint → commit → answer. */
import {
  acceptDeviceRequest,
  type DeviceRequest,
  deviceResponse,
  type UserCode,
  userCodeFrom,
} from '@grantor/protocol/device'
import type { Served } from '@grantor/protocol/documents'
import { servesDevices } from '@grantor/protocol/grants'
import { type Policy, secretPrefix } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import { basisOf, type Directory } from '../directory.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import { userCodeHandle } from './user-code-handle.ts'

/** The user agent, which describes the device to the person. */
export interface DeviceEndpointRequest extends EndpointRequest {
  readonly userAgent: string | null
}

export interface DeviceAuthorizationDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly policy: Policy
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly served: Pick<Served, 'grantTypes'>
  readonly serveClient: ServeClient
  readonly store: Pick<Store, 'devices' | 'keys'>
}

/** Of 20^8 codes a few thousand are in use: several collisions in a row mean a fault. */
const maxDraws = 5
const longestUserAgent = 300

export function openDeviceAuthorization(deps: DeviceAuthorizationDependencies) {
  const { directory, issuers, limits, policy, store } = deps
  return async (request: DeviceEndpointRequest): Promise<EndpointResult<JsonObject>> => {
    if (!servesDevices(deps.served)) return err({ reason: 'not_found' })
    // Anybody can ask in the name of a public client, so the rows stored for them are limited by address, too.
    const refused = limitReached(await limits.takeByAddress('deviceRequests', request.ip))
    if (refused !== null) return refused
    return deps.serveClient('device', request, async (authenticate) => {
      const catalogue = await directory.servedCatalogue(request.tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      const authenticated = await authenticate()
      if (authenticated.kind === 'error') return authenticated
      const client = authenticated.value
      const issuer = issuers.issuerOf(request.tenant)
      const asked = acceptDeviceRequest(request.form, { client, catalogue, issuer })
      if (asked.kind === 'error') return asked
      for (let draw = 0; draw < maxDraws; draw++) {
        const minted = mintDeviceCodes(deps.ids)
        const device = newDevice(request, { asked: asked.value, clientId: client.id, minted }, deps)
        const outcome = await store.devices.open(device, basisOf(catalogue, client))
        if (outcome === 'stale') return 'stale'
        const { deviceTtl: expiresIn, deviceInterval: interval } = policy
        if (outcome === 'opened') return ok(deviceResponse(issuer, { ...minted, expiresIn, interval }))
      }
      return err({ reason: 'unavailable', retryAfter: 1 })
    })
  }
}

interface MintedDeviceCodes {
  readonly deviceCode: string
  readonly userCode: UserCode
}

function mintDeviceCodes(ids: Pick<Ids, 'secret' | 'salt'>): MintedDeviceCodes {
  let userCode = userCodeFrom(ids.salt())
  while (userCode === null) userCode = userCodeFrom(ids.salt())
  return { deviceCode: ids.secret(secretPrefix.device), userCode }
}

interface AcceptedDevice {
  readonly asked: DeviceRequest
  readonly clientId: string
  readonly minted: MintedDeviceCodes
}

function newDevice(
  { tenant, ip, userAgent }: DeviceEndpointRequest,
  { asked, clientId, minted }: AcceptedDevice,
  { clock, ids, policy, store }: DeviceAuthorizationDependencies,
) {
  const now = clock.now()
  return {
    tenant,
    handle: ids.handleOf(minted.deviceCode),
    userCode: userCodeHandle(tenant, minted.userCode, store),
    clientId,
    request: asked,
    ip,
    userAgent: userAgent?.slice(0, longestUserAgent) ?? null,
    askedAt: now,
    expiresAt: (now + policy.deviceTtl * 1000) as Instant,
    interval: policy.deviceInterval,
    salt: ids.salt(),
  }
}
