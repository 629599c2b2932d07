/** Whether an addressed request may be put before a person. A refusal from here goes to the client. */
import { audienceOf, chooseTarget, ownersOf, type TokenTarget, targetOf } from '../oauth/audience.ts'
import { isKnownScope } from '../oauth/catalogue.ts'
import type { ClaimRequest } from '../oidc/claims.ts'
import { type Client, mayUseGrant, registeredScope } from '../registration/client.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import { requiresPkce } from '../oauth/pkce.ts'
import type { Policy } from '../oauth/policy.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { isWithin, type Scope } from '../oauth/scope.ts'
import { sameUri } from '../oauth/uri.ts'
import type { Form } from '../oauth/form.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import type { Json } from '../types.ts'
import { err, ok, type Result } from '../result.ts'
import type { RedirectTarget } from './redirect-target.ts'
import { type AuthorizationParameters, type AuthorizationRequest, parseAuthorizationParameters } from './request.ts'

export interface AuthorizationContext {
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly policy: Policy
  /** What id_token_hint turned out to be: a token of ours for this client, even an expired one, names its subject. */
  readonly hint: 'absent' | 'invalid' | { readonly subject: string }
}

interface CheckInput {
  readonly form: Form
  readonly params: AuthorizationParameters
  readonly client: Client
  readonly on: AuthorizationContext
}

/** The list of checks, in the order in which they speak. */
const checks: readonly ((it: CheckInput) => Refusal | null)[] = [
  ({ params }) => (params.responseType === null ? { reason: 'parameter_missing', name: 'response_type' } : null),
  // OIDC's response types with several words are sets; `code` alone is offered.
  ({ params }) => (params.responseType === 'code' ? null : { reason: 'response_type_unsupported' }),
  ({ form }) =>
    ['query', 'form_post', undefined].includes(form.get('response_mode'))
      ? null
      : { reason: 'response_mode_unsupported' },
  ({ client }) => (mayUseGrant(client, 'authorization_code') ? null : { reason: 'grant_type_not_allowed' }),
  ({ params, client, on }) =>
    params.challenge === null && requiresPkce(client, on.policy) ? { reason: 'challenge_missing' } : null,
  ({ on }) => (on.hint === 'invalid' ? { reason: 'parameter_malformed', name: 'id_token_hint' } : null),
]

export function acceptAuthorizationRequest(
  form: Form,
  addressed: RedirectTarget,
  on: AuthorizationContext,
): Result<AuthorizationRequest, Refusal> {
  const parsed = parseAuthorizationParameters(form)
  if (parsed.kind === 'error') return parsed
  const params = parsed.value
  const { client, ...address } = addressed
  for (const check of checks) {
    const refusal = check({ form, params, client, on })
    if (refusal !== null) return err(refusal)
  }
  const scope = requestedScope(params, client, on)
  if (scope.kind === 'error') return scope
  const resources = coveredResources(scope.value, params.resources, { ...on, client })
  if (resources.kind === 'error') return resources
  const { responseType: _, ...kept } = params
  return ok({
    ...kept,
    ...address,
    clientId: client.id,
    scope: [...scope.value].toSorted(),
    resources: resources.value,
    maxAge: params.maxAge ?? client.metadata.default_max_age ?? null,
    acrValues: params.acrValues.length > 0 ? params.acrValues : (client.metadata.default_acr_values ?? []),
    subject: onlySubject(params, on),
  })
}

/** OIDC Core §3.1.2.1: scopes that are not understood are ignored in OIDC requests; RFC 6749 §4.1.2.1: elsewhere refused. */
export function requestedScope(
  params: Pick<AuthorizationParameters, 'scope' | 'resources'>,
  client: Client,
  on: Pick<AuthorizationContext, 'catalogue' | 'issuer'>,
): Result<Scope, Refusal> {
  if (params.scope === null) {
    const scope = defaultScope({ ...on, client }, params.resources)
    return scope.kind === 'ok' && scope.value.size === 0 ? err({ reason: 'scope_missing' }) : scope
  }
  const known = new Set([...params.scope].filter((name) => isKnownScope(on.catalogue, name)))
  if (known.size < params.scope.size && !params.scope.has('openid')) return err({ reason: 'scope_unknown' })
  return isWithin(known, registeredScope(client)) ? ok(known) : err({ reason: 'scope_exceeds_client' })
}

/** RFC 8707 §2.1: several resources may be asked for together; tokens are then fetched for one at a time. */
export function coveredResources(
  scope: Scope,
  asked: readonly string[],
  on: { readonly catalogue: Catalogue; readonly issuer: string; readonly client: Client },
): Result<readonly string[], Refusal> {
  if (asked.length === 0) {
    const target = chooseTarget({ ...on, asked: null, scope, fallback: on.client.metadata.default_resource ?? null })
    return target.kind === 'error' ? target : ok(identifiersOf([target.value], on.issuer))
  }
  const targets: TokenTarget[] = []
  for (const identifier of asked) {
    const target = targetOf(identifier, on)
    if (target.kind === 'error') return target
    targets.push(target.value)
  }
  const owners = ownersOf(scope, on.catalogue)
  if (owners.kind === 'error') return owners
  const identifiers = targets.map((target) => audienceOf(target, on.issuer))
  const uncovered = [...owners.value].some(
    (owner) => !identifiers.some((identifier) => sameUri(identifier, owner ?? on.issuer)),
  )
  return uncovered ? err({ reason: 'scope_of_another_resource' }) : ok(identifiersOf(targets, on.issuer))
}

const identifiersOf = (targets: readonly TokenTarget[], issuer: string): readonly string[] =>
  targets.every((target) => target.resource === null) ? [] : targets.map((target) => audienceOf(target, issuer))

/** OIDC Core §3.1.2.1 id_token_hint, §5.5.1: a `sub` asked for by value must be the one that answers. */
function onlySubject({ claims }: AuthorizationParameters, { hint }: AuthorizationContext): string | null {
  if (typeof hint === 'object') return hint.subject
  const wanted = requestedValue(claims?.id_token['sub']) ?? requestedValue(claims?.userinfo['sub'])
  return typeof wanted === 'string' ? wanted : null
}

/** A list of one is that one; of several none is insisted on. */
const requestedValue = (claim: ClaimRequest | undefined): Json | undefined =>
  claim?.value ?? (claim?.values?.length === 1 ? claim.values[0] : undefined)
