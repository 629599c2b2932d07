/** Attribute names in requests: RFC 7644 §3.10, with the spellings that provisioning services send. */
import { enterpriseUrn, groupUrn, userUrn } from './schemas.ts'

export interface AttributePath {
  /** The URN of the schema, if it is given. */
  readonly schema: string | null
  readonly attribute: string
  readonly sub: string | null
}

const known = [enterpriseUrn, userUrn, groupUrn]

/** `$ref` is the only name that begins with another character. */
const name = String.raw`(?:[A-Za-z][\w-]*|\$ref)`
const plain = new RegExp(`^(${name})(?:\\.(${name}))?$`)

/** Null for an invalid attribute path. */
export function parseAttributePath(text: string): AttributePath | null {
  const [schema, rest] = splitSchema(text)
  const [, attribute, sub = null] = plain.exec(rest) ?? []
  return attribute === undefined ? null : { schema, attribute, sub }
}

/** The known URN that the whole text names; null for anything else. */
export const schemaNamed = (text: string): string | null =>
  known.find((urn) => urn.toLowerCase() === text.toLowerCase()) ?? null

/**
 * A known schema is followed by a colon, or by a dot, as some clients send. For another URN the last colon separates
 * the two.
 */
function splitSchema(text: string): readonly [string | null, string] {
  const urn = known.find((it) => text.toLowerCase().startsWith(it.toLowerCase()) && /^[:.]/.test(text.slice(it.length)))
  if (urn !== undefined) return [urn, text.slice(urn.length + 1)]
  const colon = text.toLowerCase().startsWith('urn:') ? text.lastIndexOf(':') : -1
  return colon < 0 ? [null, text] : [text.slice(0, colon), text.slice(colon + 1)]
}
