/** One element of `authorization_details` (RFC 9396 §2): parsing, and comparison of two. */
import { hash } from 'node:crypto'
import { readJson } from '../http/json-text.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

export type AuthorizationDetail = JsonObject & { readonly type: string }

/** Limits of one request. `text` is in characters; a detail is an object in a list, so its depth begins at 2. */
export const detailLimits = Object.freeze({ text: 10_240, details: 20, depth: 8 })

/**
 * RFC 9396 §2: a JSON array of objects, each with the `type` that determines its other members. Null if none was sent.
 */
export function requestedDetails(form: {
  get(name: string): string | undefined
}): Result<readonly AuthorizationDetail[] | null, Refusal> {
  const text = form.get('authorization_details')
  return text === undefined ? ok(null) : parseDetails(text)
}

function parseDetails(text: string): Result<readonly AuthorizationDetail[], Refusal> {
  if (text.length > detailLimits.text) return err({ reason: 'details_malformed' })
  const read = readJson(text, detailLimits.depth)
  if (read.kind === 'error' || !Array.isArray(read.value)) return err({ reason: 'details_malformed' })
  const details: readonly Json[] = read.value
  return details.length > 0 && details.length <= detailLimits.details && details.every(isDetail) && areDistinct(details)
    ? ok(details)
    : err({ reason: 'details_malformed' })
}

export const isDetail = (value: Json): value is AuthorizationDetail =>
  isJsonObject(value) && typeof value['type'] === 'string' && value['type'] !== ''

/** A duplicate is refused, because it would be ambiguous whether, for example, two payments were meant. */
const areDistinct = (details: readonly AuthorizationDetail[]): boolean =>
  new Set(details.map(canonicalText)).size === details.length

/** RFC 9396 §6: two details are equal if all members are, in whatever order. */
export const sameDetail = (a: AuthorizationDetail, b: AuthorizationDetail): boolean =>
  canonicalText(a) === canonicalText(b)

export const hasDetail = (details: readonly AuthorizationDetail[], one: AuthorizationDetail): boolean =>
  details.some((it) => sameDetail(it, one))

/** A short representation of a detail. */
export const detailDigest = (detail: AuthorizationDetail): string => hash('sha256', canonicalText(detail), 'base64url')

function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalText).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}
