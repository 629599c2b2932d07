/** Where an answer may be sent: RFC 6749 §3.1.2.4, §4.1.2.1. A refusal from here is shown on our own page. */
import { matchRedirectUri } from '../oauth/redirect-uri.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Form } from '../oauth/form.ts'
import { textLimits } from '../oauth/text-limits.ts'
import type { Client } from '../registration/client.ts'
import { err, ok, type Result } from '../result.ts'
import type { AddressRules } from '../uri/address-rules.ts'
import { type ResponseMode, responseModeFor } from './response-mode.ts'

/** With a target every answer, success or error, goes to the client. */
export interface RedirectTarget {
  readonly client: Client
  readonly redirectUri: string
  readonly redirectUriSent: boolean
  /** How the answer is sent; errors about the mode itself are sent by query. */
  readonly responseMode: ResponseMode
  readonly state: string | null
}

/** `client` is the client of the form's client_id, if it exists. */
export function redirectTarget(
  form: Form,
  client: Client | null,
  rules: AddressRules,
): Result<RedirectTarget, Refusal> {
  if (form.get('client_id') === undefined) return err({ reason: 'parameter_missing', name: 'client_id' })
  if (client === null || client.id !== form.get('client_id') || client.disabledAt !== null)
    return err({ reason: 'client_unknown' })
  const state = form.get('state') ?? null
  // Too long to be returned. The client relies on its state in every answer (RFC 6749 §4.1.2.1), so it gets none.
  if (state !== null && state.length > textLimits.state) return err({ reason: 'parameter_malformed', name: 'state' })
  const sentUri = form.get('redirect_uri')
  const redirectUri = sentUri ?? onlyRegisteredUri(client, form)
  // The presented URI, not the registered one: a native client listens on the port it names (RFC 8252 §7.3).
  if (redirectUri === null || matchRedirectUri(redirectUri, client.metadata, rules) === null)
    return err({ reason: 'redirect_uri_unregistered' })
  const responseMode = responseModeFor(form.get('response_mode'), redirectUri) ?? 'query'
  return ok({ client, redirectUri, redirectUriSent: sentUri !== undefined, responseMode, state })
}

/** RFC 6749 §3.1.2.3: may be omitted if exactly one is registered; OIDC Core §3.1.2.1: never in OIDC requests. */
function onlyRegisteredUri({ metadata }: Client, form: Form): string | null {
  const [first, ...others] = metadata.redirect_uris
  const isOidc = (form.get('scope') ?? '').split(' ').includes('openid')
  return first !== undefined && others.length === 0 && !isOidc ? first : null
}
