/** Administration of webhooks: their addresses, events and secrets (shown once), and the outcome of each delivery. */
import type { Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, Secret, TenantId } from '@grantor/protocol/types'
import {
  mostWebhooks,
  readWebhook,
  webhookSecretOf,
  type WebhookSettings,
  webhookTest,
  webhookTestType,
} from '@grantor/protocol/webhooks'
import type { NewReceiver, ReceiverRow, Store } from '@grantor/store'
import type { Ids } from '../../ports/environment.ts'
import type { Vault } from '../../ports/vault.ts'
import { configOf, webhookConfig, webhookSecretContext } from '../../webhooks/webhook-delivery.ts'
import type { AdminResult } from '../result.ts'
import { openReceiverActs, type ReceiverDeliveries, type ReceiverDeliveryDependencies } from './receiver-acts.ts'

/** Without the signing secret. */
export interface Webhook extends Pick<ReceiverRow, 'tenant' | 'id' | 'createdAt' | 'version' | 'failingSince'> {
  readonly settings: WebhookSettings
  /** Why the service disabled it; null where it did not. */
  readonly disabledBecause: string | null
  readonly declared: boolean
  /** Until when messages are also signed with the previous secret. */
  readonly previousSecretUntil: Instant | null
}

export interface WebhookAdmin extends ReceiverDeliveries {
  create(
    by: Actor,
    tenant: TenantId,
    input: JsonObject,
  ): Promise<AdminResult<{ readonly webhook: Webhook; readonly secret: Secret }>>
  list(
    tenant: TenantId,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<AdminResult<readonly Webhook[]>>
  find(tenant: TenantId, id: string): Promise<AdminResult<Webhook>>
  replace(
    by: Actor,
    tenant: TenantId,
    change: { readonly id: string; readonly version: number; readonly input: JsonObject },
  ): Promise<AdminResult<Webhook>>
  remove(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
  /** For so many seconds, messages are signed with both the old and the new secret. */
  rotateSecret(
    by: Actor,
    tenant: TenantId,
    rotation: { readonly id: string; readonly overlap: number },
  ): Promise<AdminResult<{ readonly secret: Secret; readonly previousUntil: Instant }>>
  /** Queues a test message; returns its id. */
  test(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<string>>
}

export interface WebhookAdminDependencies extends ReceiverDeliveryDependencies {
  readonly ids: Ids
  readonly vault: Vault
  readonly served: Served
  readonly store: ReceiverDeliveryDependencies['store'] & Pick<Store, 'events'>
}

export function openWebhookAdmin(deps: WebhookAdminDependencies): WebhookAdmin {
  const { ids, clock, vault, served } = deps
  const { eventReceivers, eventDeliveries } = deps.store
  const { held, absent, changed, deliveries, remove, replay } = openReceiverActs('webhook', deps)

  function newSecret(which: Pick<NewReceiver, 'tenant' | 'id'>) {
    const bytes = ids.salt()
    return { secret: webhookSecretOf(bytes), sealed: vault.seal(bytes, webhookSecretContext(which)) }
  }

  async function put(row: ReceiverRow, to: Partial<NewReceiver>, events: ReturnType<typeof changed>) {
    const receiver = { ...row, ...to }
    const done = await eventReceivers.replace({ receiver, version: row.version, at: clock.now(), events })
    return done === 'replaced' ? ok(null) : err({ reason: 'conflict', what: `webhook ${row.id} was changed` } as const)
  }

  return {
    deliveries,
    remove,
    replay,

    async create(by, tenant, input) {
      const read = readWebhook(input, served)
      if (read.kind === 'error') return err({ reason: 'invalid', problems: read.error })
      const which = { tenant, id: ids.id() }
      const { secret, sealed } = newSecret(which)
      const receiver: NewReceiver = {
        ...which,
        kind: 'webhook',
        config: webhookConfig(read.value),
        sealedSecret: sealed,
        previous: null,
        status: read.value.status,
        statusReason: null,
        declared: false,
        // Events before its creation are not delivered.
        sincePos: await deps.store.events.position(),
        createdAt: clock.now(),
      }
      const { url, events } = read.value
      const data = { id: which.id, url, events: [...events] }
      const added = await eventReceivers.add(receiver, changed(by, tenant, data), { ofTenant: mostWebhooks })
      if (added === 'full') return err({ reason: 'conflict', what: `a tenant has at most ${mostWebhooks} webhooks` })
      if (added !== 'added') return err({ reason: 'absent', what: `tenant ${tenant}` })
      return ok({ webhook: shown({ ...receiver, version: 1, failingSince: null }), secret })
    },

    async list(tenant, page) {
      return ok((await eventReceivers.list(tenant, { ...page, kind: 'webhook' })).map(shown))
    },

    async find(tenant, id) {
      const row = await held(tenant, id)
      return row === null ? absent(id) : ok(shown(row))
    },

    async replace(by, tenant, { id, version, input }) {
      const row = await held(tenant, id)
      if (row === null) return absent(id)
      if (row.version !== version) return err({ reason: 'conflict', what: `webhook ${id} was changed` })
      const read = readWebhook(input, served)
      if (read.kind === 'error') return err({ reason: 'invalid', problems: read.error })
      const { url, events, status } = read.value
      const revived = status === 'enabled' && row.status !== 'enabled'
      const to = {
        config: webhookConfig(read.value),
        status,
        statusReason: status === row.status ? row.statusReason : null,
        // Events that happened while it was disabled are not delivered afterwards; deliveries that waited before are.
        sincePos: revived ? await deps.store.events.position() : row.sincePos,
      }
      const done = await put(row, to, changed(by, tenant, { id, url, events: [...events], status }))
      if (done.kind === 'error') return done
      const after = await held(tenant, id)
      return after === null ? absent(id) : ok(shown(after))
    },

    async rotateSecret(by, tenant, { id, overlap }) {
      const row = await held(tenant, id)
      if (row === null) return absent(id)
      const { secret, sealed } = newSecret(row)
      const until = (clock.now() + overlap * 1000) as Instant
      const previous = row.sealedSecret === null || overlap === 0 ? null : { sealed: row.sealedSecret, until }
      const done = await put(
        row,
        { sealedSecret: sealed, previous },
        changed(by, tenant, { id, secret_rotated: true, overlap }),
      )
      return done.kind === 'error' ? done : ok({ secret, previousUntil: until })
    },

    async test(by, tenant, id) {
      if ((await held(tenant, id)) === null) return absent(id)
      const [delivery, now] = [ids.id(), clock.now()]
      const queued = await eventDeliveries.queue(
        {
          tenant,
          receiver: id,
          id: delivery,
          pos: 0,
          type: webhookTestType,
          orderKey: `event ${delivery}`,
          payload: JSON.stringify(webhookTest(delivery, tenant, now)),
          madeAt: now,
        },
        changed(by, tenant, { id, tested: delivery }),
      )
      return queued === 'queued' ? ok(delivery) : err({ reason: 'conflict', what: `webhook ${id} is disabled` })
    },
  }
}

function shown(row: Omit<ReceiverRow, 'failures' | 'restUntil'>): Webhook {
  const { tenant, id, createdAt, version, failingSince, declared, status, statusReason, previous } = row
  return {
    tenant,
    id,
    createdAt,
    version,
    failingSince,
    declared,
    settings: { ...configOf(row), status: status === 'enabled' ? 'enabled' : 'disabled' },
    disabledBecause: statusReason,
    previousSecretUntil: previous?.until ?? null,
  }
}
