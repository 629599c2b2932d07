/** Whether a resource fulfils a filter: RFC 7644 §3.4.2.2, by the characteristics of each attribute (RFC 7643 §7). */
import { ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { type Attribute, findAttribute, type ResourceSchema, subAttributeOf } from './attribute.ts'
import { badRequest, type ScimError } from './error.ts'
import type { Comparison, Filter } from './filter.ts'
import type { AttributePath } from './path.ts'

export type Predicate = (resource: JsonObject) => boolean

/** An attribute as a filter compares it, with its values in a resource. */
interface Compared {
  readonly attribute: Attribute
  valuesIn(resource: JsonObject): readonly Json[]
}

/** The attributes to which a filter applies: those of a resource, or those of one value of a list. */
interface Filtered {
  compared(path: AttributePath): Compared | null
  list(path: AttributePath): Compared | null
}

/** A filter with an unknown attribute is refused: it could never match, so it is a mistake. */
export const predicateOf = (filter: Filter, schema: ResourceSchema): Result<Predicate, ScimError> =>
  predicate(filter, {
    compared: (path) => comparedIn(path, schema),
    list: (path) => (path.sub === null ? wholeIn(path, schema) : null),
  })

/** The same for one value of a list: `type eq "work"` of `emails`. */
export const valuePredicateOf = (filter: Filter, list: Attribute): Result<Predicate, ScimError> =>
  predicate(filter, {
    compared({ schema, attribute: name, sub }) {
      const attribute = schema === null && sub === null ? subAttributeOf(list, name) : null
      return attribute && { attribute, valuesIn: (value) => listed(value[attribute.name]) }
    },
    list: () => null,
  })

const listed = (value: Json | undefined): readonly Json[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value]

function wholeIn({ schema: urn, attribute: name }: AttributePath, schema: ResourceSchema): Compared | null {
  const found = findAttribute(schema, urn, name)
  if (found === null || found.attribute.returned === 'never') return null
  const { attribute, extension } = found
  return {
    attribute,
    valuesIn(resource) {
      const holder = extension === null ? resource : resource[extension]
      return listed(isJsonObject(holder) ? holder[attribute.name] : undefined)
    },
  }
}

function comparedIn(path: AttributePath, schema: ResourceSchema): Compared | null {
  const whole = wholeIn(path, schema)
  if (whole === null) return null
  if (whole.attribute.type !== 'complex') return path.sub === null ? whole : null
  // RFC 7644 §3.4.2.2: a complex attribute without sub-attribute means its `value`.
  const part = subAttributeOf(whole.attribute, path.sub ?? 'value')
  if (part === null) return path.sub === null ? whole : null
  return {
    attribute: part,
    valuesIn: (resource) =>
      whole.valuesIn(resource).flatMap((value) => listed(isJsonObject(value) ? value[part.name] : undefined)),
  }
}

const unknown = ({ attribute, sub }: AttributePath) =>
  badRequest('invalidFilter', `There is no attribute ${sub === null ? attribute : `${attribute}.${sub}`} to filter by.`)

// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive; the compiler would say so
function predicate(filter: Filter, of: Filtered): Result<Predicate, ScimError> {
  switch (filter.kind) {
    case 'not': {
      const inner = predicate(filter.term, of)
      return inner.kind === 'ok' ? ok((it) => !inner.value(it)) : inner
    }
    case 'and':
    case 'or':
      return joined(filter, of)
    case 'values': {
      const list = of.list(filter.path)
      if (list === null) return unknown(filter.path)
      const inner = valuePredicateOf(filter.where, list.attribute)
      if (inner.kind === 'error') return inner
      return ok((it) => list.valuesIn(it).some((value) => isJsonObject(value) && inner.value(value)))
    }
    case 'present': {
      const compared = of.compared(filter.path)
      return compared === null ? unknown(filter.path) : ok((it) => compared.valuesIn(it).some(isPresent))
    }
    case 'compare': {
      const compared = of.compared(filter.path)
      return compared === null ? unknown(filter.path) : comparison(filter, compared)
    }
  }
}

function joined(filter: Extract<Filter, { kind: 'and' | 'or' }>, of: Filtered): Result<Predicate, ScimError> {
  const terms: Predicate[] = []
  for (const term of filter.terms) {
    const read = predicate(term, of)
    if (read.kind === 'error') return read
    terms.push(read.value)
  }
  return ok(filter.kind === 'and' ? (it) => terms.every((term) => term(it)) : (it) => terms.some((term) => term(it)))
}

/** RFC 7644 §3.4.2.2: an empty string or object counts as absent. */
const isPresent = (value: Json): boolean => value !== '' && !(isJsonObject(value) && Object.keys(value).length === 0)

function comparison(
  { op, value }: Extract<Filter, { kind: 'compare' }>,
  { attribute, valuesIn }: Compared,
): Result<Predicate, ScimError> {
  const { name, type } = attribute
  if (type === 'complex') return badRequest('invalidFilter', `${name} is compared by one of its parts.`)
  // §3.4.2.2: `eq null` matches a resource without value.
  if (value === null)
    return op === 'eq' || op === 'ne'
      ? ok((it) => valuesIn(it).some(isPresent) === (op === 'ne'))
      : badRequest('invalidFilter', 'null is compared by eq and ne only.')
  const key = keyOf(attribute)
  const wanted = key(value)
  const fits = wanted === null || (type === 'boolean' && op !== 'eq' && op !== 'ne') ? null : tests[op]
  if (fits === null || wanted === null) return badRequest('invalidFilter', `${name} cannot be compared like this.`)
  const some: Predicate = (it) => valuesIn(it).some((held) => fits(key(held) ?? '', wanted))
  // `ne` matches if none of its values is equal.
  return ok(op === 'ne' ? (it) => !valuesIn(it).some((held) => key(held) === wanted) : some)
}

/** The comparison key of a value; null for a value that the attribute cannot have. */
function keyOf({ type, caseExact }: Attribute): (value: Json) => string | null {
  if (type === 'boolean') return booleanKey
  if (type === 'dateTime') return timeKey
  return (value) => (typeof value === 'string' ? (caseExact ? value : value.toLowerCase()) : null)
}

const booleanKey = (value: Json): string | null => {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return 'true'
  return text === false || text === 'false' ? 'false' : null
}

/** In one canonical form, so that string order is time order. */
function timeKey(value: Json): string | null {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

const tests: Readonly<Record<Comparison, (held: string, wanted: string) => boolean>> = {
  eq: (held, wanted) => held === wanted,
  ne: (held, wanted) => held !== wanted,
  co: (held, wanted) => held.includes(wanted),
  sw: (held, wanted) => held.startsWith(wanted),
  ew: (held, wanted) => held.endsWith(wanted),
  gt: (held, wanted) => held > wanted,
  ge: (held, wanted) => held >= wanted,
  lt: (held, wanted) => held < wanted,
  le: (held, wanted) => held <= wanted,
}
