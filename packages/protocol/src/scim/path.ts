/** Names of attributes as requests write them: RFC 7644 §3.10, with the spellings that provisioning services send. */
import { enterpriseUrn, groupUrn, userUrn } from './schemas.ts'

export interface AttributePath {
  /** The URN of the schema, where one is named. */
  readonly schema: string | null
  readonly attribute: string
  readonly sub: string | null
}

const known = [enterpriseUrn, userUrn, groupUrn]

/** `$ref` is the one name that begins otherwise. */
const name = String.raw`(?:[A-Za-z][\w-]*|\$ref)`
const plain = new RegExp(`^(${name})(?:\\.(${name}))?$`)

/** Null for what is no attribute path. */
export function parseAttributePath(text: string): AttributePath | null {
  const [schema, rest] = splitSchema(text)
  const [, attribute, sub = null] = plain.exec(rest) ?? []
  return attribute === undefined ? null : { schema, attribute, sub }
}

/** The URN of a schema that is named as a whole; null for anything else. */
export const schemaNamed = (text: string): string | null =>
  known.find((urn) => urn.toLowerCase() === text.toLowerCase()) ?? null

/** A known schema is followed by a colon, or by a dot, which some send. Of another URN the last colon parts the two. */
function splitSchema(text: string): readonly [string | null, string] {
  const urn = known.find((it) => text.toLowerCase().startsWith(it.toLowerCase()) && /^[:.]/.test(text.slice(it.length)))
  if (urn !== undefined) return [urn, text.slice(urn.length + 1)]
  const colon = text.toLowerCase().startsWith('urn:') ? text.lastIndexOf(':') : -1
  return colon < 0 ? [null, text] : [text.slice(0, colon), text.slice(colon + 1)]
}
