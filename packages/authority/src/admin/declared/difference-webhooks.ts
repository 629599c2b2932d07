/** The difference between declared and present webhooks, and their export without secrets. */
import { timingSafeEqual } from 'node:crypto'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { mostWebhooks, type WebhookSettings } from '@grantor/protocol/webhooks'
import type { DirectoryChange, NewReceiver, ReceiverRow, Store } from '@grantor/store'
import type { Clock } from '../../ports/environment.ts'
import type { Vault } from '../../ports/vault.ts'
import { configOf, webhookConfig, webhookSecretContext } from '../../webhooks/webhook-delivery.ts'
import type { FieldProblem } from '../result.ts'
import type { Announcement, PlanStep } from './declaration.ts'
import { changedFields } from './difference.ts'
import type { TenantInput } from './tenant-sections.ts'
import type { WebhookInput } from './webhook-input.ts'

export interface WebhookDifferenceDependencies {
  readonly clock: Clock
  readonly vault: Vault
  readonly store: Pick<Store, 'eventReceivers' | 'events'>
}

export interface WebhookDifference {
  readonly steps: readonly PlanStep[]
  readonly problems: readonly FieldProblem[]
  readonly change: Pick<DirectoryChange, 'createReceivers' | 'replaceReceivers' | 'dropReceivers'>
  readonly announcements: readonly Announcement[]
}

export async function webhookDifference(
  { tenant, webhooks }: TenantInput,
  { prune, ...deps }: WebhookDifferenceDependencies & { readonly prune: boolean },
): Promise<WebhookDifference> {
  if (webhooks === null) return { steps: [], problems: [], change: {}, announcements: [] }
  const held = new Map((await webhooksOf(tenant, deps.store)).map((it) => [it.id, it]))
  const steps: PlanStep[] = []
  const problems: FieldProblem[] = []
  const create: NewReceiver[] = []
  const replace: NonNullable<DirectoryChange['replaceReceivers']>[number][] = []
  for (const wanted of webhooks) {
    const before = held.get(wanted.id)
    const rotates = wanted.key !== null && (before === undefined || !hasKey(before, wanted.key, deps.vault))
    if (before === undefined && wanted.key === null)
      problems.push({ field: `${wanted.field}.secret`, problem: 'is needed; give it or secret_file' })
    const mark: JsonObject = rotates ? { secret: '(new)' } : {}
    const fields = changedFields(before === undefined ? {} : shown(settingsOf(before)), {
      ...shown(wanted.settings),
      ...mark,
    })
    if (before !== undefined && fields.length === 0 && before.declared) continue
    const made = {
      fields: before === undefined ? [] : fields,
      act: before === undefined ? 'create' : 'change',
    } as const
    steps.push({ tenant, kind: 'webhook', id: wanted.id, ...made })
    const sealed = rotates ? deps.vault.seal(wanted.key, webhookSecretContext({ tenant, id: wanted.id })) : null
    const receiver = await afterwards(wanted, { tenant, before, sealed }, deps)
    if (before === undefined) create.push(receiver)
    else replace.push({ receiver, version: before.version })
  }
  const named = new Set(webhooks.map(({ id }) => id))
  const dropped = prune ? [...held.values()].filter((it) => it.declared && !named.has(it.id)) : []
  steps.push(...dropped.map(({ id }) => ({ tenant, kind: 'webhook', id, act: 'remove', fields: [] }) as const))
  if (webhooks.length > mostWebhooks)
    problems.push({ field: 'webhooks', problem: `must not hold more than ${mostWebhooks} entries` })
  return {
    steps,
    problems,
    change: { createReceivers: create, replaceReceivers: replace, dropReceivers: dropped.map(({ id }) => id) },
    announcements: steps.map(({ id, act }) => ({
      name: 'admin.webhook_changed',
      clientId: null,
      data: { id, origin: 'declared', ...(act === 'remove' ? { removed: true } : {}) },
    })),
  }
}

interface Place {
  readonly tenant: TenantId
  readonly before: ReceiverRow | undefined
  readonly sealed: Uint8Array | null
}

async function afterwards(
  { id, settings }: WebhookInput,
  { tenant, before, sealed }: Place,
  { clock, store }: WebhookDifferenceDependencies,
): Promise<NewReceiver> {
  const revived = before === undefined || (settings.status === 'enabled' && before.status !== 'enabled')
  return {
    tenant,
    id,
    kind: 'webhook',
    config: webhookConfig(settings),
    sealedSecret: sealed ?? before?.sealedSecret ?? null,
    // The file replaces the secret at once, without an overlap.
    previous: sealed === null ? (before?.previous ?? null) : null,
    status: settings.status,
    statusReason: before?.status === settings.status ? before.statusReason : null,
    declared: true,
    sincePos: revived ? await store.events.position() : before.sincePos,
    createdAt: before?.createdAt ?? clock.now(),
  }
}

function hasKey(it: ReceiverRow, key: Uint8Array, vault: Vault): boolean {
  const held = it.sealedSecret === null ? null : vault.open(it.sealedSecret, webhookSecretContext(it))
  return held !== null && held.length === key.length && timingSafeEqual(held, key)
}

const settingsOf = (it: ReceiverRow): WebhookSettings => ({
  ...configOf(it),
  status: it.status === 'enabled' ? 'enabled' : 'disabled',
})

const shown = ({ url, events, description, status }: WebhookSettings): JsonObject => ({
  url,
  events: [...events],
  ...(description === null ? {} : { description }),
  ...(status === 'enabled' ? {} : { status }),
})

const webhooksOf = (tenant: TenantId, store: Pick<Store, 'eventReceivers'>): Promise<readonly ReceiverRow[]> =>
  store.eventReceivers.list(tenant, { kind: 'webhook', after: null, limit: 1_000 })

/** Without secrets; no member where the tenant has no declared webhooks. */
export async function exportedWebhooks(tenant: TenantId, store: Pick<Store, 'eventReceivers'>): Promise<JsonObject> {
  const held = (await webhooksOf(tenant, store)).filter((it) => it.declared)
  return held.length === 0 ? {} : { webhooks: held.map((it) => ({ id: it.id, ...shown(settingsOf(it)) })) }
}
