/** Client metadata out of unknown input: RFC 7591 §2, OIDC Registration §2; one validator for file, command and endpoint. */
import { authMethods } from '../client-auth/method.ts'
import { registrableGrantTypes } from '../grants/grant-types.ts'
import { signingAlgs } from '../jose/algorithms.ts'
import { redirectUriProblem } from '../oauth/redirect-uri.ts'
import { parseScope } from '../oauth/scope.ts'
import { knownAlgorithms } from '../jose/verification-key.ts'
import type { JsonObject } from '../types.ts'
import type { ClientMetadata } from './client-metadata.ts'
import {
  type Check,
  flag,
  identifier,
  isRecord,
  listOf,
  oneOf,
  publicKeySet,
  text,
  webUrl,
  wholeSeconds,
} from './checks.ts'
import { incoherence } from './coherence.ts'

export interface Problem {
  readonly field: string
  readonly problem: string
}
export type Checked =
  | { readonly ok: true; readonly metadata: ClientMetadata }
  | { readonly ok: false; readonly problems: readonly Problem[] }

const scope: Check = (value) =>
  value === '' || (typeof value === 'string' && parseScope(value) !== null)
    ? null
    : 'must be scope names separated by single spaces'

/** Every field a client may have, and what its value must be. The compiler keeps it complete. */
const fields: { readonly [F in keyof Required<ClientMetadata>]: Check } = {
  client_name: text(200),
  redirect_uris: listOf(text()),
  grant_types: listOf(oneOf(registrableGrantTypes)),
  // DECISIONS §3: the implicit flow is not offered, and hybrid ones neither.
  response_types: listOf(oneOf(['code'])),
  token_endpoint_auth_method: oneOf(authMethods),
  token_endpoint_auth_signing_alg: oneOf(knownAlgorithms),
  scope,
  application_type: oneOf(['web', 'native']),
  client_uri: webUrl,
  logo_uri: webUrl,
  policy_uri: webUrl,
  tos_uri: webUrl,
  contacts: listOf(text(320)),
  jwks: publicKeySet,
  jwks_uri: webUrl,
  subject_type: oneOf(['public', 'pairwise']),
  sector_identifier_uri: webUrl,
  id_token_signed_response_alg: oneOf(signingAlgs),
  userinfo_signed_response_alg: oneOf(signingAlgs),
  default_max_age: wholeSeconds,
  require_auth_time: flag,
  default_acr_values: listOf(text(256)),
  initiate_login_uri: webUrl,
  post_logout_redirect_uris: listOf(text()),
  backchannel_logout_uri: webUrl,
  backchannel_logout_session_required: flag,
  frontchannel_logout_uri: webUrl,
  frontchannel_logout_session_required: flag,
  software_id: text(256),
  software_version: text(256),
  default_resource: identifier,
  resource_server: identifier,
  pkce: oneOf(['always', 'public_clients']),
}

export const clientFields = Object.keys(fields) as readonly (keyof ClientMetadata)[]

/**
 * `unknownFields`: a file or a command with a typing error must say so ('refuse'); RFC 7591 §2 has a registration
 * endpoint ignore what it does not understand ('ignore'). client_id and client_secret are not metadata.
 */
export function clientMetadata(input: unknown, unknownFields: 'refuse' | 'ignore' = 'refuse'): Checked {
  if (!isRecord(input)) return { ok: false, problems: [{ field: '', problem: 'must be an object' }] }
  const problems: Problem[] = []
  const given: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(input)) {
    if (!Object.hasOwn(fields, field)) {
      if (unknownFields === 'refuse') problems.push({ field, problem: 'is not a field of a client' })
      continue
    }
    // RFC 7591 §2: an omitted field and one that is null are the same.
    if (value === undefined || value === null) continue
    const problem = fields[field as keyof ClientMetadata](value)
    if (problem === null) given[field] = value
    else problems.push({ field, problem })
  }
  if (problems.length > 0) return { ok: false, problems }
  const metadata = withDefaults(given)
  const incoherent = [...addressProblems(metadata), ...incoherence(metadata)]
  return incoherent.length > 0 ? { ok: false, problems: incoherent } : { ok: true, metadata }
}

/** RFC 7591 §2: code flow and client_secret_basic where nothing is said; a response type goes with its grant type (§2.1). */
function withDefaults(given: Partial<ClientMetadata>): ClientMetadata {
  const grantTypes = given.grant_types ?? ['authorization_code']
  return {
    ...given,
    grant_types: grantTypes,
    response_types: given.response_types ?? (grantTypes.includes('authorization_code') ? ['code'] : []),
    redirect_uris: given.redirect_uris ?? [],
    token_endpoint_auth_method: given.token_endpoint_auth_method ?? 'client_secret_basic',
    scope: given.scope ?? '',
  }
}

function addressProblems(it: ClientMetadata): readonly Problem[] {
  const type = it.application_type ?? 'web'
  return (['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap((field) =>
    (it[field] ?? []).flatMap((address, at) => {
      const problem = redirectUriProblem(address, type)
      return problem === null ? [] : [{ field: `${field}[${at}]`, problem }]
    }),
  )
}

/** RFC 6749 appendix A.1 allows more; a name that is typed, logged and put into URLs is better without spaces. */
export function clientIdProblem(id: unknown): string | null {
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(id)) {
    return 'must be 1 to 255 printable ASCII characters without spaces'
  }
  // Such an id is the address of a client metadata document (document.ts), and nobody else's.
  return /^https?:/i.test(id) ? 'must not be a web address' : null
}

/** HOUSE: a secret that someone declares is stored as a bare hash, so it must not be guessable. */
export function declaredSecretProblem(secret: unknown): string | null {
  if (typeof secret !== 'string') return 'must be a text'
  if (secret.length < 32) return 'must have 32 characters or more'
  return /^[\x20-\x7e]{1,1024}$/.test(secret) ? null : 'must be printable ASCII of at most 1024 characters'
}

/** As an answer or a file shows it: the fields in one order, without undefined ones. */
export const metadataDocument = (metadata: ClientMetadata): JsonObject =>
  Object.fromEntries(
    clientFields.filter((it) => metadata[it] !== undefined).map((it) => [it, metadata[it]]),
  ) as JsonObject
