/**
 * A client whose id is the address of a document (draft-ietf-oauth-client-id-metadata-document). Its copy is kept as a
 * client, so that every decision rests on it as on any other. Only /authorize fetches, and only so often.
 */
import { isUtf8 } from 'node:buffer'
import { readJson, retryAfter } from '@grantor/protocol/http'
import { type Catalogue, type Refusal } from '@grantor/protocol/oauth'
import {
  type Client,
  type ClientMetadata,
  documentLimit,
  documentMetadata,
  type RegistrationContext,
} from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Instant, Json } from '@grantor/protocol/types'
import type { NewClient } from '@grantor/store'
import { newClient } from '../admin/clients.ts'
import { newEvent, type Origin } from '../events.ts'
import type { Hands } from '../hands.ts'
import { addressKey } from '../limits/limits.ts'
import { asAdministered, changedFields, lostScope } from './manage-registration.ts'
import { registrationContext, registeredEvent } from './register.ts'

interface DocumentRequest {
  readonly id: string
  readonly origin: Origin
  readonly catalogue: Catalogue
  readonly hands: Hands
}

/** The client as its document says now, or said while it could last be read. */
export async function documentClient(asking: DocumentRequest): Promise<Result<Client, Refusal>> {
  const { id, origin, catalogue, hands } = asking
  const held = await hands.directory.currentClient(origin.tenant, id)
  if (held !== null && !isOutdated(held, hands)) return ok(held)
  const refused = held === null ? await tooManyNew(asking) : null
  if (refused !== null) return err(refused)
  const read = await fetchDocument(id, registrationContext(catalogue, hands), hands)
  if (read.kind === 'error') {
    // A server that is away for a day must not cut off everybody who connected through it.
    const counts = held !== null && (await hands.store.registrations.hasGrants(origin.tenant, id, hands.clock.now()))
    return counts ? ok(held) : read
  }
  return held === null ? admitDocument(read.value, asking) : refreshDocument(held, read.value, asking)
}

/** A document that an administrator switched off is not worth a look. */
const isOutdated = ({ freshUntil, disabledAt }: Client, { clock }: Hands): boolean =>
  freshUntil !== undefined && disabledAt === null && freshUntil <= clock.now()

/** So that nobody has us call a thousand other servers. */
async function tooManyNew({ origin, hands }: DocumentRequest): Promise<Refusal | null> {
  const { clientDocuments: limit } = hands.limits
  if (limit === null || origin.ip === null) return null
  const taken = await hands.limiter.take(limit, addressKey(origin.ip))
  return taken.allowed ? null : { reason: 'limit_reached', retryAfter: retryAfter(taken) }
}

interface FetchedDocument {
  readonly metadata: ClientMetadata
  readonly freshUntil: Instant
}

const types = ['application/json', 'application/*+json']

async function fetchDocument(
  id: string,
  on: RegistrationContext,
  { outbound }: Hands,
): Promise<Result<FetchedDocument, Refusal>> {
  const answer = await outbound.fetch({ url: id, types, maxBytes: documentLimit })
  if (answer.kind === 'error') return err({ reason: 'client_document_unfetched' })
  const metadata = documentMetadata(jsonIn(answer.value.body), id, on)
  if (metadata.kind === 'error') return metadata
  return ok({ metadata: metadata.value, freshUntil: (answer.value.fetchedAt + answer.value.maxAge * 1000) as Instant })
}

/** Undefined for what is no JSON, or no JSON that all readers take alike. */
function jsonIn(body: Uint8Array): Json | undefined {
  const read = isUtf8(body) ? readJson(Buffer.from(body).toString('utf8'), 8) : null
  return read?.kind === 'ok' ? read.value : undefined
}

async function admitDocument(
  { metadata, freshUntil }: FetchedDocument,
  { id, origin, catalogue, hands }: DocumentRequest,
): Promise<Result<Client, Refusal>> {
  const { tenant } = origin
  const made = newClient({ tenant, id, metadata, secret: null, origin: 'document' }, hands)
  const client: NewClient = { ...made, freshUntil }
  const outcome = await hands.store.registrations.register({
    client,
    most: registrationContext(catalogue, hands).policy.mostClients,
    token: null,
    at: client.createdAt,
    events: [registeredEvent(client, origin, hands)],
  })
  if (outcome === 'full') return err({ reason: 'registration_full' })
  // Somebody else may have met it at the same moment: then it is theirs that counts.
  return currentClient(origin, id, hands)
}

/** A changed document changes the client, and what it no longer asks for its grants lose (see register's PUT). */
async function refreshDocument(
  held: Client,
  { metadata: said, freshUntil }: FetchedDocument,
  { origin, hands }: DocumentRequest,
): Promise<Result<Client, Refusal>> {
  const { tenant, id, version } = held
  const metadata = asAdministered(held, said)
  const changed = changedFields(held.metadata, metadata)
  await hands.store.registrations.refresh({
    tenant,
    id,
    version,
    metadata: changed.length === 0 ? null : metadata,
    losesScope: lostScope(held.metadata, metadata),
    freshUntil,
    at: hands.clock.now(),
    events: [
      newEvent(hands, origin, 'client.updated', {
        actor: { kind: 'client', id },
        clientId: id,
        scope: metadata.scope,
        data: { disabled: held.disabledAt !== null, cutoff: false, changed },
      }),
    ],
  })
  return currentClient(origin, id, hands)
}

async function currentClient({ tenant }: Origin, id: string, { directory }: Hands): Promise<Result<Client, Refusal>> {
  const client = await directory.currentClient(tenant, id)
  return client === null ? err({ reason: 'client_unknown' }) : ok(client)
}
