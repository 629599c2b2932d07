/** POST /register, without HTTP (RFC 7591 §3): a client registers itself, as far as the tenant's policy lets it. */
import { endpointUrl, served } from '@grantor/protocol/documents'
import { bearerToken, readJson, retryAfter } from '@grantor/protocol/http'
import { type Catalogue, type Refusal, secretPrefix } from '@grantor/protocol/oauth'
import {
  type Client,
  type ClientMetadata,
  isOfSector,
  metadataDocument,
  type RegistrationContext,
  registrationPolicy,
  selfRegistered,
} from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Instant, Json, JsonObject, Secret } from '@grantor/protocol/types'
import type { NewClient } from '@grantor/store'
import { newClient, usesSecret } from '../admin/clients.ts'
import type { EndpointResult } from '../endpoint.ts'
import { newEvent, type Origin } from '../events.ts'
import type { Hands } from '../hands.ts'
import { addressKey } from '../limits/limits.ts'
import { isOutage } from '../retry-stale.ts'

/** A registration as the transport hands it over. */
export interface RegistrationRequest extends Origin {
  /** The Authorization header, if there was one. */
  readonly authorization: string | null
  readonly body: Json
}

export async function register(request: RegistrationRequest, hands: Hands): Promise<EndpointResult<JsonObject>> {
  try {
    const catalogue = await servedCatalogue(request, hands)
    if (catalogue.kind === 'error') return catalogue
    const ground = registrationContext(catalogue.value, hands)
    const token = await admitted(request, ground, hands)
    if (token.kind === 'error') return token
    const metadata = await requestedMetadata(request.body, { ...ground, first: true }, hands)
    if (metadata.kind === 'error') return metadata
    return await commitRegistration(metadata.value, { request, token: token.value, ground, hands })
  } catch (cause) {
    if (isOutage(cause)) return err({ reason: 'unavailable', retryAfter: 2 })
    throw cause
  }
}

export async function servedCatalogue({ tenant }: Origin, { directory }: Hands): Promise<Result<Catalogue, Refusal>> {
  const catalogue = await directory.currentCatalogue(tenant)
  return catalogue === null || catalogue.tenant.disabledAt !== null ? err({ reason: 'tenant_unknown' }) : ok(catalogue)
}

export const registrationContext = (catalogue: Catalogue, { policy }: Hands): RegistrationContext => ({
  policy: registrationPolicy(policy.registration, catalogue.tenant),
  catalogue,
  served,
  by: 'registration',
})

/** Who may register: with a token that is good, or in an open tenant without one, but then not without end. */
async function admitted(
  { tenant, authorization, ip }: RegistrationRequest,
  { policy: { mode } }: RegistrationContext,
  hands: Hands,
): Promise<Result<Secret | null, Refusal>> {
  if (mode === 'off') return err({ reason: 'registration_closed' })
  if (authorization !== null) {
    const token = bearerToken(authorization) as Secret | null
    const known =
      token !== null && (await hands.store.registrations.token(tenant, hands.ids.handleOf(token), hands.clock.now()))
    return known === false || known === null ? err({ reason: 'registration_token_invalid' }) : ok(token)
  }
  if (mode === 'token') return err({ reason: 'registration_token_invalid' })
  const { registration } = hands.limits
  if (registration === null || ip === null) return ok(null)
  const taken = await hands.limiter.take(registration, addressKey(ip))
  return taken.allowed ? ok(null) : err({ reason: 'limit_reached', retryAfter: retryAfter(taken) })
}

/** What is registered: within the policy, and of the sector that it claims. */
export async function requestedMetadata(
  body: Json,
  on: RegistrationContext,
  hands: Hands,
): Promise<Result<ClientMetadata, Refusal>> {
  const metadata = selfRegistered(body, on)
  if (metadata.kind === 'error' || metadata.value.sector_identifier_uri === undefined) return metadata
  const proven = await isOfItsSector(metadata.value, metadata.value.sector_identifier_uri, hands)
  return proven ? metadata : err(unproven)
}

const sectorLimit = 64 * 1024
const unproven: Refusal = {
  reason: 'client_metadata_invalid',
  field: 'sector_identifier_uri',
  problem: 'must be an https address where a JSON list names every redirect URI',
}

/** OIDC Registration §5: fetched at once, because whoever claims a sector is told its subjects. */
async function isOfItsSector(metadata: ClientMetadata, url: string, { outbound }: Hands): Promise<boolean> {
  const fetched = await outbound.fetch({ url, types: ['application/json'], maxBytes: sectorLimit })
  if (fetched.kind === 'error') return false
  const read = readJson(Buffer.from(fetched.value.body).toString('utf8'), 2)
  return read.kind === 'ok' && isOfSector(read.value, metadata)
}

interface AdmittedRegistration {
  readonly request: RegistrationRequest
  /** The initial access token that is used up. */
  readonly token: Secret | null
  readonly ground: RegistrationContext
  readonly hands: Hands
}

async function commitRegistration(
  metadata: ClientMetadata,
  it: AdmittedRegistration,
): Promise<EndpointResult<JsonObject>> {
  const { request, token, ground, hands } = it
  const { tenant } = request
  const secret = usesSecret(metadata) ? hands.ids.secret(secretPrefix.clientSecret) : null
  const access = hands.ids.secret(secretPrefix.registrationAccess)
  const made = newClient({ tenant, id: hands.ids.id(), metadata, secret, origin: 'dynamic' }, hands)
  const client: NewClient = { ...made, registrationAccess: hands.ids.handleOf(access) }
  const outcome = await hands.store.registrations.register({
    client,
    most: ground.policy.mostClients,
    token: token === null ? null : hands.ids.handleOf(token),
    at: client.createdAt,
    events: [registeredEvent(client, request, hands)],
  })
  switch (outcome) {
    case 'registered':
      return ok(clientInformation(client, { secret, access }, hands))
    case 'token-spent':
      return err({ reason: 'registration_token_invalid' })
    case 'full':
      return err({ reason: 'registration_full' })
    case 'no-tenant':
      return err({ reason: 'tenant_unknown' })
    case 'exists':
      throw new Error('a fresh id was not fresh')
  }
}

export const registeredEvent = (client: NewClient, origin: Origin, hands: Hands) =>
  newEvent(hands, origin, 'client.registered', {
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
  /** Only where it is new: we keep no secret that we could show again. */
  readonly secret: Secret | null
  readonly access: Secret
}

/** RFC 7591 §3.2.1, RFC 7592 §3: everything that is registered, and what manages it. */
export const clientInformation = (
  client: Pick<Client, 'tenant' | 'id' | 'metadata' | 'createdAt'>,
  { secret, access }: RegistrationCredentials,
  { issuers }: Pick<Hands, 'issuers'>,
): JsonObject => ({
  client_id: client.id,
  client_id_issued_at: seconds(client.createdAt),
  ...(secret === null ? {} : { client_secret: secret }),
  // §3.2.1: required where there is a secret; 0 is never.
  ...(usesSecret(client.metadata) ? { client_secret_expires_at: 0 } : {}),
  registration_access_token: access,
  registration_client_uri: `${endpointUrl(issuers.issuerOf(client.tenant), 'registration')}/${client.id}`,
  ...metadataDocument(client.metadata),
})

const seconds = (at: Instant): number => Math.floor(at / 1000)
