/** The backchannel authentication request: OpenID Connect CIBA Core 1.0 §7.1; FAPI-CIBA §5.2.2. */
import { requestedDetails } from '../authorization-details/detail.ts'
import { type RequestedAccess, requestedAccess } from '../authorize/requested-access.ts'
import type { AuthorizationRequest } from '../authorize/request.ts'
import { cibaGrant } from '../grants/grant-types.ts'
import { requestedResources } from '../oauth/audience.ts'
import type { Form } from '../oauth/form.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { parseScope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { mostPreferences, textLimits } from '../oauth/text-limits.ts'
import { deviceInteraction } from '../device/request.ts'
import { type Client, isPublic, mayUseGrant } from '../registration/client.ts'
import { profileOf } from '../registration/profiles.ts'
import type { JsonObject } from '../types.ts'
import { err, ok, type Result } from '../result.ts'

/** §7.1: exactly one of them names the person. */
export const hintNames = ['login_hint', 'id_token_hint', 'login_hint_token'] as const
export type HintName = (typeof hintNames)[number]

export interface BackchannelHint {
  readonly name: HintName
  readonly value: string
}

/** The stored parts of a request besides the requested access, as plain JSON. */
export type BackchannelTerms = {
  readonly acrValues: readonly string[]
  /** Shown to the person, and by the client on its own device, so that both can be compared. */
  readonly bindingMessage: string | null
}

export interface BackchannelRequest {
  readonly access: RequestedAccess
  readonly terms: BackchannelTerms
  readonly hint: BackchannelHint
  readonly userCode: string | null
  /** The token with which the server authenticates its notification of the decision; null if the client only polls. */
  readonly notificationToken: string | null
  /** Its lifetime in seconds. */
  readonly expiresIn: number
}

export interface BackchannelContext {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly policy: { readonly backchannelTtl: number }
}

/** §7.1: short and plain. Invisible and bidirectional characters could make one message look like another. */
const plainMessage = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u

const bearerToken = /^[A-Za-z0-9._~+/-]+=*$/

export function acceptBackchannelRequest(form: Form, on: BackchannelContext): Result<BackchannelRequest, Refusal> {
  const { client } = on
  // §7.1: only for clients that authenticate.
  if (!mayUseGrant(client, cibaGrant) || isPublic(client)) return err({ reason: 'grant_type_not_allowed' })
  const access = askedAccess(form, on)
  if (access.kind === 'error') return access
  const hint = askedHint(form)
  if (hint.kind === 'error') return hint
  const terms = askedTerms(form, client)
  if (terms.kind === 'error') return terms
  const userCode = form.get('user_code') ?? null
  if (userCode !== null && userCode.length > textLimits.backchannelUserCode) return err({ reason: 'user_code_wrong' })
  const notificationToken = askedNotificationToken(form, client)
  if (notificationToken.kind === 'error') return notificationToken
  const expiry = form.get('requested_expiry')
  if (expiry !== undefined && !/^[1-9][0-9]{0,8}$/.test(expiry))
    return err({ reason: 'parameter_malformed', name: 'requested_expiry' })
  return ok({
    access: access.value,
    hint: hint.value,
    terms: terms.value,
    userCode,
    notificationToken: notificationToken.value,
    // A client can only shorten the usual lifetime.
    expiresIn: Math.min(Number(expiry ?? on.policy.backchannelTtl), on.policy.backchannelTtl),
  })
}

function askedAccess(form: Form, on: BackchannelContext): Result<RequestedAccess, Refusal> {
  const text = form.get('scope')
  if (text === undefined) return err({ reason: 'parameter_missing', name: 'scope' })
  const scope = parseScope(text)
  if (scope === null) return err({ reason: 'scope_malformed' })
  // §7.1: it is an authentication request, which needs openid.
  if (!scope.has('openid')) return err({ reason: 'scope_lacks_openid' })
  const resources = requestedResources(form)
  if (resources.kind === 'error') return resources
  const details = requestedDetails(form)
  if (details.kind === 'error') return details
  return requestedAccess({ scope, resources: resources.value, authorizationDetails: details.value }, on)
}

function askedHint(form: Form): Result<BackchannelHint, Refusal> {
  const [hint, ...others] = hintNames.flatMap((name) => {
    const value = form.get(name)
    return value === undefined ? [] : [{ name, value }]
  })
  if (hint === undefined || others.length > 0) return err({ reason: 'hint_not_single' })
  const limit = hint.name === 'login_hint' ? textLimits.loginHint : textLimits.jwt
  return hint.value.length > limit ? err({ reason: 'parameter_malformed', name: hint.name }) : ok(hint)
}

/** §7.1: only for ping mode, and valid in a header (RFC 6750 §2.1). */
function askedNotificationToken(form: Form, client: Client): Result<string | null, Refusal> {
  if (client.metadata.backchannel_token_delivery_mode !== 'ping') return ok(null)
  const name = 'client_notification_token'
  const token = form.get(name)
  if (token === undefined) return err({ reason: 'parameter_missing', name })
  const fits = token.length <= textLimits.clientNotificationToken && bearerToken.test(token)
  return fits ? ok(token) : err({ reason: 'parameter_malformed', name })
}

function askedTerms(form: Form, client: Client): Result<BackchannelTerms, Refusal> {
  const acr = form.get('acr_values') ?? ''
  if (acr.length > textLimits.acrValues) return err({ reason: 'parameter_malformed', name: 'acr_values' })
  const message = form.get('binding_message') ?? null
  // FAPI-CIBA §5.2.2: distinguishes the approved request from others at the same time.
  if (message === null && profileOf(client).bindingMessage)
    return err({ reason: 'parameter_missing', name: 'binding_message' })
  if (message !== null && (message.length > textLimits.bindingMessage || !plainMessage.test(message)))
    return err({ reason: 'binding_message_invalid' })
  const asked = [...new Set(acr.split(' '))].filter((it) => it !== '').slice(0, mostPreferences)
  const acrValues = asked.length > 0 ? asked : (client.metadata.default_acr_values ?? [])
  return ok({ acrValues, bindingMessage: message })
}

interface Asked {
  readonly access: RequestedAccess
  readonly terms: BackchannelTerms
  /** The `sub` by which the client knows the person. */
  readonly subject: string
}

/** The same request in the form that interactions use: only one person may answer, and no earlier consent is used. */
export const backchannelInteraction = (client: Client, { access, terms, subject }: Asked): AuthorizationRequest => ({
  ...deviceInteraction(client, access),
  acrValues: terms.acrValues,
  subject,
})

/** §7.3. */
export const backchannelResponse = (it: {
  readonly authReqId: string
  readonly expiresIn: number
  readonly interval: number
}): JsonObject => ({ auth_req_id: it.authReqId, expires_in: it.expiresIn, interval: it.interval })
