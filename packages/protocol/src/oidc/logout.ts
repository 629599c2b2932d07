/** The request of a client that sends a person here to sign out: RP-Initiated Logout 1.0 §2, §3; docs/logout.md. */
import { withQuery } from '../authorize/response.ts'
import { matchRedirectUri } from '../oauth/redirect-uri.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Form } from '../oauth/form.ts'
import { mostPreferences, textLimits } from '../oauth/text-limits.ts'
import type { Client } from '../registration/client.ts'
import { err, ok, type Result } from '../result.ts'
import type { AddressRules } from '../uri/address-rules.ts'

/** The content of an ID token of ours that is used as a hint. */
export interface IdTokenHint {
  readonly clientId: string
  readonly sub: string
  readonly sid: string | null
}

/** `unknown`: signed with a key that is not, or no longer, one of this issuer's. */
export type IdTokenHintResult = 'absent' | 'unknown' | 'invalid' | IdTokenHint

/** A request with a valid hint. Plain JSON, because it is stored while it waits for a person's answer. */
export type LogoutRequest = {
  readonly clientId: string
  readonly sub: string
  readonly sid: string | null
  /** The registered address, and the same with the state to be returned; null where the browser is not redirected. */
  readonly redirectUri: string | null
  readonly onward: string | null
  readonly uiLocales: readonly string[]
}

/**
 * Null without a valid hint: then the person is asked, and the other parameters are ignored. `client` is the client to
 * which the hint was issued.
 */
export function logoutRequest(
  form: Form,
  hint: IdTokenHintResult,
  { client, rules }: { readonly client: Client | null; readonly rules: AddressRules },
): Result<LogoutRequest | null, Refusal> {
  if (hint === 'invalid') return err({ reason: 'parameter_malformed', name: 'id_token_hint' })
  if (hint === 'absent' || hint === 'unknown' || client === null || client.disabledAt !== null) return ok(null)
  // §2: "the OP MUST verify that the Client Identifier matches the one used as the audience of the ID Token".
  const named = form.get('client_id')
  if (named !== undefined && named !== hint.clientId) return err({ reason: 'parameter_malformed', name: 'client_id' })
  const state = form.get('state') ?? null
  if (state !== null && state.length > textLimits.state) return err({ reason: 'parameter_malformed', name: 'state' })
  const locales = form.get('ui_locales') ?? ''
  if (locales.length > textLimits.uiLocales) return err({ reason: 'parameter_malformed', name: 'ui_locales' })
  const redirectUri = form.get('post_logout_redirect_uri') ?? null
  // Byte for byte: RFC 9700 §4.1.3 applies to every address that a browser is redirected to.
  const { post_logout_redirect_uris: registered = [], application_type: type } = client.metadata
  const addresses = { redirect_uris: registered.filter((uri) => uri === redirectUri), application_type: type ?? 'web' }
  if (redirectUri !== null && matchRedirectUri(redirectUri, addresses, rules) === null)
    return err({ reason: 'post_logout_redirect_uri_unregistered' })
  return ok({
    ...hint,
    redirectUri,
    onward: redirectUri === null || state === null ? redirectUri : withQuery(redirectUri, [['state', state]]),
    uiLocales: locales.split(' ').filter(Boolean).slice(0, mostPreferences),
  })
}

/**
 * Front-Channel Logout 1.0 §3: the address of a frame; `iss` and `sid` must come together, and an existing query is
 * kept.
 */
export const frontChannelFrame = (uri: string, issuer: string, sid: string): string =>
  withQuery(uri, [
    ['iss', issuer],
    ['sid', sid],
  ])
