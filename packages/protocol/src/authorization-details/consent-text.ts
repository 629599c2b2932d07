/**
 * The text that a person reads about a detail: a sentence of the operator with fields of the detail in it, and below it
 * the fields that the sentence does not mention. So everything that is granted is shown, and no field can pose as a
 * part of the sentence.
 */
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import type { AuthorizationDetail } from './detail.ts'

type Scalar = string | number | boolean

/** A piece of a sentence: the operator's words, or the values of a field from the client. */
export type SentencePart = { readonly words: string } | { readonly field: string; readonly values: readonly Scalar[] }

/** A field that the sentence does not mention. */
export interface DetailField {
  readonly label: string
  readonly value: Scalar
}

export interface DetailText {
  readonly sentence: readonly SentencePart[]
  readonly others: readonly DetailField[]
}

const field = /\{([\w@$.-]{1,200})\}/g
/** `{name}` or `{outer.inner}` is a field; `[…]` is omitted if one of its fields is absent. */
const piece = /\{([\w@$.-]{1,200})\}|\[([^[\]]*)\]/g

/**
 * RFC 9396 §2.2: `locations` is shown as the resources of the whole request; `type` is expressed by the sentence
 * itself.
 */
const common: ReadonlySet<string> = new Set(['type', 'locations'])

/** The problem of a template; null where it has none. */
export function templateProblem(template: string, schema: JsonObject): string | null {
  for (const path of fieldsIn(template))
    if (!isShowable(schemaAt(schema, path.split('.')))) return `names {${path}}, which is no field that can be shown`
  return /[{}[\]]/.test(template.replaceAll(field, '').replaceAll(/\[[^[\]]*\]/g, ''))
    ? 'holds a brace or a bracket that belongs to no field'
    : null
}

const fieldsIn = (template: string): readonly string[] => [...template.matchAll(field)].map(([, path = '']) => path)

function schemaAt(schema: JsonObject, [name, ...rest]: readonly string[]): JsonObject | null {
  if (name === undefined) return schema
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const below = Object.hasOwn(properties, name) ? properties[name] : undefined
  return isJsonObject(below) ? schemaAt(below, rest) : null
}

/** Strings, numbers, booleans, and lists of them. */
function isShowable(schema: JsonObject | null): boolean {
  if (schema === null) return false
  const { type, items } = schema
  return type === 'array' ? isJsonObject(items) && isLeaf(items) : isLeaf(schema)
}

const isLeaf = ({ type }: JsonObject): boolean => type !== 'object' && type !== 'array'

export function detailText(template: string, detail: AuthorizationDetail, schema: JsonObject): DetailText {
  const sentence = parts(template, detail)
  const mentioned = new Set(sentence.flatMap((part) => ('field' in part ? [part.field] : [])))
  return { sentence, others: leaves(detail, schema, '').filter(({ path }) => !mentioned.has(path)) }
}

function parts(template: string, detail: AuthorizationDetail): readonly SentencePart[] {
  const found: SentencePart[] = []
  let from = 0
  const say = (words: string) => (words === '' ? 0 : found.push({ words }))
  for (const match of template.matchAll(piece)) {
    say(template.slice(from, match.index))
    from = match.index + match[0].length
    const [, path, optional] = match
    if (path !== undefined) found.push({ field: path, values: valuesAt(detail, path) })
    else if (optional !== undefined && fieldsIn(optional).every((it) => valuesAt(detail, it).length > 0))
      found.push(...parts(optional, detail))
  }
  say(template.slice(from))
  return found
}

function valuesAt(value: Json, path: string): readonly Scalar[] {
  const found = path
    .split('.')
    .reduce<Json | undefined>((it, name) => (isJsonObject(it) && Object.hasOwn(it, name) ? it[name] : undefined), value)
  return (Array.isArray(found) ? (found as readonly Json[]) : [found]).filter(isScalar)
}

const isScalar = (value: Json | undefined): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

interface Leaf extends DetailField {
  /** The path by which a sentence would mention it; list items have the path of the list. */
  readonly path: string
}

function leaves(value: JsonObject, schema: JsonObject, above: string): readonly Leaf[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (above === '' && common.has(name)) return []
    const path = above === '' ? name : `${above}.${name}`
    const described = schemaAt(schema, [name]) ?? {}
    return below(member, described, { path, label: labelOf(described, path) })
  })
}

function below(member: Json, schema: JsonObject, it: Omit<Leaf, 'value'>): readonly Leaf[] {
  if (isScalar(member)) return [{ ...it, value: member }]
  if (isJsonObject(member)) return leaves(member, schema, it.path)
  const items = isJsonObject(schema['items']) ? schema['items'] : {}
  return Array.isArray(member) ? (member as readonly Json[]).flatMap((one) => below(one, items, it)) : []
}

const labelOf = ({ title }: JsonObject, path: string): string => (typeof title === 'string' ? title : path)
