/** Writing: create, replace, patch, remove, act. A change is applied only to the version it was decided on. */
import { isDeepStrictEqual } from 'node:util'
import { type RequestFault, isProblem, mergePatch, pointerTo, problem, type Problem } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { answer, jsonAnswer, type Reply } from '@grantor/resource/http'
import type { Changed } from '../collection/handlers.ts'
import { propertiesOf, type Shape } from '../collection/resource-schema.ts'
import {
  absent,
  type Call,
  forbidden,
  idOf,
  isConditional,
  load,
  preconditionFailed,
  preconditions,
  shown,
  type Stored,
} from './operation-call.ts'

export async function create(call: Call): Promise<Reply> {
  const { collection } = call.route
  const body = wholeBody(call, null)
  if (body.kind === 'error') return body.error
  if (collection.can.create?.(call.context.caller, body.value) === false) return forbidden(collection)
  const made = await collection.handlers.create?.(body.value, call.context)
  if (made === undefined) throw new Error('a create was routed without its handler')
  if (isProblem(made)) return made
  const entry = mine(made, call)
  return shown(call, 201, entry, { location: `${call.route.path}/${encodeURIComponent(idOf(entry))}` })
}

/** PUT and PATCH. */
export async function change(call: Call): Promise<Reply> {
  const { operation } = call.route
  const early = operation === 'replace' ? writable(call, call.input.body) : objectBody(call)
  if (early.kind === 'error') return early.error
  return settled(call, async () => {
    const held = await load(call)
    if (held.kind === 'error') return held.error
    return held.value === null && operation === 'replace' ? insert(call) : update(call, held.value)
  })
}

/**
 * A change that lost a race is against what the client said (412), or, where it said nothing, is decided again on what
 * is there now. Losers take turns: those in this process cannot starve each other, those elsewhere get five tries.
 */
async function settled(call: Call, attempt: () => Promise<Reply | Changed>): Promise<Reply> {
  const first = await attempt()
  if (first !== 'changed') return first
  const { collection, id } = call.route
  if (collection.concurrency !== 'off' && isConditional(call.input.conditions)) {
    const now = await load(call)
    return now.kind === 'error' ? now.error : preconditionFailed(now.value)
  }
  return call.turns.take(JSON.stringify([collection.name, call.context.tenant, id]), async () => {
    for (let tries = 0; tries < 5; tries++) {
      const again = await attempt()
      if (again !== 'changed') return again
    }
    return problem('conflict', 'Others keep changing this resource. Try again.')
  })
}

async function update(call: Call, held: Stored | null): Promise<Reply | Changed> {
  const { collection, operation, id } = call.route
  if (held === null || collection.handlers.update === undefined) return absent
  if (collection.can.update?.(call.context.caller, held.value) === false) return forbidden(collection)
  const body = operation === 'replace' ? wholeBody(call, held.value) : mergedBody(call, held.value)
  if (body.kind === 'error') return body.error
  const failed = preconditions(call, held)
  if (failed !== null) return failed
  const intent = { body: body.value, expected: held.version, before: held.value }
  const result = await collection.handlers.update(id ?? '', intent, call.context)
  if (result === 'changed' || isProblem(result)) return result
  return shown(call, 200, mine(result, call))
}

/** DECISIONS §4: PUT on an absent id creates it, where the collection says so. */
async function insert(call: Call): Promise<Reply | Changed> {
  const { collection, id } = call.route
  if (collection.handlers.insert === undefined) return absent
  const badId = idFault(collection.shape, id ?? '')
  if (badId !== null) return badId
  const body = wholeBody(call, { id: id ?? '' })
  if (body.kind === 'error') return body.error
  if (collection.can.create?.(call.context.caller, body.value) === false) return forbidden(collection)
  const failed = preconditions(call, null)
  if (failed !== null) return failed
  const result = await collection.handlers.insert(id ?? '', body.value, call.context)
  if (result === 'changed' || isProblem(result)) return result
  return shown(call, 201, mine(result, call), { location: call.route.path })
}

