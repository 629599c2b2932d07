/**
 * A client that registers itself: RFC 7591 §2, §3.2.1, OIDC Registration §2. Strangers write these metadata, mostly
 * with good intent: what is not offered here is dropped (§2: a server may replace requested values) as long as
 * something usable remains, and what is dangerous or cannot be honoured is refused.
 */
import { federatedMethod } from '../client-auth/federated-jwt.ts'
import { oidcScopeNames } from '../oidc/scopes.ts'
import { redirectKind, redirectUriProblem } from '../oauth/redirect-uri.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { formatScope, parseScope, type Scope, scopeLimits } from '../oauth/scope.ts'
import type { Served } from '../documents/capabilities.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { type Err, err, ok, type Result } from '../result.ts'
import { isJsonObject } from '../types.ts'
import { clientFieldNames, clientFields, type ClientMetadata } from './client-fields.ts'
import { clientMetadata } from './client-metadata.ts'
import type { Client } from './client.ts'
import type { RegistrationPolicy } from './policy.ts'

export interface RegistrationContext {
  readonly policy: RegistrationPolicy
  readonly catalogue: Catalogue
  readonly served: Served
  readonly by: 'registration' | 'document'
  /**
   * For an existing client: the metadata that only an administrator may set, which the client can neither remove nor
   * change.
   */
  readonly administered?: Partial<ClientMetadata>
  /**
   * Whether it is a first registration, not an update or a document: it names the scopes requested so far, not all that
   * it will need.
   */
  readonly first?: boolean
}

type Given = Readonly<Record<string, unknown>>

export function selfRegistered(input: unknown, on: RegistrationContext): Result<ClientMetadata, Refusal> {
  if (!isJsonObject(input)) return invalid('', 'must be an object')
  const statement = input['software_statement']
  if (statement !== undefined && statement !== null && statement !== '')
    return err({ reason: 'software_statement_refused' })
  const given = understood(input, on)
  const grants = grantTypes(given, on)
  if (grants.kind === 'error') return grants
  const responses = responseTypes(given, grants.value)
  if (responses.kind === 'error') return responses
  const redirects = redirectUris(given, on)
  if (redirects.kind === 'error') return redirects
  const scope = registeredScopeOf(given, grants.value, on)
  if (scope.kind === 'error') return scope
  const profile = on.served.profile ?? on.administered?.profile
  const usual = profile === undefined ? 'client_secret_basic' : 'private_key_jwt'
  const method = given['token_endpoint_auth_method'] ?? usual
  // Only an operator can map a workload to a client, so a client cannot register for that method.
  const methods = on.served.clientAuthMethods.filter((name) => name !== federatedMethod)
  if (typeof method !== 'string' || !methods.includes(method)) {
    return invalid('token_endpoint_auth_method', `must be one of ${methods.join(', ')}`)
  }
  const metadata = {
    ...given,
    ...redirects.value,
    grant_types: grants.value,
    response_types: responses.value,
    token_endpoint_auth_method: method,
    scope: scope.value,
  }
  const checked = withAdministered(metadata, on)
  if (checked.kind === 'ok') return checked
  const [first] = checked.error
  const { field, problem } = first ?? { field: '', problem: 'cannot be registered' }
  return field.startsWith('redirect_uris')
    ? err({ reason: 'redirect_uri_refused', field, problem })
    : invalid(field, problem)
}

/**
 * Metadata set by an administrator take precedence over the policy, but a field that no longer fits what the client
 * sends is removed.
 */
function withAdministered(metadata: Given, on: RegistrationContext): ReturnType<typeof clientMetadata> {
  const { administered = {}, policy, served } = on
  const usual = policy.defaultResource === null ? {} : { default_resource: policy.defaultResource }
  const checked = clientMetadata({ ...usual, ...administered, ...metadata }, served)
  const unfit = checked.kind === 'error' ? checked.error.find(({ field }) => Object.hasOwn(administered, field)) : null
  if (unfit == null) return checked
  const kept = Object.entries(administered).filter(([field]) => field !== unfit.field)
  return withAdministered(metadata, { ...on, administered: Object.fromEntries(kept) })
}

/** Metadata that a client cannot set itself. */
export const administeredFields = ({ metadata }: Pick<Client, 'metadata'>): Partial<ClientMetadata> =>
  Object.fromEntries(
    clientFieldNames
      .filter((field) => metadata[field] !== undefined && !clientFields[field].setBy.includes('registration'))
      .map((field) => [field, metadata[field]]),
  )

/** RFC 7591 §2: unknown fields, and those that the client may not set, are ignored; an empty text counts as absent. */
const understood = (input: Given, { by }: RegistrationContext): Given =>
  Object.fromEntries(
    clientFieldNames
      .filter((field) => Object.hasOwn(input, field) && clientFields[field].setBy.includes(by))
      .map((field) => [field, input[field]] as const)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      // OIDC Registration §2: with `none` a client merely states that it does not sign its requests.
      .filter(([field, value]) => !(field === 'request_object_signing_alg' && value === 'none')),
  )

