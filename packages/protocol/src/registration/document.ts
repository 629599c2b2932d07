/**
 * Client ID Metadata Documents: a client_id that is the address of the client's metadata
 * (draft-ietf-oauth-client-id-metadata-document).
 */
import type { Refusal } from '../oauth/refusal.ts'
import { type Err, err, ok, type Result } from '../result.ts'
import { isJsonObject } from '../types.ts'
import type { ClientMetadata } from './client-fields.ts'
import { type RegistrationContext, selfRegistered } from './self-registered.ts'

const longest = 512

/** The maximum size of a document (draft §6.6). */
export const documentLimit = 5 * 1024

/**
 * Draft §3: https, a path, no fragment, no user, no dot segments. Only in the spelling that a URL parser produces: the
 * id is compared byte for byte, and a person is shown its host.
 */
export function isDocumentId(id: string): boolean {
  if (id.length > longest || !id.startsWith('https://')) return false
  const url = URL.canParse(id) ? new URL(id) : null
  if (url === null || url.href !== id || id.includes('#')) return false
  return url.username === '' && url.password === '' && url.pathname !== '/'
}

const symmetric: ReadonlySet<unknown> = new Set(['client_secret_basic', 'client_secret_post', 'client_secret_jwt'])

/** The metadata of a document, validated. `id` is its address. */
export function documentMetadata(
  input: unknown,
  id: string,
  on: Omit<RegistrationContext, 'by'>,
): Result<ClientMetadata, Refusal> {
  if (!isJsonObject(input)) return wrong('', 'must be an object')
  if (input['client_id'] !== id) return wrong('client_id', 'must be the address of the document')
  // Draft §4.1: a public document cannot contain a secret.
  if ('client_secret' in input || 'client_secret_expires_at' in input)
    return wrong('client_secret', 'must not be there')
  const method = methodOf(input, on.served.clientAuthMethods)
  if (method.kind === 'error') return method
  // A document cannot give a client access of its own: nobody has admitted it.
  const policy = { ...on.policy, grants: on.policy.grants.filter((type) => type !== 'client_credentials') }
  const metadata = selfRegistered(
    { ...input, token_endpoint_auth_method: method.value },
    { ...on, policy, by: 'document' },
  )
  if (metadata.kind === 'ok') return metadata
  const { error } = metadata
  return 'field' in error ? wrong(error.field, error.problem) : wrong('', 'cannot be registered')
}

/** The method it names, else the first supported one of those it lists; a client with neither is public. */
function methodOf(input: Readonly<Record<string, unknown>>, methods: readonly string[]): Result<string, Refusal> {
  const { token_endpoint_auth_method: named, token_endpoint_auth_methods_supported: list } = input
  const offered: readonly unknown[] = Array.isArray(list) ? list : []
  const candidates = named === undefined && offered.length === 0 ? ['none'] : [named, ...offered]
  if (symmetric.has(named)) return wrong('token_endpoint_auth_method', 'must not rest on a secret')
  const method = candidates.find(
    (it): it is string => typeof it === 'string' && !symmetric.has(it) && methods.includes(it),
  )
  return method === undefined ? wrong('token_endpoint_auth_method', 'must be none or private_key_jwt') : ok(method)
}

const wrong = (field: string, problem: string): Err<Refusal> =>
  err({ reason: 'client_document_invalid', field, problem })
