/** GET, PUT and DELETE /register/{client_id}, without HTTP (RFC 7592): a client looks after its own registration. */
import { timingSafeEqual } from 'node:crypto'
import { matchesSecret } from '@grantor/protocol/client-auth'
import { bearerToken, retryAfter } from '@grantor/protocol/http'
import { parseScope, type Refusal, secretPrefix } from '@grantor/protocol/oauth'
import type { Client, ClientMetadata } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject, Secret } from '@grantor/protocol/types'
import { secretRow, usesSecret } from '../admin/clients.ts'
import type { EndpointResult } from '../endpoint.ts'
import { newEvent } from '../events.ts'
import type { Hands } from '../hands.ts'
import {
  clientInformation,
  registrationContext,
  requestedMetadata,
  type RegistrationRequest,
  servedCatalogue,
} from './register.ts'
import { retryStale } from '../retry-stale.ts'

export interface ManagementRequest extends Omit<RegistrationRequest, 'body'> {
  readonly clientId: string
}

interface ManagedClient {
  readonly client: Client
  readonly access: Secret
}

export const readRegistration = (request: ManagementRequest, hands: Hands): Promise<EndpointResult<JsonObject>> =>
  retryStale(request.tenant, hands, async () => {
    const managed = await managedClient(request, hands)
    if (managed.kind === 'error') return managed
    const { client, access } = managed.value
    return ok(clientInformation(client, { secret: null, access }, hands))
  })

/** RFC 7592 §2.2: what is left out is removed, and whatever a server would refuse at first it refuses here. */
export const replaceRegistration = (
  request: ManagementRequest & RegistrationRequest,
  hands: Hands,
): Promise<EndpointResult<JsonObject>> => {
  const count = countingOnce(request, hands)
  return retryStale(request.tenant, hands, async () => {
    const catalogue = await servedCatalogue(request, hands)
    if (catalogue.kind === 'error') return catalogue
    const managed = await managedClient(request, hands)
    if (managed.kind === 'error') return managed
    const refused = await count()
    if (refused !== null) return err(refused)
    const another = anotherClient(request.body, managed.value.client, hands)
    if (another !== null) return err(another)
    const metadata = await requestedMetadata(request.body, registrationContext(catalogue.value, hands), hands)
    if (metadata.kind === 'error') return metadata
    return commitReplacement(asAdministered(managed.value.client, metadata.value), managed.value, { request, hands })
  })
}

/**
 * Every update is an event that is kept, and may have us look at an address of its choice: a client has so many. Decided
 * anew on fresh facts, it is still one.
 */
function countingOnce({ tenant, clientId }: ManagementRequest, { limits, limiter }: Hands) {
  let counted: Promise<Refusal | null> | null = null
  const take = async (): Promise<Refusal | null> => {
    if (limits.registrationUpdates === null) return null
    const taken = await limiter.take(limits.registrationUpdates, `${tenant} ${clientId}`)
    return taken.allowed ? null : { reason: 'limit_reached', retryAfter: retryAfter(taken) }
  }
  return (): Promise<Refusal | null> => (counted ??= take())
}

export const removeRegistration = (request: ManagementRequest, hands: Hands): Promise<EndpointResult<null>> =>
  retryStale(request.tenant, hands, async () => {
    const managed = await managedClient(request, hands)
    if (managed.kind === 'error') return managed
    const { id } = managed.value.client
    const gone = newEvent(hands, request, 'client.deleted', { actor: { kind: 'client', id }, clientId: id })
    const removed = await hands.store.clients.remove(request.tenant, id, hands.clock.now(), [gone])
    return removed === 'removed' ? ok(null) : 'stale'
  })

/** One answer for a wrong token, an unknown, a removed and a disabled client, after the same work. */
async function managedClient(request: ManagementRequest, hands: Hands): Promise<Result<ManagedClient, Refusal>> {
  const { tenant, clientId, authorization } = request
  const catalogue = await servedCatalogue(request, hands)
  if (catalogue.kind === 'error') return catalogue
  const shown = bearerToken(authorization) as Secret | null
  const held = await hands.store.registrations.access(tenant, clientId)
  const client = await hands.directory.currentClient(tenant, clientId)
  const proven = equal(hands.ids.handleOf(shown ?? ''), held ?? decoy)
  return shown === null || !proven || client === null || client.disabledAt !== null
    ? err({ reason: 'registration_token_invalid' })
    : ok({ client, access: shown })
}

/** No token has this handle. */
const decoy = '-'.repeat(43)
const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** RFC 7592 §2.2: the id must be the client's own, and so must a secret that is sent along. */
function anotherClient(body: Json, client: Client, hands: Hands): Refusal | null {
  const { client_id: id, client_secret: secret } = (body ?? {}) as JsonObject
  const wrong = (field: string): Refusal => ({
    reason: 'client_metadata_invalid',
    field,
    problem: 'must be the one of this registration',
  })
  if (id !== client.id) return wrong('client_id')
  if (secret === undefined || secret === null) return null
  const known = typeof secret === 'string' && matchesSecret(hands.ids.handleOf(secret), client, hands.clock.now())
  return known ? null : wrong('client_secret')
}

async function commitReplacement(
  metadata: ClientMetadata,
  { client, access }: ManagedClient,
  { request, hands }: { readonly request: ManagementRequest; readonly hands: Hands },
): Promise<EndpointResult<JsonObject> | 'stale'> {
  const { tenant, id, version } = client
  const now = hands.clock.now()
  const fresh = usesSecret(metadata) && client.secrets.length === 0 ? hands.ids.secret(secretPrefix.clientSecret) : null
  const kept = usesSecret(metadata) ? null : []
  const replaced = await hands.store.clients.replace({
    tenant,
    id,
    version,
    metadata,
    disabledAt: null,
    secrets: fresh === null ? kept : [secretRow(fresh, now, hands)],
    losesScope: lostScope(client.metadata, metadata),
    at: now,
    events: [
      newEvent(hands, request, 'client.updated', {
        actor: { kind: 'client', id },
        clientId: id,
        scope: metadata.scope,
        data: { disabled: false, cutoff: false, changed: changedFields(client.metadata, metadata) },
      }),
    ],
  })
  if (replaced !== 'replaced') return 'stale'
  return ok(clientInformation({ ...client, metadata }, { secret: fresh, access }, hands))
}

/** What an administrator demands of a client it cannot lay off, whatever it says of itself. */
export const asAdministered = ({ metadata: { pkce } }: Client, said: ClientMetadata): ClientMetadata =>
  pkce === undefined ? said : { ...said, pkce }

/** What a client gives up, the grants it has give up with it: registering for it again does not bring it back. */
export const lostScope = (before: ClientMetadata, after: ClientMetadata): readonly string[] => {
  const kept = parseScope(after.scope)
  return [...(parseScope(before.scope) ?? [])].filter((name) => kept?.has(name) !== true)
}

export const changedFields = (before: ClientMetadata, after: ClientMetadata): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !same(before[field as keyof ClientMetadata], after[field as keyof ClientMetadata]))
    .toSorted()

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
