/** Checks the body of a write against the schema (400). */
import { isDeepStrictEqual } from 'node:util'
import { mergePatch, pointerTo, problem, type Problem, type RequestFault } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { propertiesOf, type ResourceSchema } from '../collection/resource-schema.ts'
import type { OperationRequest } from './operation-request.ts'

/**
 * The writable state that a body describes. Read-only members may be sent if their values are the present ones, because
 * clients read, change and send back the whole resource. `present` is null where it does not exist.
 */
export function wholeBody(request: OperationRequest, present: JsonObject | null): Result<JsonObject, Problem> {
  const body = writableBody(request, request.input.body)
  if (body.kind === 'error') return body
  const errors = readOnlyErrors(request.route.collection.schema, request.input.body as JsonObject, present)
  return errors.length > 0 ? err(invalidBody(errors)) : body
}

/** RFC 7396: the patch is merged first, and the result must be a whole valid resource. */
export function mergedBody(request: OperationRequest, present: JsonObject): Result<JsonObject, Problem> {
  const { schema } = request.route.collection
  const patch = objectBody(request)
  if (patch.kind === 'error') return patch
  const errors = readOnlyErrors(schema, patch.value, present)
  if (errors.length > 0) return err(invalidBody(errors))
  const shownNow = Object.fromEntries(
    Object.entries(present).filter(([name]) => Object.hasOwn(propertiesOf(schema.read), name)),
  )
  return writableBody(request, mergePatch(shownNow, patch.value))
}

export function writableBody({ route, input }: OperationRequest, value: Json): Result<JsonObject, Problem> {
  if (!isObject(value)) return err(notAnObject)
  const { schema } = route.collection
  const given = Object.fromEntries(Object.entries(value).filter(([name]) => !schema.readOnly.includes(name)))
  const parsed = schema.parseBody(given, input.prefer.has('handling=lenient'))
  return parsed.kind === 'ok' ? parsed : err(invalidBody(parsed.error))
}

export function objectBody({ input }: OperationRequest): Result<JsonObject, Problem> {
  return isObject(input.body) ? ok(input.body) : err(notAnObject)
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readOnlyErrors({ readOnly }: ResourceSchema, body: JsonObject, present: JsonObject | null): RequestFault[] {
  return readOnly
    .filter((name) => Object.hasOwn(body, name) && !isDeepStrictEqual(body[name], present?.[name]))
    .map((name) => ({ pointer: pointerTo([name]), code: 'readOnly', detail: 'is set by the server' }))
}

/** The problem of an id that a client chose for a PUT; null where it fits the schema. */
export function idProblem(schema: ResourceSchema, id: string): Problem | null {
  if (schema.acceptsId(id)) return null
  const detail = 'The id does not have the form of ids of this collection.'
  return problem('validation-error', detail, { errors: [{ parameter: 'id', code: 'pattern', detail }] })
}

export function invalidBody(errors: readonly RequestFault[]): Problem {
  return problem('validation-error', 'The body does not fit the schema of this resource.', { errors })
}

const notAnObject = invalidBody([{ pointer: '#', code: 'type', detail: 'must be an object' }])
