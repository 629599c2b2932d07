/** Whether a message came from this server (Standard Webhooks 1.0.0): for whoever receives webhooks, or writes a hook. */
import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import type { Instant } from '../types.ts'
import { webhookHeaders, webhookKey } from './message.ts'

export interface ReceivedMessage {
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes as they came, before anything parsed them. */
  readonly content: string
  /** `whsec_…`; two while one follows the other. */
  readonly secrets: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Seconds. An older message may be one that somebody kept. */
const mostAge = 300

/** False for anything that is not one of ours, of now. */
export function isOwnMessage({ headers, content, secrets, now }: ReceivedMessage): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (!/^\d{1,11}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > mostAge) return false
  const keys = secrets.flatMap((it) => webhookKey(it) ?? [])
  const at = (Number(timestamp) * 1000) as Instant
  const expected = (webhookHeaders({ id, at, content }, keys)['webhook-signature'] ?? '').split(' ').filter(Boolean)
  return signature.split(' ').some((it) => expected.some((good) => isSame(it, good)))
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
