/** PATCH: parses the changes of a request, and applies them to a resource: RFC 7644 §3.5.2. */
import { ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { findAttribute, type ResourceSchema } from './attribute.ts'
import { badRequest, type ScimError } from './error.ts'
import { parseValuePath } from './filter.ts'
import { type AttributeChange, changedValue, type PatchKind } from './patch-value.ts'
import { schemaNamed } from './path.ts'
import { membersOf, required, valueAt, withValue } from './resource.ts'

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** More operations in one request are refused. */
export const mostPatchOperations = 100

const member = (body: JsonObject, name: string): Json | undefined =>
  Object.entries(body).find(([it]) => it.toLowerCase() === name)?.[1]

/** The changes in their order; an object without a path is one change for each of its members. */
export function readPatch(body: Json, schema: ResourceSchema): Result<readonly AttributeChange[], ScimError> {
  const schemas = isJsonObject(body) ? member(body, 'schemas') : undefined
  if (!isJsonObject(body) || !Array.isArray(schemas) || !schemas.includes(patchSchema))
    return badRequest('invalidSyntax', `schemas names ${patchSchema}.`)
  const operations = member(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0)
    return badRequest('invalidSyntax', 'Operations is a list of at least one change.')
  if (operations.length > mostPatchOperations)
    return badRequest('tooMany', `A request has at most ${mostPatchOperations} operations.`)
  const changes: AttributeChange[] = []
  for (const operation of operations as readonly Json[]) {
    const read = readOperation(operation, schema)
    if (read.kind === 'error') return read
    changes.push(...read.value)
  }
  return ok(changes)
}

const kinds: ReadonlySet<string> = new Set<PatchKind>(['add', 'replace', 'remove'])

function readOperation(operation: Json, schema: ResourceSchema): Result<readonly AttributeChange[], ScimError> {
  if (!isJsonObject(operation)) return badRequest('invalidSyntax', 'An operation is an object.')
  // Entra writes "Add", "Replace" and "Remove".
  const named = member(operation, 'op')
  const op = typeof named === 'string' ? named.toLowerCase() : ''
  if (!kinds.has(op)) return badRequest('invalidSyntax', 'op is add, replace or remove.')
  const path = member(operation, 'path')
  const value = member(operation, 'value')
  if (op !== 'remove' && value === undefined) return badRequest('invalidValue', `${op} needs a value.`)
  if (path === undefined || path === null || path === '') return withoutPath(op as PatchKind, value, schema)
  if (typeof path !== 'string') return badRequest('invalidPath', 'A path is a text.')
  const urn = schemaNamed(path)
  if (urn !== null && urn !== schema.core.id) return wholeExtension(urn, op as PatchKind, { value, schema })
  return atPath(path, { op: op as PatchKind, value }, schema)
}

/**
 * RFC 7644 §3.5.2.1: without a path the value contains the attributes. Unknown and readOnly ones are ignored, as in
 * PUT.
 */
function withoutPath(
  op: PatchKind,
  value: Json | undefined,
  schema: ResourceSchema,
): Result<readonly AttributeChange[], ScimError> {
  if (op === 'remove') return badRequest('noTarget', 'remove needs a path.')
  if (!isJsonObject(value)) return badRequest('invalidValue', 'Without a path, the value holds the attributes.')
  const parts = [...membersOf(value, schema)].filter(([part]) => part.attribute.mutability !== 'readOnly')
  return ok(parts.map(([part, it]) => ({ ...part, op, where: null, value: it })))
}

interface ExtensionChange {
  readonly value: Json | undefined
  readonly schema: ResourceSchema
}

/** The path is the URN of an extension: the whole extension, or the attributes in the value. */
function wholeExtension(
  urn: string,
  op: PatchKind,
  { value, schema }: ExtensionChange,
): Result<readonly AttributeChange[], ScimError> {
  const extension = schema.extensions.find(({ id }) => id === urn)
  if (extension === undefined) return badRequest('invalidPath', 'There is no such extension of this resource.')
  if (op !== 'remove') return withoutPath(op, { [urn]: value ?? null }, schema)
  return ok(
    extension.attributes.map((attribute) => ({
      attribute,
      extension: urn,
      sub: null,
      op,
      where: null,
      value: undefined,
    })),
  )
}

function atPath(
  text: string,
  change: Pick<AttributeChange, 'op' | 'value'>,
  schema: ResourceSchema,
): Result<readonly AttributeChange[], ScimError> {
  const read = parseValuePath(text)
  if (read.kind === 'error') return read
  const { path, where } = read.value
  const found = findAttribute(schema, path.schema, path.attribute)
  if (found === null) return badRequest('invalidPath', 'There is no such attribute.')
  const { attribute } = found
  if (attribute.mutability === 'readOnly')
    return badRequest('mutability', `${attribute.name} is not changed by requests.`)
  if (where !== null && !(attribute.multiValued && attribute.type === 'complex'))
    return badRequest('invalidPath', `${attribute.name} has no values to choose from.`)
  return ok([{ ...found, ...change, sub: path.sub, where }])
}

/** Applies all changes or none: returns the first failure. */
export function applyChanges(
  resource: JsonObject,
  changes: readonly AttributeChange[],
  schema: ResourceSchema,
): Result<JsonObject, ScimError> {
  let changed = resource
  for (const change of changes) {
    const value = changedValue(change, valueAt(changed, change))
    if (value.kind === 'error') return value
    // The value is merged already, so it replaces the present one.
    changed = withValue(withValue(changed, change, undefined), change, value.value)
  }
  return required(changed, schema)
}
