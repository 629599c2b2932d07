/** Conditional requests: RFC 9110 §13. Compares what a client knows of a resource with its present state. */
import { createHash } from 'node:crypto'
import type { Instant } from '../types.ts'
import { parseHttpDate } from './http-date.ts'

/** RFC 9110 §8.8.3. `opaque` is the text between the quotes. */
export interface EntityTag {
  readonly weak: boolean
  readonly opaque: string
}

export type TagList = '*' | readonly EntityTag[]

/** The conditions of a request; null for an absent header. */
export interface Conditions {
  readonly ifMatch: TagList | null
  readonly ifNoneMatch: TagList | null
  readonly ifModifiedSince: Instant | null
  readonly ifUnmodifiedSince: Instant | null
}

/** The selected representation; null where there is none yet (a PUT that would create it). */
export interface SelectedRepresentation {
  readonly etag: EntityTag
  readonly lastModified: Instant | null
}

/**
 * `strict`: If-Match compares strongly (RFC 9110 §13.1.1). `version`: a `W/` is ignored, because our tag identifies a
 * version whatever its encoding, and a proxy that compresses makes tags weak.
 */
export type MatchMode = 'strict' | 'version'

export function parseConditions(header: (name: string) => string | null): Conditions {
  const tags = (name: string): TagList | null => {
    const value = header(name)
    return value === null ? null : parseTagList(value)
  }
  const date = (name: string): Instant | null => {
    const value = header(name)
    return value === null ? null : parseHttpDate(value)
  }
  return {
    ifMatch: tags('if-match'),
    ifNoneMatch: tags('if-none-match'),
    ifModifiedSince: date('if-modified-since'),
    ifUnmodifiedSince: date('if-unmodified-since'),
  }
}

/**
 * A list of entity tags. A malformed member is skipped and matches nothing, so that a broken If-None-Match reads (200)
 * and a broken If-Match does not write (412). Quoted tags may contain commas.
 */
export function parseTagList(value: string): TagList {
  if (value.trim() === '*') return '*'
  const tags: EntityTag[] = []
  const member = /[ \t]*(?:(W\/)?"([\x21\x23-\x7E\x80-\xFF]*)"[ \t]*(?=,|$)|[^,]*)(?:,|$)/y
  while (member.lastIndex < value.length) {
    const found = member.exec(value)
    if (found === null) break
    if (found[2] !== undefined) tags.push({ weak: found[1] !== undefined, opaque: found[2] })
  }
  return tags
}

export function writeTag({ weak, opaque }: EntityTag): string {
  return `${weak ? 'W/' : ''}"${opaque}"`
}

/**
 * The tag of a version of a resource. Not a hash of the body: it costs nothing and can be compared before the handler
 * runs. `variant` distinguishes representations with different bytes.
 */
export function versionTag(id: string, version: string | number, variant = ''): EntityTag {
  const digest = createHash('sha256')
    .update(JSON.stringify([id, String(version), variant]))
    .digest('base64url')
  return { weak: false, opaque: digest.slice(0, 22) }
}

export type ConditionOutcome = 'proceed' | 'not-modified' | 'failed'

/** RFC 9110 §13.2.2, in that order. Only for requests that would succeed without their conditions (§13.2.1). */
export function evaluateConditions(
  method: string,
  conditions: Conditions,
  selected: SelectedRepresentation | null,
  mode: MatchMode = 'strict',
): ConditionOutcome {
  const safe = method === 'GET' || method === 'HEAD'
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions
  if (ifMatch !== null) {
    if (!someTag(ifMatch, selected, mode === 'strict' ? strongly : weakly)) return 'failed'
  } else if (ifUnmodifiedSince !== null && selected?.lastModified != null) {
    if (toSecond(selected.lastModified) > ifUnmodifiedSince) return 'failed'
  }
  if (ifNoneMatch !== null) {
    // §13.1.2: 304 for a read, 412 for all other methods.
    if (someTag(ifNoneMatch, selected, weakly)) return safe ? 'not-modified' : 'failed'
  } else if (safe && ifModifiedSince !== null && selected?.lastModified != null) {
    if (toSecond(selected.lastModified) <= ifModifiedSince) return 'not-modified'
  }
  return 'proceed'
}

/** Whether a write names the state that it is based on. A PUT that may only create does, by `If-None-Match: *`. */
export function isConditionalWrite({ ifMatch, ifNoneMatch }: Conditions): boolean {
  return ifMatch !== null || ifNoneMatch === '*'
}

type Compare = (a: EntityTag, b: EntityTag) => boolean
// RFC 9110 §8.8.3.2.
const strongly: Compare = (a, b) => !a.weak && !b.weak && a.opaque === b.opaque
const weakly: Compare = (a, b) => a.opaque === b.opaque

function someTag(tags: TagList, selected: SelectedRepresentation | null, same: Compare): boolean {
  if (selected === null) return false
  return tags === '*' || tags.some((tag) => same(tag, selected.etag))
}

// HTTP dates have no milliseconds: a change at .5 was sent as .0.
const toSecond = (at: Instant): number => Math.floor(at / 1000) * 1000
