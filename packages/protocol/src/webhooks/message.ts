/** A message to a webhook (Standard Webhooks 1.0.0): what it says, and how it is signed. */
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { eventDocument } from '../events/document.ts'
import type { SealedEvent } from '../events/event.ts'
import type { Instant, JsonObject, Secret } from '../types.ts'

export const webhookSecretPrefix = 'whsec_'

/** The bytes of a secret: 24 to 64, in base64 behind the prefix. Null for anything else. */
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

/** The headers: one signature for every secret that is good at the moment. */
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

/** What a message says: the event of the log in its usual form, without what it does not have. */
export function webhookPayload(event: SealedEvent): JsonObject {
  const { at, tenant, name, ...rest } = eventDocument(event)
  const data = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return { type: name, timestamp: at, tenant, data }
}

/** Says no more than that messages arrive. */
export const webhookTestType = 'webhook.test'

export const webhookTest = (id: string, tenant: string, at: Instant): JsonObject => ({
  type: webhookTestType,
  timestamp: new Date(at).toISOString(),
  tenant,
  data: { id },
})

/** What must arrive in order: what is about one person, or else about one client; anything else stands alone. */
export const orderKeyOf = ({ subject, clientId, id }: SealedEvent): string =>
  subject !== null ? `subject ${subject}` : clientId !== null ? `client ${clientId}` : `event ${id}`
