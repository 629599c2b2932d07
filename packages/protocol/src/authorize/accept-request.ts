/** Whether an authorization request is acceptable. A refusal is sent to the client. */
import { type ClaimRequest, claimsWithin } from '../oidc/claims.ts'
import { profileOf } from '../registration/profiles.ts'
import { type Client, mayUseGrant, registeredScope } from '../registration/client.ts'
import { requiresPkce } from '../oauth/pkce.ts'
import type { Policy } from '../oauth/policy.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Form } from '../oauth/form.ts'
import type { Catalogue, Tenant } from '../oauth/tenant.ts'
import type { Json } from '../types.ts'
import { err, ok, type Result } from '../result.ts'
import type { RedirectTarget } from './redirect-target.ts'
import { type AuthorizationParameters, type AuthorizationRequest, parseAuthorizationParameters } from './request.ts'
import { requestedAccess } from './requested-access.ts'
import { isSigned, responseModeFor } from './response-mode.ts'

export interface AuthorizationContext {
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly policy: Policy
  /** The result of id_token_hint: a token of ours for this client, even an expired one, names its subject. */
  readonly hint: 'absent' | 'invalid' | { readonly subject: string }
  /** Whether the parameters come from a request object that the client signed (RFC 9101). */
  readonly signed: boolean
  /** Whether the request is being pushed (RFC 9126), and not sent by a browser. */
  readonly pushed: boolean
}

const requiresPush = ({ metadata }: Client, { catalogue, policy }: AuthorizationContext): boolean =>
  metadata.require_pushed_authorization_requests === true || requiresPushOfAll(catalogue.tenant, policy)

/** For a tenant: required by its profile, else by its own setting, else by the deployment's. */
export const requiresPushOfAll = (
  { profile, requirePushed }: Pick<Tenant, 'requirePushed' | 'profile'>,
  policy: Pick<Policy, 'requirePushed'>,
): boolean => profile !== undefined || (requirePushed ?? policy.requirePushed)

interface CheckInput {
  readonly form: Form
  readonly params: AuthorizationParameters
  readonly client: Client
  readonly redirectUri: string
  readonly context: AuthorizationContext
}

/** The checks, in the order in which they are applied. */
const checks: readonly ((it: CheckInput) => Refusal | null)[] = [
  ({ params }) => (params.responseType === null ? { reason: 'parameter_missing', name: 'response_type' } : null),
  // OIDC has response types with several words; only `code` is offered.
  ({ params }) => (params.responseType === 'code' ? null : { reason: 'response_type_unsupported' }),
  ({ form, redirectUri }) =>
    responseModeFor(form.get('response_mode'), redirectUri) === null ? { reason: 'response_mode_unsupported' } : null,
  // RFC 9126 §5, RFC 9101 §10.5: pushing or signing may be required by the client's registration, or by its tenant for
  // all clients.
  ({ client, context }) => (!context.pushed && requiresPush(client, context) ? { reason: 'push_missing' } : null),
  ({ client, context }) =>
    !context.signed && client.metadata.require_signed_request_object === true
      ? { reason: 'request_object_missing' }
      : null,
  // FAPI 2.0 §5.3.2.2; FAPI 2.0 Message Signing §5.4.
  ({ form, client }) =>
    profileOf(client).redirectUriSent && form.get('redirect_uri') === undefined
      ? { reason: 'parameter_missing', name: 'redirect_uri' }
      : null,
  ({ form, client, redirectUri }) =>
    profileOf(client).signedAnswers && !isSigned(responseModeFor(form.get('response_mode'), redirectUri) ?? 'query')
      ? { reason: 'response_mode_unsigned' }
      : null,
  ({ client }) => (mayUseGrant(client, 'authorization_code') ? null : { reason: 'grant_type_not_allowed' }),
  ({ params, client, context }) =>
    params.challenge === null && requiresPkce(client, context.policy) ? { reason: 'challenge_missing' } : null,
  ({ context }) => (context.hint === 'invalid' ? { reason: 'parameter_malformed', name: 'id_token_hint' } : null),
  // OIDC Core §3.1.2.2: only the person whom a `sub` names may answer, so a request that names two can have no answer.
  ({ params, context }) => (subjectsNamed(params, context).size > 1 ? { reason: 'person_mismatch' } : null),
]

export function acceptAuthorizationRequest(
  form: Form,
  target: RedirectTarget,
  context: AuthorizationContext,
): Result<AuthorizationRequest, Refusal> {
  const parsed = parseAuthorizationParameters(form)
  if (parsed.kind === 'error') return parsed
  const params = parsed.value
  const { client, ...address } = target
  for (const check of checks) {
    const refusal = check({ form, params, client, redirectUri: target.redirectUri, context })
    if (refusal !== null) return err(refusal)
  }
  const access = requestedAccess(params, { ...context, client })
  if (access.kind === 'error') return access
  const { responseType: _, authorizationDetails: __, ...kept } = params
  return ok({
    ...kept,
    ...address,
    ...access.value,
    clientId: client.id,
    claims: params.claims && claimsWithin(params.claims, registeredScope(client)),
    maxAge: params.maxAge ?? client.metadata.default_max_age ?? null,
    acrValues: params.acrValues.length > 0 ? params.acrValues : (client.metadata.default_acr_values ?? []),
    subject: [...subjectsNamed(params, context)][0] ?? null,
    pushed: null,
  })
}

/** OIDC Core §3.1.2.1 id_token_hint, §5.5.1: a `sub` asked for by value must be the one that answers. */
function subjectsNamed({ claims }: AuthorizationParameters, { hint }: AuthorizationContext): ReadonlySet<string> {
  const wanted = [claims?.id_token['sub'], claims?.userinfo['sub']].map(requestedValue)
  const named = typeof hint === 'object' ? [hint.subject, ...wanted] : wanted
  return new Set(named.filter((it) => typeof it === 'string'))
}

/** A list of one is that value; with several, none is required. */
const requestedValue = (claim: ClaimRequest | undefined): Json | undefined =>
  claim?.value ?? (claim?.values?.length === 1 ? claim.values[0] : undefined)
