/** The device authorization request and its answer: RFC 8628 §3.1, §3.2; `resource`: RFC 8707. */
import { requestedDetails } from '../authorization-details/detail.ts'
import { requestedResources } from '../oauth/audience.ts'
import type { AuthorizationRequest } from '../authorize/request.ts'
import { type RequestedAccess, requestedAccess } from '../authorize/requested-access.ts'
import { type Client, mayUseGrant } from '../registration/client.ts'
import { deviceGrant } from '../grants/grant-types.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { parseScope } from '../oauth/scope.ts'
import type { Form } from '../oauth/form.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import type { Handle, Instant, JsonObject } from '../types.ts'
import { err, type Result } from '../result.ts'
import { showUserCode, type UserCode } from './user-code.ts'

/** The requested access, as accepted at the time of the request. */
export type DeviceRequest = RequestedAccess

/** What a person is shown of a device or a CIBA request, as plain JSON, because the interaction stores it. */
export type AskingDevice = {
  /** The handle of the device code or auth_req_id. */
  readonly handle: Handle
  /** The typed code, in the form that the device shows; null for a CIBA request. */
  readonly userCode: UserCode | null
  /** The data of a CIBA request; absent for a device. */
  readonly backchannel?: { readonly bindingMessage: string | null }
  readonly ip: string | null
  readonly userAgent: string | null
  readonly askedAt: Instant
}

export interface DeviceRequestContext {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
}

export function acceptDeviceRequest(form: Form, on: DeviceRequestContext): Result<DeviceRequest, Refusal> {
  if (!mayUseGrant(on.client, deviceGrant)) return err({ reason: 'grant_type_not_allowed' })
  const text = form.get('scope')
  const named = text === undefined ? null : parseScope(text)
  if (text !== undefined && named === null) return err({ reason: 'scope_malformed' })
  const asked = requestedResources(form)
  if (asked.kind === 'error') return asked
  const details = requestedDetails(form)
  if (details.kind === 'error') return details
  return requestedAccess({ scope: named, resources: asked.value, authorizationDetails: details.value }, on)
}

/**
 * The same request in the form that interactions use. RFC 8628 §5.4: the person may have been lured here, so no earlier
 * consent is used: `prompt` is always `consent`.
 */
export const deviceInteraction = ({ id, metadata }: Client, asked: DeviceRequest): AuthorizationRequest => ({
  ...asked,
  clientId: id,
  redirectUri: '',
  redirectUriSent: false,
  responseMode: 'query',
  state: null,
  challenge: null,
  nonce: null,
  prompt: ['consent'],
  maxAge: metadata.default_max_age ?? null,
  acrValues: metadata.default_acr_values ?? [],
  loginHint: null,
  uiLocales: [],
  claims: null,
  subject: null,
  pushed: null,
})

/** The page for typing the code, under the issuer. */
export const devicePage = '/device'

export interface DeviceCodes {
  readonly deviceCode: string
  readonly userCode: UserCode
  /** Seconds. */
  readonly expiresIn: number
  readonly interval: number
}

/** RFC 8628 §3.2. */
export function deviceResponse(issuer: string, it: DeviceCodes): JsonObject {
  const shown = showUserCode(it.userCode)
  return {
    device_code: it.deviceCode,
    user_code: shown,
    verification_uri: `${issuer}${devicePage}`,
    verification_uri_complete: `${issuer}${devicePage}?user_code=${shown}`,
    expires_in: it.expiresIn,
    interval: it.interval,
  }
}
