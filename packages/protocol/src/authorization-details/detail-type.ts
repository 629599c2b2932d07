/**
 * A declared type of authorization details: the schema of its details, the resources it applies to, and the description
 * for people.
 */
import { displayTextProblem } from '../oauth/display-text.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { templateProblem } from './consent-text.ts'
import { schemaProblem } from './json-schema.ts'

export interface AuthorizationDetailType {
  readonly type: string
  /** Identifiers of the resources that support it; never empty. */
  readonly resources: readonly string[]
  /** The schema of the members other than `type` and `locations`. */
  readonly schema: JsonObject
  /** The description for people: a template (consent-text.ts), one for all languages or one for each. */
  readonly description: string | Readonly<Record<string, string>>
}

/** RFC 9396 §2.1: a name, or a URI where names could collide. */
export const detailTypeNameProblem = (type: unknown): string | null =>
  typeof type === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(type)
    ? null
    : 'must be 1 to 200 printable ASCII characters without spaces, quotes and backslashes'

/** The problem of a type's schema; null where it has none. */
export function detailSchemaProblem(schema: Json): string | null {
  if (!isJsonObject(schema) || schema['type'] !== 'object') return 'must be a JSON schema of type object'
  const problem = schemaProblem(schema)
  if (problem !== null) return problem
  const reserved = ['type', 'locations'].find((name) => Object.hasOwn(schema['properties'] as JsonObject, name))
  return reserved === undefined ? null : `/properties/${reserved} is a member of every detail and cannot be described`
}

/** The problem of the descriptions of a type with a valid schema. */
export function detailDescriptionProblem(description: Json, schema: JsonObject): string | null {
  const texts = isJsonObject(description) ? Object.values(description) : [description]
  if (texts.length === 0) return 'must be a text, or one text per language'
  const problem = texts.map((it) => textProblem(it, schema)).find((it) => it !== null)
  return problem ?? null
}

const textProblem = (text: Json, schema: JsonObject): string | null =>
  displayTextProblem(text, textLimits.description) ?? templateProblem(text as string, schema)
