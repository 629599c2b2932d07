/** GET, PUT and DELETE /register/{client_id}, without HTTP (RFC 7592): a client manages its own registration. */
import { timingSafeEqual } from 'node:crypto'
import { matchesSecret } from '@grantor/protocol/client-auth'
import { bearerToken } from '@grantor/protocol/http'
import { type Refusal, secretPrefix } from '@grantor/protocol/oauth'
import { administeredFields, type Client, type ClientMetadata } from '@grantor/protocol/registration'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject, Secret } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { EndpointResult } from '../endpoint.ts'
import { newEvent } from '../events.ts'
import { limitReached } from '../limits/limits.ts'
import { retryStale } from '../retry-stale.ts'
import { secretRow, usesSecret } from './new-client.ts'
import type { RegistrationDependencies, RegistrationRequest } from './register.ts'
import { changedFields, clientInformation, lostScope, registrationContext, requestedMetadata } from './registration.ts'

export interface ManagementRequest extends Omit<RegistrationRequest, 'body'> {
  readonly clientId: string
}

interface ManagedClient {
  readonly client: Client
  readonly access: Secret
}

export interface RegistrationManagement {
  read(request: ManagementRequest): Promise<EndpointResult<JsonObject>>
  replace(request: ManagementRequest & RegistrationRequest): Promise<EndpointResult<JsonObject>>
  remove(request: ManagementRequest): Promise<EndpointResult<null>>
}

export type ManagementDependencies = RegistrationDependencies & {
  readonly store: Pick<Store, 'clients' | 'registrations'>
}

export function openRegistrationManagement(deps: ManagementDependencies): RegistrationManagement {
  const { clock, directory, issuers, store } = deps
  return {
    read: (request) =>
      retryStale(request.tenant, directory, async () => {
        const managed = await managedClient(request, deps)
        if (managed.kind === 'error') return managed
        const { client, access } = managed.value
        return ok(clientInformation(client, { secret: null, access }, issuers))
      }),

    // RFC 7592 §2.2: omitted members are removed, and metadata that registration would refuse is refused here, too.
    replace(request) {
      const count = countedOnce(request, deps)
      return retryStale(request.tenant, directory, async () => {
        const catalogue = await directory.servedCatalogue(request.tenant)
        if (catalogue === null) return err({ reason: 'tenant_unknown' })
        const managed = await managedClient(request, deps)
        if (managed.kind === 'error') return managed
        const { client } = managed.value
        const refused = (await count()) ?? anotherClient(request.body, client, deps)
        if (refused !== null) return refused
        const context = { ...registrationContext(catalogue, deps), administered: administeredFields(client) }
        const metadata = await requestedMetadata(request.body, context, deps.outbound)
        if (metadata.kind === 'error') return metadata
        return commitReplacement(request, { ...managed.value, metadata: metadata.value }, deps)
      })
    },

    remove: (request) =>
      retryStale(request.tenant, directory, async () => {
        const managed = await managedClient(request, deps)
        if (managed.kind === 'error') return managed
        const { id } = managed.value.client
        const gone = newEvent(deps, request, 'client.deleted', { actor: { kind: 'client', id }, clientId: id })
        const removed = await store.clients.remove(request.tenant, id, clock.now(), [gone])
        return removed === 'removed' ? ok(null) : 'stale'
      }),
  }
}

/**
 * Updates are limited per client, because each writes an event and may make this server fetch an address of the
 * client's choice. An update that is decided again on fresh facts counts once.
 */
function countedOnce({ tenant, clientId }: ManagementRequest, { limits }: ManagementDependencies) {
  let counted: Promise<Err<Refusal> | null> | null = null
  const count = async () => limitReached(await limits.take('registrationUpdates', `${tenant} ${clientId}`))
  return () => (counted ??= count())
}

/** A wrong token and an unknown, removed or disabled client get the same answer, after the same work. */
async function managedClient(
  { tenant, clientId, authorization }: ManagementRequest,
  { directory, ids, store }: ManagementDependencies,
): Promise<Result<ManagedClient, Refusal>> {
  if ((await directory.servedCatalogue(tenant)) === null) return err({ reason: 'tenant_unknown' })
  const shown = bearerToken(authorization) as Secret | null
  const held = await store.registrations.access(tenant, clientId)
  const client = await directory.currentClient(tenant, clientId)
  const proven = equal(ids.handleOf(shown ?? ''), held ?? decoy)
  return shown === null || !proven || client === null || client.disabledAt !== null
    ? err({ reason: 'registration_token_invalid' })
    : ok({ client, access: shown })
}

/** No token has this handle. */
const decoy = '-'.repeat(43)
const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** RFC 7592 §2.2: the id must be the client's own, and so must a secret that is sent along. */
function anotherClient(body: Json, client: Client, { clock, ids }: ManagementDependencies): Err<Refusal> | null {
  const { client_id: id, client_secret: secret } = (body ?? {}) as JsonObject
  const wrong = (field: string): Err<Refusal> =>
    err({ reason: 'client_metadata_invalid', field, problem: 'must be the one of this registration' })
  if (id !== client.id) return wrong('client_id')
  if (secret === undefined || secret === null) return null
  const known = typeof secret === 'string' && matchesSecret(ids.handleOf(secret), client, clock.now())
  return known ? null : wrong('client_secret')
}

async function commitReplacement(
  request: ManagementRequest,
  { client, access, metadata }: ManagedClient & { readonly metadata: ClientMetadata },
  deps: ManagementDependencies,
): Promise<EndpointResult<JsonObject> | 'stale'> {
  const { clock, ids, issuers, store } = deps
  const { tenant, id, version } = client
  const now = clock.now()
  const fresh = usesSecret(metadata) && client.secrets.length === 0 ? ids.secret(secretPrefix.clientSecret) : null
  const kept = usesSecret(metadata) ? null : []
  const replaced = await store.clients.replace({
    tenant,
    id,
    version,
    metadata,
    disabledAt: null,
    secrets: fresh === null ? kept : [secretRow(fresh, now, ids)],
    losesScope: lostScope(client.metadata, metadata),
    at: now,
    events: [
      newEvent(deps, request, 'client.updated', {
        actor: { kind: 'client', id },
        clientId: id,
        scope: metadata.scope,
        data: { disabled: false, cutoff: false, changed: changedFields(client.metadata, metadata) },
      }),
    ],
  })
  if (replaced !== 'replaced') return 'stale'
  return ok(clientInformation({ ...client, metadata }, { secret: fresh, access }, issuers))
}
