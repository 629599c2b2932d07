/**
 * Idempotency keys: draft-ietf-httpapi-idempotency-key-header-07. Recognises repeated requests, and determines their
 * answers.
 */
import { createHash } from 'node:crypto'
import type { Instant, Json, JsonObject } from '../types.ts'

/** The stored state of a key. `intent` is made once per key, and is the same for every retry. */
export interface IdempotencyRecord {
  readonly fingerprint: string
  readonly intent: string
  /** Until when the current run may take; after that, without an answer, its outcome is unknown. */
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  /** null while the request runs. */
  readonly answer: KeptAnswer | null
}

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type Repetition =
  /** Unknown or expired: run the request. */
  | { readonly is: 'new' }
  /** An earlier run did not finish, and its process is gone. */
  | { readonly is: 'lost'; readonly intent: string }
  | { readonly is: 'running' }
  | { readonly is: 'done'; readonly answer: KeptAnswer }
  /** The key was used for another request. */
  | { readonly is: 'reused' }

export function judgeRepetition(held: IdempotencyRecord | null, fingerprint: string, now: Instant): Repetition {
  if (held === null || held.expiresAt <= now) return { is: 'new' }
  if (held.fingerprint !== fingerprint) return { is: 'reused' }
  if (held.answer !== null) return { is: 'done', answer: held.answer }
  return held.leaseUntil > now ? { is: 'running' } : { is: 'lost', intent: held.intent }
}

/**
 * §2.1: a quoted structured string of 1 to 255 characters, or the same without quotes if it has no characters that need
 * them.
 */
export const idempotencyKeyPattern = String.raw`^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$`
/** Length of the longest header value: quotes around 255 escaped characters. */
export const longestIdempotencyKey = 512

const keyPattern = new RegExp(idempotencyKeyPattern)

/**
 * Clients also send it unquoted, and an unquoted UUID that begins with a digit is not a valid structured item: both
 * forms are read, and mean the same key. null for anything else.
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
  /** Other parts that affect the request or its answer: conditions, preferences, the scope of the token. */
  readonly more: readonly string[]
}

/** The same request has the same fingerprint, however its JSON is spelled. */
export function fingerprintOf({ method, path, mediaType, body, more }: FingerprintParts): string {
  const lines = [method, path, mediaType, canonicalJson(body), ...more]
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}

/** RFC 8785: members ordered by the UTF-16 units of their names, numbers and strings as ECMAScript writes them. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const of = value as JsonObject
  const members = Object.keys(of).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(of[name] ?? null)}`).join(',')}}`
}

/** The headers that are stored with an answer; the others (quota, request id) are made anew for every response. */
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

/**
 * Only a success is stored: a refusal had no effect, and the effect of a fault is unknown, so such requests run again.
 */
export function keptAnswer({ status, headers, body }: KeptAnswer): KeptAnswer | null {
  if (status < 200 || status >= 300) return null
  return {
    status,
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.has(name))),
  }
}
