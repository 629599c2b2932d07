/** What registering a client, managing a registration and reading a client's document have in common. */
import { endpointUrl, heldToProfile, type Served } from '@grantor/protocol/documents'
import { readJson } from '@grantor/protocol/http'
import { type Catalogue, parseScope, type Policy, type Refusal } from '@grantor/protocol/oauth'
import {
  type Client,
  type ClientMetadata,
  isOfSector,
  metadataDocument,
  type RegistrationContext,
  registrationPolicy,
  selfRegistered,
} from '@grantor/protocol/registration'
import { err, type Result } from '@grantor/protocol/result'
import type { Instant, Json, JsonObject, Secret } from '@grantor/protocol/types'
import type { NewClient } from '@grantor/store'
import { type EventDependencies, newEvent, type Origin } from '../events.ts'
import type { Issuers } from '../ports/environment.ts'
import type { Outbound, OutboundError } from '../ports/outbound.ts'
import { usesSecret } from './new-client.ts'

export interface RegistrationPolicies {
  readonly policy: Policy
  readonly served: Served
}

export const registrationContext = (
  catalogue: Catalogue,
  { policy, served }: RegistrationPolicies,
): RegistrationContext => ({
  policy: registrationPolicy(policy.registration, catalogue.tenant),
  catalogue,
  served: heldToProfile(served, catalogue.tenant.profile),
  by: 'registration',
})

/** The metadata to register: within the policy, and listed by the sector that it claims. */
export async function requestedMetadata(
  body: Json,
  on: RegistrationContext,
  outbound: Outbound,
): Promise<Result<ClientMetadata, Refusal>> {
  const metadata = selfRegistered(body, on)
  if (metadata.kind === 'error') return metadata
  const problem = await sectorProblem(metadata.value, outbound)
  return problem === null ? metadata : err({ reason: 'client_metadata_invalid', field: sectorField, problem })
}

export const sectorField = 'sector_identifier_uri'
const sectorLimit = 64 * 1024

const unreadableSector: Readonly<Record<OutboundError, string>> = {
  address: 'must be a public https address',
  unreachable: 'could not be read: nobody answered there',
  status: 'could not be read: it must be answered with 200 and no redirect',
  type: 'could not be read: it must be application/json',
  size: 'could not be read: it is too large',
  time: 'could not be read: no answer came in time',
}

/**
 * OIDC Registration §5: the sector's document is always fetched anew, because a client in a sector receives the
 * subjects of that sector. Null where there is no problem, or no sector is claimed.
 */
export async function sectorProblem(metadata: ClientMetadata, outbound: Outbound): Promise<string | null> {
  const { sector_identifier_uri: url } = metadata
  if (url === undefined) return null
  const fetched = await outbound.fetch({
    url,
    types: ['application/json'],
    maxBytes: sectorLimit,
    anew: true,
    cause: { purpose: 'sector_identifier_uri', clientId: null },
  })
  if (fetched.kind === 'error') return unreadableSector[fetched.error]
  const read = readJson(Buffer.from(fetched.value.body).toString('utf8'))
  return read.kind === 'ok' && isOfSector(read.value, metadata)
    ? null
    : 'must hold a JSON list that names every redirect URI'
}

export const registeredEvent = (client: NewClient, origin: Origin, deps: EventDependencies) =>
  newEvent(deps, origin, 'client.registered', {
    actor: { kind: 'client', id: client.id },
    clientId: client.id,
    scope: client.metadata.scope,
    data: {
      origin: client.origin,
      client_name: client.metadata.client_name ?? null,
      redirect_uris: client.metadata.redirect_uris,
      token_endpoint_auth_method: client.metadata.token_endpoint_auth_method,
      grant_types: client.metadata.grant_types,
    },
  })

interface RegistrationCredentials {
  /** Only for a new secret: secrets are stored as hashes, so an old one cannot be shown again. */
  readonly secret: Secret | null
  readonly access: Secret
}

/** RFC 7591 §3.2.1, RFC 7592 §3: all registered metadata, and the credentials to manage them. */
export const clientInformation = (
  client: Pick<Client, 'tenant' | 'id' | 'metadata' | 'createdAt'>,
  { secret, access }: RegistrationCredentials,
  issuers: Issuers,
): JsonObject => ({
  client_id: client.id,
  client_id_issued_at: seconds(client.createdAt),
  ...(secret === null ? {} : { client_secret: secret }),
  // RFC 7591 §3.2.1: required where there is a secret; 0 means that it never expires.
  ...(usesSecret(client.metadata) ? { client_secret_expires_at: 0 } : {}),
  registration_access_token: access,
  registration_client_uri: `${endpointUrl(issuers.issuerOf(client.tenant), 'registration')}/${client.id}`,
  ...metadataDocument(client.metadata),
})

const seconds = (at: Instant): number => Math.floor(at / 1000)

/**
 * The scope that a client gives up is taken from its grants, too: registering for it again does not restore it there.
 */
export const lostScope = (before: ClientMetadata, after: ClientMetadata): readonly string[] => {
  const kept = parseScope(after.scope)
  return [...(parseScope(before.scope) ?? [])].filter((name) => kept?.has(name) !== true)
}

export const changedFields = (before: ClientMetadata, after: ClientMetadata): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !same(before[field as keyof ClientMetadata], after[field as keyof ClientMetadata]))
    .toSorted()

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
