/**
 * Verifies that a message comes from this server (Standard Webhooks 1.0.0), for receivers of webhooks and authors of
 * hooks.
 */
import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import type { Instant } from '../types.ts'
import { webhookHeaders, webhookKey } from './message.ts'

export interface ReceivedMessage {
  /** Names in lower case, as in Node. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The content as received, before any parsing. */
  readonly content: string
  /** `whsec_…`; two during a rotation. */
  readonly secrets: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Seconds. An older message may be a replay. */
const mostAge = 300

/** False for anything but a current message of ours. */
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
