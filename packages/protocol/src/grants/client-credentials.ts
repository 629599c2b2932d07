/** client_credentials — RFC 6749 §4.4. No resource owner, no consent, no refresh token (§4.4.3). */
import { chooseTarget, requestedResource } from '../oauth/audience.ts'
import { isKnownScope } from '../oauth/catalogue.ts'
import { isPublic, registeredScope } from '../registration/client.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { isWithin, parseScope, type Scope } from '../oauth/scope.ts'
import { sameUri } from '../oauth/uri.ts'
import { err, ok, type Result } from '../result.ts'
import { type GrantInput, type GrantRule, refuse } from './rule.ts'

export interface ClientCredentialsParams {
  /** Null where the request names none. */
  readonly scope: Scope | null
  readonly resource: string | null
}
type NoLookups = Readonly<Record<string, never>>
type This = GrantInput<ClientCredentialsParams, NoLookups>

export const clientCredentials: GrantRule<ClientCredentialsParams, NoLookups> = {
  type: 'client_credentials',

  parse(form) {
    const resource = requestedResource(form)
    if (resource.kind === 'error') return resource
    const text = form.get('scope')
    const scope = text === undefined ? null : parseScope(text)
    return text !== undefined && scope === null
      ? err({ reason: 'scope_malformed' })
      : ok({ scope, resource: resource.value })
  },

  lookups: () => ({}),

  decide(it) {
    const { client, params } = it
    // RFC 6749 §4.4: the grant "MUST only be used by confidential clients".
    if (isPublic(client)) return refuse({ reason: 'public_client_has_no_credentials' })
    const asked =
      params.scope === null
        ? defaultScope(it, params.resource === null ? [] : [params.resource])
        : fitting(params.scope, it)
    if (asked.kind === 'error') return refuse(asked.error)
    const scope = asked.value
    const fallback = client.metadata.default_resource ?? null
    const { catalogue, issuer } = it
    const target = chooseTarget({ catalogue, issuer, asked: params.resource, scope, fallback })
    if (target.kind === 'error') return refuse(target.error)
    const { resource } = target.value
    if (resource !== null && scope.size === 0 && !isDefault(it)) return refuse({ reason: 'resource_not_allowed' })
    return {
      do: 'issue',
      grantId: null,
      subject: client.id,
      scope,
      resource,
      claims: {},
      spend: null,
      refresh: null,
      idToken: null,
    }
  },
}

/** What a client may ask for by name. OIDC scopes speak of a person, and none is here. */
function fitting(scope: Scope, { client, catalogue }: This): Result<Scope, Refusal> {
  for (const name of scope)
    if (oidcScopes.has(name) || !isKnownScope(catalogue, name)) return err({ reason: 'scope_unknown' })
  return isWithin(scope, registeredScope(client)) ? ok(scope) : err({ reason: 'scope_exceeds_client' })
}

/** Nobody consents here: an API is open to clients that are registered for something of it, or made for it. */
const isDefault = ({ params, client }: This): boolean =>
  params.resource === null || sameUri(params.resource, client.metadata.default_resource ?? '')
