/**
 * A client whose id is the address of a document (draft-ietf-oauth-client-id-metadata-document). Its copy is stored as
 * a client, so that every decision uses it like any other. Only /authorize and /par fetch documents, and within limits.
 */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import type { Catalogue, Refusal } from '@grantor/protocol/oauth'
import {
  administeredFields,
  type Client,
  type ClientMetadata,
  documentLimit,
  documentMetadata,
  type RegistrationContext,
} from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Instant, Json, TenantId } from '@grantor/protocol/types'
import { outboundProblem } from '@grantor/protocol/uri'
import type { NewClient, Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import { newEvent, type Origin } from '../events.ts'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { newClient } from './new-client.ts'
import {
  changedFields,
  lostScope,
  registeredEvent,
  registrationContext,
  type RegistrationPolicies,
  sectorField,
  sectorProblem,
} from './registration.ts'

export interface ClientDocumentDependencies extends RegistrationPolicies {
  readonly clock: Clock
  readonly ids: Ids
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly outbound: Outbound
  readonly store: Pick<Store, 'registrations'>
}

interface DocumentRequest {
  readonly id: string
  readonly origin: Origin
  readonly catalogue: Catalogue
}

/** The client as its document describes it now, or did when it could last be read. */
export async function documentClient(
  asked: DocumentRequest,
  deps: ClientDocumentDependencies,
): Promise<Result<Client, Refusal>> {
  const { id, origin, catalogue } = asked
  const { clock, directory, limits, outbound, store } = deps
  const held = await directory.currentClient(origin.tenant, id)
  if (held !== null && !isOutdated(held, clock)) return ok(held)
  // Limited, so that nobody can make this server call a thousand others.
  const refused = held === null ? limitReached(await limits.takeByAddress('clientDocuments', origin.ip)) : null
  if (refused !== null) return refused
  const unreachable = outboundProblem(new URL(id), '443', deps.policy.addresses.outboundAllow)
  const context = registrationContext(catalogue, deps)
  const on = held === null ? context : { ...context, administered: administeredFields(held) }
  const read =
    unreachable === null
      ? await fetchDocument(id, on, outbound)
      : err<Refusal>({ reason: 'client_document_invalid', field: 'client_id', problem: unreachable })
  if (read.kind === 'error') {
    // A document server that is away for a day must not cut off everybody who connected through the client.
    const counts = held !== null && (await store.registrations.hasGrants(origin.tenant, id, clock.now()))
    return counts ? ok(held) : read
  }
  return held === null ? admitDocument(read.value, asked, deps) : refreshDocument(held, { ...read.value, origin }, deps)
}

/** Whether the document must be fetched again; never for a client that an administrator disabled. */
const isOutdated = ({ freshUntil, disabledAt }: Client, clock: Clock): boolean =>
  freshUntil !== undefined && disabledAt === null && freshUntil <= clock.now()

interface FetchedDocument {
  readonly metadata: ClientMetadata
  readonly freshUntil: Instant
}

const types = ['application/json', 'application/*+json']

async function fetchDocument(
  id: string,
  on: RegistrationContext,
  outbound: Outbound,
): Promise<Result<FetchedDocument, Refusal>> {
  const answer = await outbound.fetch({
    url: id,
    types,
    maxBytes: documentLimit,
    cause: { purpose: 'client_metadata_document', clientId: id },
  })
  if (answer.kind === 'error') return err({ reason: 'client_document_unfetched' })
  const metadata = documentMetadata(jsonIn(answer.value.body), id, on)
  if (metadata.kind === 'error') return metadata
  const problem = await sectorProblem(metadata.value, outbound)
  if (problem !== null) return err({ reason: 'client_document_invalid', field: sectorField, problem })
  return ok({ metadata: metadata.value, freshUntil: (answer.value.fetchedAt + answer.value.maxAge * 1000) as Instant })
}

/** Undefined for a body that is not JSON, or JSON that readers could interpret differently. */
function jsonIn(body: Uint8Array): Json | undefined {
  const read = isUtf8(body) ? readJson(Buffer.from(body).toString('utf8'), 8) : null
  return read?.kind === 'ok' ? read.value : undefined
}

async function admitDocument(
  { metadata, freshUntil }: FetchedDocument,
  { id, origin, catalogue }: DocumentRequest,
  deps: ClientDocumentDependencies,
): Promise<Result<Client, Refusal>> {
  const { tenant } = origin
  const made = newClient({ tenant, id, metadata, secret: null, origin: 'document' }, deps)
  const client: NewClient = { ...made, freshUntil }
  const outcome = await deps.store.registrations.register({
    client,
    most: registrationContext(catalogue, deps).policy.mostClients,
    token: null,
    at: client.createdAt,
    events: [registeredEvent(client, origin, deps)],
  })
  if (outcome === 'full') return err({ reason: 'registration_full' })
  // Another request may have stored the client at the same moment: then its copy counts.
  return admittedClient(tenant, id, deps.directory)
}

/**
 * A changed document changes the client, and its grants lose the scope that it no longer requests (see register's PUT).
 */
async function refreshDocument(
  held: Client,
  { metadata, freshUntil, origin }: FetchedDocument & { readonly origin: Origin },
  deps: ClientDocumentDependencies,
): Promise<Result<Client, Refusal>> {
  const { tenant, id, version } = held
  const changed = changedFields(held.metadata, metadata)
  await deps.store.registrations.refresh({
    tenant,
    id,
    version,
    metadata: changed.length === 0 ? null : metadata,
    losesScope: lostScope(held.metadata, metadata),
    freshUntil,
    at: deps.clock.now(),
    events: [
      newEvent(deps, origin, 'client.updated', {
        actor: { kind: 'client', id },
        clientId: id,
        scope: metadata.scope,
        data: { disabled: held.disabledAt !== null, cutoff: false, changed },
      }),
    ],
  })
  return admittedClient(tenant, id, deps.directory)
}

async function admittedClient(tenant: TenantId, id: string, directory: Directory): Promise<Result<Client, Refusal>> {
  const client = await directory.currentClient(tenant, id)
  return client === null ? err({ reason: 'client_unknown' }) : ok(client)
}
