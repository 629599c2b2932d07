/** Converts attribute values of requests into stored values: RFC 7643 §2.3, and the forms that services really send. */
import { ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { type Attribute, subAttributeOf } from './attribute.ts'
import { badRequest, type ScimError } from './error.ts'

/** Characters of a string, values of a list. */
export const valueBounds = Object.freeze({ text: 1024, list: 50 })

/** Undefined: no value; null, an empty string and an empty list count as none (RFC 7643 §2.5). */
export type ReadValue = Result<Json | undefined, ScimError>

const wrong = (name: string, detail: string) => badRequest('invalidValue', `${name} ${detail}.`)

/** The value of an attribute, as a list if it is multi-valued. */
export function readValue(attribute: Attribute, value: Json, name = attribute.name): ReadValue {
  if (!attribute.multiValued) return readOne(attribute, single(value), name)
  const items = value === null ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value]
  const { mostValues = valueBounds.list } = attribute
  if (items.length > mostValues) return wrong(name, `has at most ${mostValues} values in one request`)
  const read: Json[] = []
  for (const item of items) {
    const one = readOne(attribute, item, name)
    if (one.kind === 'error') return one
    if (one.value !== undefined) read.push(one.value)
  }
  const primaries = read.filter((it) => isJsonObject(it) && it['primary'] === true)
  // RFC 7643 §2.4: at most one value has true.
  if (primaries.length > 1) return wrong(name, 'has more than one primary value')
  return ok(read.length === 0 ? undefined : read)
}

/** Some clients send a list of one for a single value. */
const single = (value: Json): Json => (Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value)

// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive; the compiler would say so
export function readOne(attribute: Attribute, value: Json, name = attribute.name): ReadValue {
  if (value === null || value === '') return ok(undefined)
  switch (attribute.type) {
    case 'complex':
      return readComplex(attribute, value, name)
    case 'boolean': {
      // Entra sends "True" and "False" as strings.
      const text = typeof value === 'string' ? value.toLowerCase() : value
      if (text === true || text === 'true') return ok(true)
      return text === false || text === 'false' ? ok(false) : wrong(name, 'is true or false')
    }
    case 'string':
    case 'reference':
    case 'dateTime':
      return readText(value, name)
  }
}

// Control characters, including bidirectional ones.
const unseen = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

function readText(value: Json, name: string): ReadValue {
  if (typeof value !== 'string') return wrong(name, 'is a text')
  if (value.length > valueBounds.text) return wrong(name, `has at most ${valueBounds.text} characters`)
  return unseen.test(value.replaceAll(/[\r\n\t]/g, ' '))
    ? wrong(name, 'holds characters that cannot be seen')
    : ok(value)
}

function readComplex(attribute: Attribute, value: Json, name: string): ReadValue {
  // Entra sends a manager, Okta a member, as the bare value.
  const whole = typeof value === 'string' && subAttributeOf(attribute, 'value') !== null ? { value } : value
  if (!isJsonObject(whole)) return wrong(name, 'is an object')
  const read: Record<string, Json> = {}
  for (const [given, part] of Object.entries(whole)) {
    const sub = subAttributeOf(attribute, given)
    if (sub === null || sub.mutability === 'readOnly') continue
    const one = readOne(sub, part, `${name}.${sub.name}`)
    if (one.kind === 'error') return one
    if (one.value !== undefined) read[sub.name] = one.value
  }
  return ok(Object.keys(read).length === 0 ? undefined : read)
}

/** Whether two values of a list are equal. */
export function isSameValue(one: Json, other: Json): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return one === other
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}

export const asList = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((it) => isJsonObject(it)) : []
