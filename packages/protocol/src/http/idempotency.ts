/** Idempotency keys: draft-ietf-httpapi-idempotency-key-header-07. What a repeated request is, and what it is answered. */
import { createHash } from 'node:crypto'
import type { Instant, Json, JsonObject } from '../types.ts'

/** What is known of a key. `intent` is made once per key, and stays the same for every retry of it. */
export interface IdempotencyRecord {
  readonly fingerprint: string
  readonly intent: string
  /** Until when whoever runs it may take; past it, and not kept, the outcome is unknown. */
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  /** null while it runs. */
  readonly answer: KeptAnswer | null
}

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type Repetition =
  /** Never seen, or forgotten: run it. */
  | { readonly is: 'new' }
  /** Run before and not finished, by someone who is gone. */
  | { readonly is: 'lost'; readonly intent: string }
  | { readonly is: 'running' }
  | { readonly is: 'done'; readonly answer: KeptAnswer }
  /** The same key for another request. */
  | { readonly is: 'reused' }

export function judgeRepetition(held: IdempotencyRecord | null, fingerprint: string, now: Instant): Repetition {
  if (held === null || held.expiresAt <= now) return { is: 'new' }
  if (held.fingerprint !== fingerprint) return { is: 'reused' }
  if (held.answer !== null) return { is: 'done', answer: held.answer }
  return held.leaseUntil > now ? { is: 'running' } : { is: 'lost', intent: held.intent }
}

/** §2.1: a structured string of 1 to 255 characters, or the same bare, without what would need quotes. */
export const idempotencyKeyPattern = String.raw`^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$`
/** Characters of the longest one: quotes around 255 escaped characters. */
export const longestIdempotencyKey = 512

const keyPattern = new RegExp(idempotencyKeyPattern)

/**
 * Clients send it bare as well, and a bare UUID that begins with a digit is no structured item at all: both forms are
 * read, and mean the same key. null for anything else.
 */
export function parseIdempotencyKey(value: string): string | null {
  const text = value.trim()
  if (!keyPattern.test(text)) return null
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : text
}

export interface FingerprintParts {
  readonly method: string
  readonly path: string
  readonly mediaType: string
  readonly body: Json
  /** What else changes what the request means, or what its answer may show: conditions, preferences, the scope of the token. */
  readonly more: readonly string[]
}

/** Whatever spelling of the JSON is sent, the same request has the same fingerprint. */
export function fingerprintOf({ method, path, mediaType, body, more }: FingerprintParts): string {
  const lines = [method, path, mediaType, canonicalJson(body), ...more]
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}

/** RFC 8785: members in the order of their names' UTF-16 units, numbers and strings as ECMAScript writes them. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const of = value as JsonObject
  const members = Object.keys(of).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(of[name] ?? null)}`).join(',')}}`
}

/** The headers of an answer that belong to it; the others (quota, request id) are made anew for every request. */
const keptHeaders = new Set([
  'content-type',
  'location',
  'etag',
  'last-modified',
  'link',
  'retry-after',
  'preference-applied',
  'cache-control',
])

/** Only success is kept: a refusal had no effect, and what a fault left behind nobody knows, so it is run again. */
export function keptAnswer({ status, headers, body }: KeptAnswer): KeptAnswer | null {
  if (status < 200 || status >= 300) return null
  return {
    status,
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.has(name))),
  }
}