/** At least one grant type that starts a grant must remain: refreshing alone is useless. */
function grantTypes(given: Given, { policy, served }: RegistrationContext): Result<readonly string[], Refusal> {
  const asked = texts(given, 'grant_types') ?? ok(['authorization_code'])
  if (asked.kind === 'error') return asked
  const isPublic = given['token_endpoint_auth_method'] === 'none'
  const allowedGrants = [...new Set(asked.value.length === 0 ? ['authorization_code'] : asked.value)].filter(
    (type) =>
      policy.grants.includes(type) && served.grantTypes.includes(type) && !(isPublic && type === 'client_credentials'),
  )
  return allowedGrants.some((type) => type !== 'refresh_token')
    ? ok(allowedGrants)
    : invalid('grant_types', 'holds nothing that is offered to clients which register themselves')
}

/** RFC 7591 §2.1: response types follow from grant types. The implicit and hybrid ones are not offered. */
function responseTypes(given: Given, grants: readonly string[]): Result<readonly string[], Refusal> {
  const asked = texts(given, 'response_types') ?? ok(['code'])
  if (asked.kind === 'error') return asked
  if (!grants.includes('authorization_code')) return ok([])
  return asked.value.length === 0 || asked.value.includes('code')
    ? ok(['code'])
    : invalid('response_types', 'must hold code')
}

type Redirects = Pick<ClientMetadata, 'redirect_uris' | 'application_type'>

/**
 * RFC 8252 §7: a client whose redirect URIs lead to the person's own device is native, whatever it registers as;
 * clients that run in the browser and on the desktop register all their addresses at once.
 */
function redirectUris(given: Given, { policy, served }: RegistrationContext): Result<Partial<Redirects>, Refusal> {
  const read = texts(given, 'redirect_uris', 50)
  if (read === undefined) return ok({})
  if (read.kind === 'error') return err({ ...read.error, reason: 'redirect_uri_refused' })
  const asked = read.value
  for (const [at, uri] of asked.entries()) {
    const problem = redirectUriProblem(uri, 'native', served.addresses)
    if (problem !== null) return err({ reason: 'redirect_uri_refused', field: `redirect_uris[${at}]`, problem })
  }
  const allowedUris = [...new Set(asked)].filter((uri) => policy.redirects.includes(redirectKind(uri)))
  if (asked.length > 0 && allowedUris.length === 0) {
    const problem = `must lead to one of ${policy.redirects.join(', ') || 'nothing'}`
    return err({ reason: 'redirect_uri_refused', field: 'redirect_uris', problem })
  }
  const native = allowedUris.some((uri) => redirectKind(uri) !== 'https')
  return ok({ redirect_uris: allowedUris, ...(native ? { application_type: 'native' } : {}) })
}

function registeredScopeOf(given: Given, grants: readonly string[], on: RegistrationContext): Result<string, Refusal> {
  const may = allowedScope(on)
  const asked = given['scope']
  if (asked === undefined) return ok(fitting(on.policy.defaultScope?.filter((name) => may.has(name)) ?? [...may]))
  const names = typeof asked === 'string' ? parseScope(asked) : null
  if (names === null) return invalid('scope', 'must be scope names separated by single spaces')
  const allowedNames = names.intersection(may)
  if (allowedNames.size === 0)
    return invalid('scope', 'holds nothing that is offered to clients which register themselves')
  // OIDC Core §11: many clients name their scopes, register for refreshing, and then request the scope that refreshing
  // needs.
  const refreshes = grants.includes('refresh_token') && may.has('offline_access')
  const more = on.first === true ? beside(allowedNames, on).intersection(may) : []
  return ok(fitting([...new Set([...allowedNames, ...(refreshes ? ['offline_access'] : []), ...more])]))
}

/**
 * The other scopes of the same resources. Agents register with the scope of their first challenge and later request
 * more (MCP 2026-07-28, step-up); since they could register anew with all of them, they get them at once.
 */
function beside(names: Scope, { catalogue }: RegistrationContext): Scope {
  const owners = new Set(catalogue.scopes.filter(({ name }) => names.has(name)).map(({ resource }) => resource))
  return new Set(catalogue.scopes.filter(({ resource }) => owners.has(resource)).map(({ name }) => name))
}

/** The scopes that people can grant, within the policy; never the issuer's own (admin:* and the like). */
function allowedScope({ policy, catalogue }: RegistrationContext): Scope {
  const grantable = new Set([...oidcScopeNames, ...catalogue.scopes.map((entry) => entry.name)])
  return policy.scopes === null ? grantable : grantable.intersection(new Set(policy.scopes))
}

/** As many names as one registration can hold. */
function fitting(names: readonly string[]): string {
  const kept: string[] = []
  let length = 0
  for (const name of names.slice(0, scopeLimits.names)) {
    length += name.length + 1
    if (length <= scopeLimits.text) kept.push(name)
  }
  return formatScope(new Set(kept))
}

type Invalid = Extract<Refusal, { reason: 'client_metadata_invalid' }>

/** A list of texts, or undefined if the field is absent. */
function texts(given: Given, field: string, most = 100): Result<readonly string[], Invalid> | undefined {
  const value = given[field]
  if (value === undefined) return undefined
  if (!Array.isArray(value) || !value.every((it) => typeof it === 'string'))
    return invalid(field, 'must be a list of texts')
  return value.length > most ? invalid(field, `must not hold more than ${most} entries`) : ok(value)
}

const invalid = (field: string, problem: string): Err<Invalid> =>
  err({ reason: 'client_metadata_invalid', field, problem })
