/** The effect of one PATCH operation on one attribute: RFC 7644 §3.5.2.1 to §3.5.2.3. */
import { ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { type Attribute, subAttributeOf } from './attribute.ts'
import { badRequest, type ScimError } from './error.ts'
import type { Filter } from './filter.ts'
import { valuePredicateOf } from './match.ts'
import type { NamedPart } from './resource.ts'
import { asList, isSameValue, readOne, type ReadValue, readValue } from './value.ts'

export type PatchKind = 'add' | 'replace' | 'remove'

/** One change of an attribute, or of those of its values that a filter selects. */
export interface AttributeChange extends NamedPart {
  readonly op: PatchKind
  readonly where: Filter | null
  /** Undefined if none was sent. */
  readonly value: Json | undefined
}

type Changed = Result<Json | undefined, ScimError>

export function changedValue(change: AttributeChange, held: Json | undefined): Changed {
  const { attribute, sub } = change
  if (sub !== null && subAttributeOf(attribute, sub) === null)
    return badRequest('invalidPath', `${attribute.name} has no part of that name.`)
  if (attribute.multiValued) return changedList(change, asList(held))
  if (sub !== null) return changedPart(change, isJsonObject(held) ? held : {})
  if (change.op === 'remove') return ok(undefined)
  const read = readValue(attribute, change.value ?? null)
  if (read.kind === 'error') return read
  // §3.5.2.3: sub-attributes that are not named stay unchanged.
  return ok(isJsonObject(read.value) && isJsonObject(held) ? { ...held, ...read.value } : read.value)
}

/** Changes the named sub-attribute in one object. */
function changedPart(
  { attribute, sub, op, value }: AttributeChange,
  held: JsonObject,
): Result<JsonObject | undefined, ScimError> {
  const part = subAttributeOf(attribute, sub ?? '') as Attribute
  if (part.mutability === 'readOnly') return badRequest('mutability', `${part.name} is not changed by requests.`)
  const read: ReadValue =
    op === 'remove' ? ok(undefined) : readOne(part, first(value), `${attribute.name}.${part.name}`)
  if (read.kind === 'error') return read
  const { [part.name]: _before, ...rest } = held
  const whole = read.value === undefined ? rest : { ...rest, [part.name]: read.value }
  return ok(Object.keys(whole).length === 0 ? undefined : whole)
}

const first = (value: Json | undefined): Json =>
  Array.isArray(value) && value.length === 1 ? (value[0] as Json) : (value ?? null)

function changedList(change: AttributeChange, held: readonly JsonObject[]): Changed {
  const { attribute, op, where, sub } = change
  if (where !== null) return changedValues(change, held, where)
  if (sub !== null) return partOfEach(change, held)
  if (op === 'remove') return removed(change, held)
  const read = readValue(attribute, change.value ?? null)
  if (read.kind === 'error') return read
  const newValues = asList(read.value)
  if (op === 'replace') return whole(attribute, newValues)
  const news = newValues.filter((it) => !held.some((other) => isSameValue(it, other)))
  // §3.5.2: a new primary value replaces the previous one.
  const before = news.some((it) => it['primary'] === true) ? held.map(secondary) : held
  return whole(attribute, [...before, ...news])
}

const secondary = ({ primary: _primary, ...rest }: JsonObject): JsonObject => rest

/** Validates the whole list again: its bounds, and one primary value. */
const whole = (attribute: Attribute, list: readonly JsonObject[]): Changed => readValue(attribute, [...list])

/** Removes all values; or, as some clients send, only the values given beside the path. */
function removed({ attribute, value }: AttributeChange, held: readonly JsonObject[]): Changed {
  if (value === undefined || value === null) return ok(undefined)
  const read = readValue(attribute, value)
  if (read.kind === 'error') return read
  const named = new Set(asList(read.value).map((it) => it['value']))
  return whole(
    attribute,
    held.filter((it) => !named.has(it['value'] as Json)),
  )
}

/** `emails.type` without a filter: that sub-attribute of every value. */
function partOfEach(change: AttributeChange, held: readonly JsonObject[]): Changed {
  const { attribute, op } = change
  if (held.length === 0) return op === 'remove' ? ok(undefined) : noTarget(attribute)
  return each(change, held, () => true)
}

const noTarget = ({ name }: Attribute) => badRequest('noTarget', `There is no such value of ${name}.`)

function changedValues(change: AttributeChange, held: readonly JsonObject[], where: Filter): Changed {
  const { attribute, op, sub } = change
  const chosen = valuePredicateOf(where, attribute)
  if (chosen.kind === 'error') return badRequest('invalidPath', chosen.error.detail)
  if (op === 'remove' && sub === null)
    return whole(
      attribute,
      held.filter((it) => !chosen.value(it)),
    )
  if (held.some((it) => chosen.value(it))) return each(change, held, chosen.value)
  if (op === 'remove') return ok(held.length === 0 ? undefined : [...held])
  if (op === 'replace') return noTarget(attribute)
  // Entra adds `emails[type eq "work"].value` where no such value exists: the filter determines the new value.
  const made = each(change, [equalities(where)], () => true)
  return made.kind === 'error' ? made : whole(attribute, [...held, ...asList(made.value)])
}

/** The members that a value must have to fulfil the filter, as far as it states them by `eq`. */
function equalities(where: Filter): JsonObject {
  if (where.kind === 'compare' && where.op === 'eq') return { [where.path.attribute]: where.value }
  if (where.kind !== 'and') return {}
  return Object.assign({}, ...where.terms.map(equalities)) as JsonObject
}

function each(change: AttributeChange, held: readonly JsonObject[], isChosen: (it: JsonObject) => boolean): Changed {
  const { attribute, sub, value } = change
  const list: JsonObject[] = []
  for (const it of held) {
    if (!isChosen(it)) {
      list.push(it)
      continue
    }
    const read = sub === null ? readOne(attribute, first(value)) : changedPart(change, it)
    if (read.kind === 'error') return read
    const joined = sub === null && isJsonObject(read.value) ? { ...it, ...read.value } : read.value
    if (isJsonObject(joined)) list.push(joined)
  }
  const primary = list.findLast((it) => it['primary'] === true && !held.includes(it))
  return whole(attribute, primary === undefined ? list : list.map((it) => (it === primary ? it : secondary(it))))
}
