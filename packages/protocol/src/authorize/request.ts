/** The authorization request: RFC 6749 §4.1.1, OIDC Core §3.1.2.1. First its parameters as sent, then as accepted. */
import { type AuthorizationDetail, requestedDetails } from '../authorization-details/detail.ts'
import { requestedResources } from '../oauth/audience.ts'
import { type ClaimsRequest, parseClaims } from '../oidc/claims.ts'
import { isThumbprint } from '../oauth/confirmation.ts'
import { requestedChallenge } from '../oauth/pkce.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { parseScope, type Scope } from '../oauth/scope.ts'
import type { Form } from '../oauth/form.ts'
import { mostPreferences, textLimits } from '../oauth/text-limits.ts'
import { err, ok, type Result } from '../result.ts'
import { parsePrompt, type Prompt } from './prompt.ts'
import type { ResponseMode } from './response-mode.ts'
import type { RequestedAccess } from './requested-access.ts'

/** Well-formed, and not yet checked. */
export interface AuthorizationParameters {
  readonly responseType: string | null
  readonly scope: Scope | null
  readonly resources: readonly string[]
  readonly authorizationDetails: readonly AuthorizationDetail[] | null
  readonly challenge: string | null
  readonly nonce: string | null
  readonly dpopJkt: string | null
  readonly prompt: readonly Prompt[]
  readonly maxAge: number | null
  readonly acrValues: readonly string[]
  readonly loginHint: string | null
  readonly uiLocales: readonly string[]
  readonly claims: ClaimsRequest | null
}

/** Accepted: everything that the interaction uses from here on. Plain JSON, because it is stored meanwhile. */
export type AuthorizationRequest = RequestedAccess & {
  readonly clientId: string
  readonly redirectUri: string
  readonly redirectUriSent: boolean
  readonly responseMode: ResponseMode
  readonly state: string | null
  readonly challenge: string | null
  readonly nonce: string | null
  /** The key that its code is bound to (RFC 9449 §10); absent where a device asks. */
  readonly dpopJkt?: string | null
  readonly prompt: readonly Prompt[]
  /** Seconds. */
  readonly maxAge: number | null
  readonly acrValues: readonly string[]
  readonly loginHint: string | null
  readonly uiLocales: readonly string[]
  readonly claims: ClaimsRequest | null
  /** The only person who may answer (id_token_hint, or `sub` in the claims parameter). */
  readonly subject: string | null
  /** The handle of the request_uri it was pushed as (RFC 9126); the answer uses that up. */
  readonly pushed: string | null
}

const unsupported: readonly (readonly [string, Refusal])[] = [['registration', { reason: 'registration_unsupported' }]]

export function parseAuthorizationParameters(form: Form): Result<AuthorizationParameters, Refusal> {
  const refused = unsupported.find(([name]) => form.get(name) !== undefined) ?? tooLong(form)
  if (refused !== undefined) return err(refused[1])
  const scope = optional(form.get('scope'), parseScope)
  if (scope === undefined) return err({ reason: 'scope_malformed' })
  const claims = optional(form.get('claims'), parseClaims)
  if (claims === undefined) return err({ reason: 'parameter_malformed', name: 'claims' })
  const maxAge = optional(form.get('max_age'), wholeSeconds)
  if (maxAge === undefined) return err({ reason: 'parameter_malformed', name: 'max_age' })
  const dpopJkt = optional(form.get('dpop_jkt'), (text) => (isThumbprint(text) ? text : null))
  if (dpopJkt === undefined) return err({ reason: 'parameter_malformed', name: 'dpop_jkt' })
  const prompt = parsePrompt(form.get('prompt'))
  if (prompt.kind === 'error') return prompt
  const resources = requestedResources(form)
  if (resources.kind === 'error') return resources
  const details = requestedDetails(form)
  if (details.kind === 'error') return details
  const challenge = requestedChallenge(form)
  if (challenge.kind === 'error') return challenge
  return ok({
    responseType: form.get('response_type') ?? null,
    scope,
    resources: resources.value,
    authorizationDetails: details.value,
    challenge: challenge.value,
    nonce: form.get('nonce') ?? null,
    dpopJkt,
    prompt: prompt.value,
    maxAge,
    acrValues: list(form.get('acr_values')),
    loginHint: form.get('login_hint') ?? null,
    uiLocales: list(form.get('ui_locales')),
    claims,
  })
}

/** Null where it was not sent, undefined where it is malformed. */
function optional<T>(text: string | undefined, parse: (text: string) => T | null): T | null | undefined {
  return text === undefined ? null : (parse(text) ?? undefined)
}

const wholeSeconds = (text: string): number | null => (/^[0-9]{1,9}$/.test(text) ? Number(text) : null)

/** Preferences in their order, up to a maximum. */
const list = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : [...new Set(text.split(' '))].filter((it) => it !== '').slice(0, mostPreferences)

/** Bounded, because the values are stored: a client must not be able to fill the store. */
const bounded = [
  ['nonce', textLimits.nonce],
  ['login_hint', textLimits.loginHint],
  ['acr_values', textLimits.acrValues],
  ['ui_locales', textLimits.uiLocales],
  ['claims', textLimits.claims],
] as const

function tooLong(form: Form): readonly [string, Refusal] | undefined {
  const found = bounded.find(([name, limit]) => (form.get(name)?.length ?? 0) > limit)
  return found === undefined ? undefined : [found[0], { reason: 'parameter_malformed', name: found[0] }]
}
