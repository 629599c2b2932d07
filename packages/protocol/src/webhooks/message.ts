/** A message to a webhook (Standard Webhooks 1.0.0): its content and its signatures. */
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { eventDocument } from '../events/document.ts'
import type { SealedEvent } from '../events/event.ts'
import type { Instant, JsonObject, Secret } from '../types.ts'

export const webhookSecretPrefix = 'whsec_'

/** The bytes of a secret: 24 to 64, in base64 after the prefix. Null for anything else. */
export function webhookKey(secret: string): Uint8Array | null {
  if (!secret.startsWith(webhookSecretPrefix)) return null
  const text = secret.slice(webhookSecretPrefix.length)
  const key = Buffer.from(text, 'base64')
  const isExact = key.toString('base64').replaceAll('=', '') === text.replaceAll('=', '')
  return isExact && key.length >= 24 && key.length <= 64 ? key : null
}

export const webhookSecretOf = (bytes: Uint8Array): Secret =>
  `${webhookSecretPrefix}${Buffer.from(bytes).toString('base64')}` as Secret

export interface WebhookMessage {
  readonly id: string
  readonly at: Instant
  readonly content: string
}

/** The headers, with one signature for every secret that is valid now. */
export function webhookHeaders(
  { id, at, content }: WebhookMessage,
  keys: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = keys.map((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${content}`).digest('base64')
    return `v1,${mac}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The content of a message: the event in its usual form, without absent members. */
export function webhookPayload(event: SealedEvent): JsonObject {
  const { at, tenant, name, ...rest } = eventDocument(event)
  const data = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return { type: name, timestamp: at, tenant, data }
}

/** A test message without further content. */
export const webhookTestType = 'webhook.test'

export const webhookTest = (id: string, tenant: string, at: Instant): JsonObject => ({
  type: webhookTestType,
  timestamp: new Date(at).toISOString(),
  tenant,
  data: { id },
})

/**
 * The key for ordered delivery: events about the same person, or else the same client; other events are independent.
 */
export const orderKeyOf = ({ subject, clientId, id }: SealedEvent): string =>
  subject !== null ? `subject ${subject}` : clientId !== null ? `client ${clientId}` : `event ${id}`
