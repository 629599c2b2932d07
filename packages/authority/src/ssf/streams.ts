/** Streams of shared signals, as their receivers manage them: SSF 1.0 §8.1.1, §8.1.2. */
import type { Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import { ok } from '@grantor/protocol/result'
import {
  contradicts,
  deliveredOf,
  mostStreamsOfClient,
  mostStreamsOfTenant,
  readStream,
  streamDocument,
  type StreamInput,
  type StreamSettings,
  type StreamStatus,
} from '@grantor/protocol/ssf'
import type { Json, JsonObject, TenantId } from '@grantor/protocol/types'
import type { NewReceiver, ReceiverRow, Store } from '@grantor/store'
import { type EventDependencies, newEvent, type Origin } from '../events.ts'
import type { Ids, Issuers } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'
import { webhookSecretContext } from '../webhooks/webhook-delivery.ts'
import { conflict, heldStream, invalid, noStream, type SsfResult } from './result.ts'
import { settingsOf, streamConfig, withStatus } from './stream-settings.ts'

/** A request of a client. */
export interface SsfCall {
  readonly origin: Origin
  readonly clientId: string
}

export interface Streams {
  create(call: SsfCall, body: Json): Promise<SsfResult<JsonObject>>
  list(call: SsfCall): Promise<readonly JsonObject[]>
  find(call: SsfCall, id: string): Promise<SsfResult<JsonObject>>
  /** `whole`: omitted settings are reset (PUT); otherwise they stay (PATCH). */
  change(call: SsfCall, body: Json, whole: boolean): Promise<SsfResult<JsonObject>>
  remove(call: SsfCall, id: string): Promise<SsfResult<null>>
  status(call: SsfCall, id: string): Promise<SsfResult<JsonObject>>
  setStatus(
    call: SsfCall,
    id: string,
    to: { status: StreamStatus; reason: string | null },
  ): Promise<SsfResult<JsonObject>>
}

export interface StreamDependencies extends EventDependencies {
  readonly ids: Ids
  readonly issuers: Issuers
  readonly served: Served
  readonly vault: Vault
  readonly store: Pick<Store, 'eventReceivers' | 'events'>
}

/** A stream of this client only. */
export async function ownStream(
  { origin: { tenant }, clientId }: SsfCall,
  id: string,
  { eventReceivers }: Pick<Store, 'eventReceivers'>,
): Promise<ReceiverRow | null> {
  const row = await eventReceivers.find(tenant, id)
  return row?.kind === 'stream' && settingsOf(row).clientId === clientId ? row : null
}

const changedMeanwhile = conflict('The stream was changed meanwhile.')
const byPolling = { method: 'poll', url: null } as const

export function openStreams(deps: StreamDependencies): Streams {
  const { clock, ids, issuers, served, store, vault } = deps
  const { eventReceivers } = store
  const document = (row: Pick<NewReceiver, 'tenant' | 'id' | 'config'>): JsonObject =>
    streamDocument(row.id, settingsOf(row), issuers.issuerOf(row.tenant))
  const statusOf = ({ id, status, statusReason }: ReceiverRow): JsonObject => ({
    stream_id: id,
    status,
    ...(statusReason === null ? {} : { reason: statusReason }),
  })
  const changed = ({ origin, clientId }: SsfCall, data: JsonObject) => {
    const actor: Actor = { kind: 'client', id: clientId }
    return [newEvent(deps, origin, 'stream.changed', { actor, clientId, data })]
  }
  const sealed = (which: Pick<NewReceiver, 'tenant' | 'id'>, { authorization }: StreamInput): Uint8Array | null =>
    authorization === undefined ? null : vault.seal(Buffer.from(authorization), webhookSecretContext(which))

  const ofTenant = (tenant: TenantId) =>
    eventReceivers.list(tenant, { kind: 'stream', after: null, limit: mostStreamsOfTenant })

  async function put(row: ReceiverRow, to: Partial<NewReceiver>, call: SsfCall): Promise<SsfResult<ReceiverRow>> {
    const receiver = { ...row, ...to }
    const events = changed(call, { id: row.id, status: receiver.status, method: settingsOf(receiver).method })
    const done = await eventReceivers.replace({ receiver, version: row.version, at: clock.now(), events })
    return done === 'replaced' ? ok({ ...receiver, version: row.version + 1 }) : changedMeanwhile
  }

  return {
    async create(call, body) {
      const { tenant } = call.origin
      const read = readStream(body, served)
      if (read.kind === 'error') return invalid(read.error)
      const id = ids.id()
      const settings = settled(read.value, call.clientId, null)
      const receiver: NewReceiver = {
        tenant,
        id,
        kind: 'stream',
        config: streamConfig(settings),
        sealedSecret: sealed({ tenant, id }, read.value),
        previous: null,
        status: 'enabled',
        statusReason: null,
        declared: false,
        // Events before its creation are not delivered.
        sincePos: await store.events.position(),
        createdAt: clock.now(),
      }
      const added = await eventReceivers.add(
        receiver,
        changed(call, { id, status: 'enabled', method: settings.method }),
        { ofTenant: mostStreamsOfTenant, ofClient: mostStreamsOfClient },
      )
      if (added === 'full') return conflict(`A client has at most ${mostStreamsOfClient} streams.`)
      return added === 'added' ? ok(document(receiver)) : conflict('There is no such issuer or client any more.')
    },

    async list(call) {
      return (await ofTenant(call.origin.tenant))
        .filter((it) => settingsOf(it).clientId === call.clientId)
        .map(document)
    },

    async find(call, id) {
      const row = await ownStream(call, id, store)
      return row === null ? noStream : ok(document(row))
    },

    async change(call, body, whole) {
      const read = readStream(body, served)
      if (read.kind === 'error') return invalid(read.error)
      const { stream_id: id } = body as JsonObject
      const row = typeof id === 'string' ? await ownStream(call, id, store) : null
      if (row === null) return noStream
      const wrong = contradicts(body, document(row))
      if (wrong !== null) return invalid(`${wrong} is the transmitter's to say.`)
      const { held } = settingsOf(row)
      const settings = { ...settled(read.value, call.clientId, whole ? null : settingsOf(row)), held }
      const isSameAddress = !whole && settings.url === settingsOf(row).url
      const secret = sealed(row, read.value) ?? (isSameAddress ? row.sealedSecret : null)
      const done = await put(row, { config: streamConfig(settings), sealedSecret: secret }, call)
      return done.kind === 'ok' ? ok(document(done.value)) : done
    },

    async remove(call, id) {
      const row = await ownStream(call, id, store)
      if (row === null) return noStream
      const gone = await eventReceivers.remove(row.tenant, id, changed(call, { id, removed: true }))
      return gone === 'removed' ? ok(null) : noStream
    },

    async status(call, id) {
      const row = await ownStream(call, id, store)
      return row === null ? noStream : ok(statusOf(row))
    },

    async setStatus(call, id, { status, reason }) {
      const row = await ownStream(call, id, store)
      if (row === null) return noStream
      if (settingsOf(row).held) return heldStream
      const done = await put(row, await withStatus(row, { status, statusReason: reason }, store), call)
      return done.kind === 'ok' ? ok(statusOf(done.value)) : done
    },
  }
}

/** `before` supplies the settings that the input omits; null for a new stream or a full replacement. */
function settled(input: StreamInput, clientId: string, before: StreamSettings | null): StreamSettings {
  const { method, url } = input.delivery ?? before ?? byPolling
  const requested = input.requested ?? before?.requested ?? []
  const description = input.description === undefined ? (before?.description ?? null) : input.description
  return { clientId, method, url, requested, delivered: deliveredOf(requested), description, held: false }
}
