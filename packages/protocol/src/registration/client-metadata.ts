/** Validates client metadata: RFC 7591 §2, OIDC Registration §2; the same for file, command and endpoint. */
import type { Served } from '../documents/capabilities.ts'
import { redirectUriProblem } from '../oauth/redirect-uri.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type JsonObject } from '../types.ts'
import type { AddressRules } from '../uri/address-rules.ts'
import {
  type ClientFieldName,
  clientFieldNames,
  clientFields,
  type ClientMetadata,
  unservedFields,
} from './client-fields.ts'
import { incoherence } from './coherence.ts'
import type { FieldProblem } from './field-types.ts'
import { filledByProfile, profileProblems } from './profiles.ts'

/**
 * An unknown field is a problem, so that typing errors in a file or command are found. client_id and client_secret are
 * not metadata.
 */
export function clientMetadata(input: unknown, served: Served): Result<ClientMetadata, readonly FieldProblem[]> {
  if (!isJsonObject(input)) return err([{ field: '', problem: 'must be an object' }])
  const problems: FieldProblem[] = []
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(input)) {
    if (!Object.hasOwn(clientFields, field)) {
      problems.push({ field, problem: unservedFields.has(field) ? 'is not served here' : 'is not a field of a client' })
      continue
    }
    // RFC 7591 §2: an omitted field and one that is null are the same.
    if (value === undefined || value === null) continue
    const problem = clientFields[field as ClientFieldName].type.check(value, served)
    if (problem === null) fields[field] = value
    else problems.push({ field, problem })
  }
  if (problems.length > 0) return err(problems)
  const metadata = withDefaults(filledByProfile(fields, served.profile))
  const incoherent = [
    ...addressProblems(metadata, served.addresses),
    ...incoherence(metadata),
    ...profileProblems(metadata, served.profile),
  ]
  return incoherent.length > 0 ? err(incoherent) : ok(metadata)
}

/**
 * RFC 7591 §2: the defaults are the code flow and client_secret_basic; a response type goes with its grant type (§2.1).
 */
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

/** Problems of the addresses to which a client has people redirected. */
export function addressProblems(it: ClientMetadata, rules: AddressRules): readonly FieldProblem[] {
  const type = it.application_type ?? 'web'
  return (['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap((field) =>
    (it[field] ?? []).flatMap((address, at) => {
      const problem = redirectUriProblem(address, type, rules)
      return problem === null ? [] : [{ field: `${field}[${at}]`, problem }]
    }),
  )
}

/** RFC 6749 appendix A.1 allows more, but a name that is typed, logged and put into URLs should have no spaces. */
export function clientIdProblem(id: unknown): string | null {
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(id)) {
    return 'must be 1 to 255 printable ASCII characters without spaces'
  }
  // Such an id is reserved for the address of a client metadata document (document.ts).
  return /^https?:/i.test(id) ? 'must not be a web address' : null
}

/** The problem of an id with which tokens would carry the `sub` of a person. */
export const subjectOfPerson = 'is the subject of a person'

/** OIDC Core §8.1: the form of a pairwise subject made by derivePairwiseSubject. */
const pairwiseShape = /^[\w-]{43}$/

/**
 * The same for a new client. Its id is the `sub` of its own tokens, and one that looks like a pairwise subject could
 * equal a person's, which cannot be checked. The store checks the ids of people, and assigns none twice.
 */
export const newClientIdProblem = (id: string): string | null =>
  clientIdProblem(id) ?? (pairwiseShape.test(id) ? 'must not have the shape of a pairwise subject' : null)

/** A declared secret is stored as a plain hash, so it must not be guessable. */
export function declaredSecretProblem(secret: unknown): string | null {
  if (typeof secret !== 'string') return 'must be a text'
  if (secret.length < 32) return 'must have 32 characters or more'
  return /^[\x20-\x7e]{1,1024}$/.test(secret) ? null : 'must be printable ASCII of at most 1024 characters'
}

/** The metadata as an answer or a file shows it: in the order of the table, without undefined fields. */
export const metadataDocument = (metadata: ClientMetadata): JsonObject =>
  Object.fromEntries(
    clientFieldNames.filter((it) => metadata[it] !== undefined).map((it) => [it, metadata[it]]),
  ) as JsonObject
