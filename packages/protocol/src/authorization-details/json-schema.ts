/**
 * The subset of JSON Schema (2020-12) that describes authorization details. Operators write schemas, and get a problem
 * for every unsupported keyword; strangers write the values, so every value has a bound even without one in the schema,
 * undeclared members are refused, and only patterns that match in little time are allowed.
 */
import { displayTextProblem } from '../oauth/display-text.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

/** Defaults for missing bounds. Texts are shown to people in full. */
const usual = Object.freeze({ maxLength: 256, maxItems: 20 })
const most = Object.freeze({ schema: 16_384, depth: 6, maxLength: 1000, maxItems: 100, pattern: 200, properties: 50 })

type Check = (value: Json, schema: JsonObject) => boolean
type Keyword = readonly [problem: (value: Json) => string | null, check: Check]

const among = (fits: (value: Json) => boolean, problem: string) => (value: Json) => (fits(value) ? null : problem)
const isCount = (value: Json, limit: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= limit
const isScalar = (value: Json): boolean => ['string', 'number', 'boolean'].includes(typeof value)
const number = among((value) => typeof value === 'number', 'must be a number')
const count = (limit: number) => among((value) => isCount(value, limit), `must be a whole number up to ${limit}`)
const holds = (): boolean => true

/** Keywords for people only; they check nothing. */
const annotation: Keyword = [among((value) => typeof value === 'string', 'must be a text'), holds]

const everywhere: Readonly<Record<string, Keyword>> = {
  // Evaluated by keywordsOf.
  type: [() => null, holds],
  title: annotation,
  description: annotation,
  enum: [
    among(
      (value) => Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(isScalar),
      'must be a list of texts, numbers or booleans',
    ),
    (value, { enum: allowed }) => (allowed as readonly Json[]).includes(value),
  ],
  const: [among(isScalar, 'must be a text, a number or a boolean'), (value, { const: only }) => value === only],
}

const byType: Readonly<Record<string, Readonly<Record<string, Keyword>>>> = {
  string: {
    minLength: [count(most.maxLength), (value, { minLength }) => (value as string).length >= (minLength as number)],
    maxLength: [count(most.maxLength), (value, { maxLength }) => (value as string).length <= (maxLength as number)],
    pattern: [patternProblem, (value, { pattern }) => new RegExp(pattern as string, 'u').test(value as string)],
  },
  number: {
    minimum: [number, (value, { minimum }) => (value as number) >= (minimum as number)],
    maximum: [number, (value, { maximum }) => (value as number) <= (maximum as number)],
  },
  boolean: {},
  array: {
    items: [
      among(isJsonObject, 'must be a schema'),
      (value, { items }) => (value as Json[]).every((it) => fitsSchema(it, items as JsonObject)),
    ],
    minItems: [
      count(most.maxItems),
      (value, { minItems }) => (value as readonly Json[]).length >= (minItems as number),
    ],
    maxItems: [
      count(most.maxItems),
      (value, { maxItems }) => (value as readonly Json[]).length <= (maxItems as number),
    ],
  },
  object: {
    properties: [among(isProperties, `must be an object of at most ${most.properties} schemas`), fitsProperties],
    required: [
      among(
        (value) => Array.isArray(value) && (value as readonly Json[]).every((it) => typeof it === 'string'),
        'must be a list of texts',
      ),
      (value, { required }) => (required as readonly string[]).every((name) => Object.hasOwn(value as object, name)),
    ],
    additionalProperties: [among((value) => value === false, 'must be false, which it always is'), holds],
  },
}

/** An integer is a number with one more condition. */
const kindOf = (schema: JsonObject): string | undefined =>
  schema['type'] === 'integer' ? 'number' : typeof schema['type'] === 'string' ? schema['type'] : undefined

const isType: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string' && (value === '' || displayTextProblem(value, most.maxLength) === null),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isJsonObject,
}

/** The problem of a schema with its path; null where it has none. */
export function schemaProblem(schema: Json, at = ''): string | null {
  if (at === '' && JSON.stringify(schema).length > most.schema)
    return `must not be longer than ${most.schema} characters`
  if (!isJsonObject(schema)) return `${at === '' ? '' : `${at} `}must be a schema, an object`
  if (at.split('/').length > most.depth) return `is nested deeper than ${most.depth} levels`
  const keywords = keywordsOf(schema)
  if (keywords === null) return `${at}/type must be one of string, number, integer, boolean, array, object`
  for (const [name, value] of Object.entries(schema)) {
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined
    if (keyword === undefined)
      return `${at}/${name} is not understood here; known are ${Object.keys(keywords).join(', ')}`
    const problem = keyword[0](value)
    if (problem !== null) return `${at}/${name} ${problem}`
  }
  if (schema['type'] === 'array' && schema['items'] === undefined) return `${at}/items is missing`
  if (schema['type'] === 'object' && schema['properties'] === undefined) return `${at}/properties is missing`
  const below = Object.entries((schema['properties'] ?? {}) as JsonObject)
  const inside = below.map(([name, it]) => schemaProblem(it, `${at}/properties/${name}`))
  if (schema['items'] !== undefined) inside.push(schemaProblem(schema['items'], `${at}/items`))
  return inside.find((it) => it !== null) ?? null
}

const keywordsOf = (schema: JsonObject): Readonly<Record<string, Keyword>> | null => {
  const kind = kindOf(schema)
  const own = kind !== undefined && Object.hasOwn(byType, kind) ? byType[kind] : undefined
  return own === undefined ? null : { ...everywhere, ...own }
}

/** Whether a value matches a schema; the schema must be valid. */
export function fitsSchema(value: Json, schema: JsonObject): boolean {
  const kind = kindOf(schema) ?? ''
  if (isType[kind]?.(value) !== true) return false
  if (schema['type'] === 'integer' && !Number.isSafeInteger(value)) return false
  if ((kind === 'string' || kind === 'array') && (value as string | Json[]).length > longest(schema)) return false
  const keywords = keywordsOf(schema) ?? {}
  return Object.keys(schema).every((name) => keywords[name]?.[1](value, schema) === true)
}

/** The maximum length of a text or list, checked before anything is matched against it. */
function longest({ type, maxLength, maxItems, pattern }: JsonObject): number {
  if (type === 'array') return (maxItems as number | undefined) ?? usual.maxItems
  const limit = (maxLength as number | undefined) ?? usual.maxLength
  return pattern === undefined ? limit : Math.min(limit, usual.maxLength)
}

function fitsProperties(value: Json, { properties }: JsonObject): boolean {
  const known = properties as Readonly<Record<string, JsonObject>>
  return Object.entries(value as JsonObject).every(([name, member]) => {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined
    return schema !== undefined && fitsSchema(member, schema)
  })
}

function isProperties(value: Json): boolean {
  if (!isJsonObject(value)) return false
  const names = Object.keys(value)
  return names.length <= most.properties && names.every((name) => /^[\w@$-]{1,64}$/.test(name))
}

/**
 * Patterns become slow by repeated groups, and by many repetitions in a row. A few repetitions of characters and
 * classes, over a short text, do not.
 */
function patternProblem(value: Json): string | null {
  if (typeof value !== 'string' || value.length > most.pattern)
    return `must be a text of at most ${most.pattern} characters`
  if (/\)[*+{]|\\[1-9k]|\(\?</.test(value)) return 'must not repeat a group, look behind or refer back'
  if ((value.match(/[*+]|\{\d+,\d*\}/g) ?? []).length > 3) return 'must not hold more than three repetitions'
  return isPattern(value) ? null : 'must be a pattern'
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch {
    return false
  }
}
