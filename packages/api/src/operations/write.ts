/** Writing: create, replace, patch, remove, act. A change is applied only to the version it was decided on. */
import { isDeepStrictEqual } from 'node:util'
import { type RequestFault, isProblem, mergePatch, pointerTo, problem, type Problem } from '@grantor/protocol/http'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { type Answer, answer, jsonAnswer } from '@grantor/resource/http'
import type { Changed } from '../collection/handlers.ts'
import { propertiesOf, type Shape } from '../collection/resource-schema.ts'
import {
  absent,
  type Call,
  forbidden,
  idOf,
  isConditional,
  owned,
  preconditionFailed,
  preconditions,
  shown,
  type Stored,
} from './operation-call.ts'

export async function create(call: Call): Promise<Answer | Problem> {
  const { collection } = call.route
  const body = wholeBody(call, null)
  if (isProblem(body)) return body
  if (collection.can.create?.(call.context.caller, body) === false) return forbidden(collection)
  const made = await collection.handlers.create?.(body, call.context)
  if (made === undefined) throw new Error('a create was routed without its handler')
  if (isProblem(made)) return made
  const entry = mine(made, call)
  return shown(call, 201, entry, { location: `${call.route.path}/${encodeURIComponent(idOf(entry))}` })
}

/** PUT and PATCH. */
export async function change(call: Call): Promise<Answer | Problem> {
  const { operation } = call.route
  const early = operation === 'replace' ? writable(call, call.input.body) : objectBody(call)
  if (isProblem(early)) return early
  return settled(call, async () => {
    const held = await load(call)
    if (isProblem(held)) return held
    return held === null && operation === 'replace' ? insert(call) : update(call, held)
  })
}

/**
 * A change that lost a race is against what the client said (412), or, where it said nothing, is decided again on what
 * is there now. Losers take turns: those in this process cannot starve each other, those elsewhere get five tries.
 */
async function settled(call: Call, attempt: () => Promise<Answer | Problem | Changed>): Promise<Answer | Problem> {
  const first = await attempt()
  if (first !== 'changed') return first
  const { collection, id } = call.route
  if (collection.concurrency !== 'off' && isConditional(call.input.conditions)) {
    const now = await load(call)
    return isProblem(now) ? now : preconditionFailed(now)
  }
  return call.turns.take(JSON.stringify([collection.name, call.context.tenant, id]), async () => {
    for (let tries = 0; tries < 5; tries++) {
      const again = await attempt()
      if (again !== 'changed') return again
    }
    return problem('conflict', 'Others keep changing this resource. Try again.')
  })
}

async function update(call: Call, held: Stored | null): Promise<Answer | Problem | Changed> {
  const { collection, operation, id } = call.route
  if (held === null || collection.handlers.update === undefined) return absent
  if (collection.can.update?.(call.context.caller, held.value) === false) return forbidden(collection)
  const body = operation === 'replace' ? wholeBody(call, held.value) : mergedBody(call, held.value)
  if (isProblem(body)) return body
  const failed = preconditions(call, held)
  if (failed !== null) return failed
  const intent = { body, expected: held.version, before: held.value }
  const result = await collection.handlers.update(id ?? '', intent, call.context)
  if (result === 'changed' || isProblem(result)) return result
  return shown(call, 200, mine(result, call))
}

/** DECISIONS §4: PUT on an absent id creates it, where the collection says so. */
async function insert(call: Call): Promise<Answer | Problem | Changed> {
  const { collection, id } = call.route
  if (collection.handlers.insert === undefined) return absent
  const badId = idFault(collection.shape, id ?? '')
  if (badId !== null) return badId
  const body = wholeBody(call, { id: id ?? '' })
  if (isProblem(body)) return body
  if (collection.can.create?.(call.context.caller, body) === false) return forbidden(collection)
  const failed = preconditions(call, null)
  if (failed !== null) return failed
  const result = await collection.handlers.insert(id ?? '', body, call.context)
  if (result === 'changed' || isProblem(result)) return result
  return shown(call, 201, mine(result, call), { location: call.route.path })
}

export async function remove(call: Call): Promise<Answer | Problem> {
  const { collection, id } = call.route
  return settled(call, async () => {
    const held = await load(call)
    if (isProblem(held)) return held
    if (held === null) return absent
    if (collection.can.delete?.(call.context.caller, held.value) === false) return forbidden(collection)
    const failed = preconditions(call, held)
    if (failed !== null) return failed
    const result = (await collection.handlers.remove?.(id ?? '', held.version, call.context)) ?? 'changed'
    return result === 'removed' ? answer(204) : result
  })
}

export async function act(call: Call): Promise<Answer | Problem> {
  const { action, id, collection } = call.route
  if (action === null) throw new Error('an action was routed without its plan')
  const admitted = action.admit(call.input.body, call.input.prefer.has('handling=lenient'))
  if ('faults' in admitted) return invalid(admitted.faults)
  const entry = id === null ? null : await load(call)
  if (isProblem(entry)) return entry
  if (id !== null && entry === null) return absent
  if (entry !== null && collection.can.update?.(call.context.caller, entry.value) === false)
    return forbidden(collection)
  const result = await action.plan.run(admitted.value as never, call.context, entry)
  if (isProblem(result)) return result
  return result === null ? answer(204) : jsonAnswer(200, result, { 'cache-control': 'no-store' })
}

async function load({ route, context }: Call): Promise<Stored | Problem | null> {
  const found = (await route.collection.handlers.get?.(route.id ?? '', context)) ?? null
  return isProblem(found) ? found : owned(found, context)
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
function wholeBody(call: Call, present: JsonObject | null): JsonObject | Problem {
  const body = writable(call, call.input.body)
  if (isProblem(body)) return body
  const faults = readOnlyFaults(call.route.collection.shape, call.input.body as JsonObject, present)
  return faults.length > 0 ? invalid(faults) : body
}

/** RFC 7396: the patch is merged first, and what comes out must be a whole valid resource. */
function mergedBody(call: Call, present: JsonObject): JsonObject | Problem {
  const { shape } = call.route.collection
  const patch = objectBody(call)
  if (isProblem(patch)) return patch
  const faults = readOnlyFaults(shape, patch, present)
  if (faults.length > 0) return invalid(faults)
  const shownNow = Object.fromEntries(
    Object.entries(present).filter(([name]) => Object.hasOwn(propertiesOf(shape.read), name)),
  )
  return writable(call, mergePatch(shownNow, patch))
}

function writable({ route, input }: Call, value: Json): JsonObject | Problem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnObject
  const { shape } = route.collection
  const given = Object.fromEntries(Object.entries(value).filter(([name]) => !shape.readOnly.includes(name)))
  const admitted = shape.admit(given, input.prefer.has('handling=lenient'))
  return 'faults' in admitted ? invalid(admitted.faults) : admitted.value
}

function objectBody({ input }: Call): JsonObject | Problem {
  const { body } = input
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : notAnObject
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
