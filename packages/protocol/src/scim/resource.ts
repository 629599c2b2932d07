/** A resource in a request: names in the spelling of the schema, without unknown and readOnly attributes. */
import { ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { type FoundAttribute, findAttribute, type ResourceSchema, subAttributeOf } from './attribute.ts'
import { badRequest, type ScimError } from './error.ts'
import { parseAttributePath, schemaNamed } from './path.ts'
import { readOne, readValue } from './value.ts'

/** The part of a resource that a member of a body names: an attribute, or a sub-attribute (`name.givenName`). */
export interface NamedPart extends FoundAttribute {
  readonly sub: string | null
}

/**
 * The members of a body with the attributes they name: those of extensions inside their object, or by their full name.
 */
export function* membersOf(body: JsonObject, schema: ResourceSchema): Generator<readonly [NamedPart, Json]> {
  for (const [name, value] of Object.entries(body)) {
    const urn = schemaNamed(name)
    if (urn !== null) {
      if (!isJsonObject(value)) continue
      for (const [inner, part] of Object.entries(value)) {
        const found = findAttribute(schema, urn, inner)
        if (found !== null) yield [{ ...found, sub: null }, part]
      }
      continue
    }
    const path = parseAttributePath(name)
    const found = path && findAttribute(schema, path.schema, path.attribute)
    if (path !== null && found !== null) yield [{ ...found, sub: path.sub }, value]
  }
}

/** Unknown and readOnly members are ignored (RFC 7644 §3.5.1). */
export function readResource(body: Json, schema: ResourceSchema): Result<JsonObject, ScimError> {
  if (!isJsonObject(body)) return badRequest('invalidSyntax', 'A resource is an object.')
  const { schemas } = body
  if (!Array.isArray(schemas) || !schemas.some((it) => it === schema.core.id))
    return badRequest('invalidSyntax', `schemas names ${schema.core.id}.`)
  let resource: JsonObject = {}
  for (const [part, value] of membersOf(body, schema)) {
    if (part.attribute.mutability === 'readOnly') continue
    const read = part.sub === null ? readValue(part.attribute, value) : readPart(part, value)
    if (read.kind === 'error') return read
    if (read.value !== undefined) resource = withValue(resource, part, read.value)
  }
  return required(resource, schema)
}

/** `name.givenName` as a member: an object with that sub-attribute only. */
export function readPart({ attribute, sub }: NamedPart, value: Json): Result<Json | undefined, ScimError> {
  const part = subAttributeOf(attribute, sub ?? '')
  if (part === null || attribute.multiValued) return ok(undefined)
  const read = readOne(part, value, `${attribute.name}.${part.name}`)
  if (read.kind === 'error' || read.value === undefined) return read
  return ok({ [part.name]: read.value })
}

export function required(resource: JsonObject, { core }: ResourceSchema): Result<JsonObject, ScimError> {
  const lacking = core.attributes.find((it) => it.required && resource[it.name] === undefined)
  return lacking === undefined ? ok(resource) : badRequest('invalidValue', `${lacking.name} is required.`)
}

export function valueAt(resource: JsonObject, { attribute, extension }: FoundAttribute): Json | undefined {
  const holder = extension === null ? resource : resource[extension]
  return isJsonObject(holder) ? holder[attribute.name] : undefined
}

/** Objects are merged; any other value replaces the present one. Undefined removes it. */
export function withValue(
  resource: JsonObject,
  { attribute, extension }: FoundAttribute,
  value: Json | undefined,
): JsonObject {
  const holder = extension === null ? resource : resource[extension]
  const { [attribute.name]: held, ...rest } = isJsonObject(holder) ? holder : {}
  const joined = isJsonObject(held) && isJsonObject(value) ? { ...held, ...value } : value
  const whole = joined === undefined ? rest : { ...rest, [attribute.name]: joined }
  if (extension === null) return whole
  const { [extension]: _before, ...others } = resource
  return Object.keys(whole).length === 0 ? others : { ...others, [extension]: whole }
}