export async function remove(call: Call): Promise<Reply> {
  const { collection, id } = call.route
  return settled(call, async () => {
    const loaded = await load(call)
    if (loaded.kind === 'error') return loaded.error
    const held = loaded.value
    if (held === null) return absent
    if (collection.can.delete?.(call.context.caller, held.value) === false) return forbidden(collection)
    const failed = preconditions(call, held)
    if (failed !== null) return failed
    const result = (await collection.handlers.remove?.(id ?? '', held.version, call.context)) ?? 'changed'
    return result === 'removed' ? answer(204) : result
  })
}

export async function act(call: Call): Promise<Reply> {
  const { action, id, collection } = call.route
  if (action === null) throw new Error('an action was routed without its plan')
  const admitted = action.admit(call.input.body, call.input.prefer.has('handling=lenient'))
  if (admitted.kind === 'error') return invalid(admitted.error)
  const loaded = id === null ? ok(null) : await load(call)
  if (loaded.kind === 'error') return loaded.error
  const entry = loaded.value
  if (id !== null && entry === null) return absent
  if (entry !== null && collection.can.update?.(call.context.caller, entry.value) === false)
    return forbidden(collection)
  const result = await action.plan.run(admitted.value as never, call.context, entry)
  if (isProblem(result)) return result
  return result === null ? answer(204) : jsonAnswer(200, result, { 'cache-control': 'no-store' })
}

/** What a handler hands back of a write belongs to the caller's tenant, or the handler is wrong. */
function mine(entry: Stored, { context, route }: Call): Stored {
  if (entry.tenant !== context.tenant)
    throw new Error(`${route.collection.name}: a write crossed the border of its tenant`)
  return entry
}

/**
 * The writable state that a body describes. Read-only members may be sent along when they say what is there already:
 * clients read, change and send the whole thing back. `present` is null where nothing is there.
 */
function wholeBody(call: Call, present: JsonObject | null): Result<JsonObject, Problem> {
  const body = writable(call, call.input.body)
  if (body.kind === 'error') return body
  const faults = readOnlyFaults(call.route.collection.shape, call.input.body as JsonObject, present)
  return faults.length > 0 ? err(invalid(faults)) : body
}

/** RFC 7396: the patch is merged first, and what comes out must be a whole valid resource. */
function mergedBody(call: Call, present: JsonObject): Result<JsonObject, Problem> {
  const { shape } = call.route.collection
  const patch = objectBody(call)
  if (patch.kind === 'error') return patch
  const faults = readOnlyFaults(shape, patch.value, present)
  if (faults.length > 0) return err(invalid(faults))
  const shownNow = Object.fromEntries(
    Object.entries(present).filter(([name]) => Object.hasOwn(propertiesOf(shape.read), name)),
  )
  return writable(call, mergePatch(shownNow, patch.value))
}

function writable({ route, input }: Call, value: Json): Result<JsonObject, Problem> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(notAnObject)
  const { shape } = route.collection
  const given = Object.fromEntries(Object.entries(value).filter(([name]) => !shape.readOnly.includes(name)))
  const admitted = shape.admit(given, input.prefer.has('handling=lenient'))
  return admitted.kind === 'error' ? err(invalid(admitted.error)) : admitted
}

function objectBody({ input }: Call): Result<JsonObject, Problem> {
  const { body } = input
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? ok(body as JsonObject) : err(notAnObject)
}

function readOnlyFaults({ readOnly }: Shape, body: JsonObject, present: JsonObject | null): readonly RequestFault[] {
  return readOnly
    .filter((name) => Object.hasOwn(body, name) && !isDeepStrictEqual(body[name], present?.[name]))
    .map((name) => ({ pointer: pointerTo([name]), code: 'readOnly', detail: 'is set by the server' }))
}

function idFault(shape: Shape, id: string): Problem | null {
  if (shape.admitsId(id)) return null
  const detail = 'The id does not have the form of ids of this collection.'
  return problem('validation-error', detail, { errors: [{ parameter: 'id', code: 'pattern', detail }] })
}

function invalid(errors: readonly RequestFault[]): Problem {
  return problem('validation-error', 'The body does not fit the schema of this resource.', { errors })
}

const notAnObject = invalid([{ pointer: '#', code: 'type', detail: 'must be an object' }])
