/** The delivery of an event to a webhook, and its message, signed by every secret that is valid now. */
import type { SealedEvent } from '@grantor/protocol/events'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import {
  matchesEvent,
  orderKeyOf,
  webhookHeaders,
  webhookPayload,
  type WebhookSettings,
} from '@grantor/protocol/webhooks'
import type { NewEventDelivery, NewReceiver, ReceiverRow, TakenDelivery } from '@grantor/store'
import type { SignedMessage } from '../ports/outbound.ts'
import type { Vault } from '../ports/vault.ts'

type WebhookConfig = Omit<WebhookSettings, 'status'>

/** Reads only what `webhookConfig` wrote. */
export const configOf = ({ config }: Pick<NewReceiver, 'config'>): WebhookConfig => config as unknown as WebhookConfig

export const webhookConfig = ({ url, events, description }: WebhookConfig): JsonObject => ({
  url,
  events: [...events],
  description,
})

export const webhookSecretContext = ({ tenant, id }: Pick<NewReceiver, 'tenant' | 'id'>): string =>
  `webhook ${tenant} ${id}`

export function webhookDelivery(event: SealedEvent, receiver: ReceiverRow): NewEventDelivery | null {
  if (!matchesEvent(configOf(receiver).events, event.name)) return null
  return {
    tenant: event.tenant,
    receiver: receiver.id,
    id: event.id,
    pos: event.pos,
    type: event.name,
    orderKey: orderKeyOf(event),
    payload: JSON.stringify(webhookPayload(event)),
    madeAt: event.at,
  }
}

/** Null where none of our keys opens the secret. */
export function webhookMessage(delivery: TakenDelivery, vault: Vault, now: Instant): SignedMessage | null {
  const { to, id, payload: content } = delivery
  const context = webhookSecretContext(to)
  const current = to.sealedSecret === null ? null : vault.open(to.sealedSecret, context)
  if (current === null) return null
  const before = to.previous !== null && to.previous.until > now ? vault.open(to.previous.sealed, context) : null
  const keys = before === null ? [current] : [current, before]
  return { type: 'application/json', content, headers: webhookHeaders({ id, at: now, content }, keys) }
}
