/** Parameters of lists: limit, order, filters and cursor (docs/resource-toolkit.md). */
import { err, ok, type Result } from '../result.ts'
import type { RequestFault } from './problem.ts'
import { unknownParameter } from './query.ts'

/** The maximum length of a filter value; and the maximum number of values in a list. */
export const longestText = 2048
export const mostValues = 100

export const filterOps = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'prefix', 'contains'] as const
export type FilterOp = (typeof filterOps)[number]
export type Scalar = string | number | boolean

export interface FilterField {
  readonly ops: readonly FilterOp[]
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'date-time'
  /** For an enumeration: another value is an error, not an empty list. */
  readonly values?: readonly Scalar[]
}

export interface ListRules {
  readonly filter: Readonly<Record<string, FilterField>>
  readonly sort: readonly string[]
  /** As in the query, for example `-created_at`. */
  readonly defaultSort: string
  readonly limit: { readonly usual: number; readonly most: number }
  /** The last sort key of every order, so that no two items compare equal. */
  readonly idField: string
  /** Whether a client may sort by it. */
  readonly sortsById: boolean
  /** Whether only the default order may be requested. */
  readonly fixedOrder: boolean
}

/** The fields by which a client may sort. */
export const sortFields = ({ sort, idField, sortsById }: Pick<ListRules, 'sort' | 'idField' | 'sortsById'>): string[] =>
  sortsById ? [...sort, idField] : [...sort]

export interface SortKey {
  readonly field: string
  readonly descending: boolean
}

export interface FilterTerm {
  readonly field: string
  readonly op: FilterOp
  /** One value; several for `in`. */
  readonly values: readonly Scalar[]
}

export interface ListQuery {
  readonly limit: number
  readonly sort: readonly SortKey[]
  readonly filter: readonly FilterTerm[]
  /** Still sealed. */
  readonly cursor: string | null
}

export function readListQuery(
  parameters: ReadonlyMap<string, string>,
  rules: ListRules,
): Result<ListQuery, readonly RequestFault[]> {
  const errors: RequestFault[] = []
  const filter: FilterTerm[] = []
  for (const [name, text] of parameters) {
    if (name === 'limit' || name === 'sort' || name === 'cursor') continue
    const term = readTerm(name, text, rules)
    if (term.kind === 'ok') filter.push(term.value)
    else errors.push(term.error)
  }
  const limit = readLimit(parameters.get('limit'), rules)
  if (limit.kind === 'error') errors.push(limit.error)
  const sort = readSort(parameters.get('sort') ?? rules.defaultSort, rules)
  if (sort.kind === 'error') errors.push(sort.error)
  if (errors.length > 0 || limit.kind === 'error' || sort.kind === 'error') return err(errors)
  return ok({ limit: limit.value, sort: sort.value, filter, cursor: parameters.get('cursor') ?? null })
}

/** AIP-158: none or 0 means the default, too many is lowered to the maximum; anything but a number is refused. */
function readLimit(text: string | undefined, { limit }: ListRules): Result<number, RequestFault> {
  if (text === undefined) return ok(limit.usual)
  if (!/^\d+$/.test(text)) return err({ parameter: 'limit', code: 'invalid', detail: 'A whole number, 0 or more.' })
  const asked = Number(text)
  return ok(asked === 0 ? limit.usual : Math.min(asked, limit.most))
}

export function readSort(
  text: string,
  rules: Pick<ListRules, 'sort' | 'idField' | 'sortsById' | 'fixedOrder' | 'defaultSort'>,
): Result<readonly SortKey[], RequestFault> {
  const { idField, fixedOrder, defaultSort } = rules
  const sortable = sortFields(rules)
  if (fixedOrder && text !== defaultSort)
    return err({ parameter: 'sort', code: 'unknown', detail: `Sortable: ${defaultSort}, and no other way.` })
  const keys: SortKey[] = []
  for (const part of text.split(',')) {
    // A `+` arrives as a space if the client did not encode it.
    const [, sign = '', field = ''] = /^([-+]?)\s*(\S*)$/.exec(part.trim()) ?? []
    if (!sortable.includes(field)) {
      return err({ parameter: 'sort', code: 'unknown', detail: `Sortable: ${sortable.join(', ')}.` })
    }
    if (keys.some((key) => key.field === field)) {
      return err({ parameter: 'sort', code: 'repeated', detail: 'A field is sorted by at most once.' })
    }
    keys.push({ field, descending: sign === '-' })
  }
  const last = keys.at(-1)
  const settled = keys.some((key) => key.field === idField)
  return ok(settled || last === undefined ? keys : [...keys, { field: idField, descending: last.descending }])
}

function readTerm(name: string, text: string, rules: ListRules): Result<FilterTerm, RequestFault> {
  const [, field = '', asked = 'eq'] = /^([^[\]]+)(?:\[([a-z]+)\])?$/.exec(name) ?? []
  const of = Object.hasOwn(rules.filter, field) ? rules.filter[field] : undefined
  if (of === undefined) return err(unknownParameter(name))
  const op = of.ops.find((op) => op === asked)
  if (op === undefined)
    return err({ parameter: name, code: 'unknown', detail: `This field takes: ${of.ops.join(', ')}.` })
  const texts = op === 'in' ? text.split(',') : [text]
  if (texts.length > mostValues)
    return err({ parameter: name, code: 'too_many', detail: `At most ${mostValues} values.` })
  const values = texts.map((text) => readValue(text, of, op))
  return values.every((value) => value !== null)
    ? ok({ field, op, values })
    : err({ parameter: name, code: 'invalid', detail: expectation(of) })
}

function readValue(text: string, { kind, values }: FilterField, op: FilterOp): Scalar | null {
  // A prefix of a moment is not a moment.
  const isPart = op === 'prefix' || op === 'contains'
  const value = kind === 'date-time' && isPart ? text : readKind(text, kind)
  const listed = isPart || values === undefined || (value !== null && values.includes(value))
  return listed ? value : null
}

function readKind(text: string, kind: FilterField['kind']): Scalar | null {
  if (kind === 'string') return text.length > longestText ? null : text
  if (kind === 'date-time') return readMoment(text)
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  const value = (kind === 'integer' ? /^-?\d{1,16}$/ : jsonNumber).test(text) ? Number(text) : Number.NaN
  return (kind === 'number' ? Number.isFinite(value) : Number.isSafeInteger(value)) ? value : null
}

/** RFC 8259 §6, up to the length that a double can need. */
const jsonNumber = /^(?=.{1,32}$)-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** RFC 3339 §5.6, without the 60th second and with at most nanoseconds. */
export const momentPattern = String.raw`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$`

const moments = new RegExp(momentPattern)

/** In the form of `toISOString`: one moment has many spellings, and texts are compared as texts. */
function readMoment(text: string): string | null {
  const moment = moments.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN
  // Date.parse accepts the 30th of February as the 2nd of March.
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  const exists = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number.isNaN(moment) || !exists ? null : new Date(moment).toISOString()
}

function expectation({ kind, values }: FilterField): string {
  return values === undefined ? `A value of type ${kind}.` : `One of: ${values.join(', ')}.`
}

/** The identity of a list, to which a cursor is bound: independent of the order of parameters. */
export function listIdentity({ sort, filter }: Pick<ListQuery, 'sort' | 'filter'>): string {
  const terms = filter.map(({ field, op, values }) => JSON.stringify([field, op, values])).sort()
  return JSON.stringify([sort.map(({ field, descending }) => [field, descending]), terms])
}
