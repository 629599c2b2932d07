/** A call that passed all checks before its object: what an operation works with, and what operations share. */
import {
  type Conditions,
  evaluateConditions,
  httpDate,
  isConditionalWrite,
  isProblem,
  problem,
  type Problem,
  type SelectedRepresentation,
  versionTag,
  writeTag,
} from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { type Answer, answer, jsonAnswer } from '@grantor/resource/http'
import type { Collection } from '../collection/collection.ts'
import type { Context, Entry } from '../collection/handlers.ts'
import { propertiesOf } from '../collection/resource-schema.ts'
import type { Cursors } from '../list/cursor.ts'
import type { Input } from '../serve/request-input.ts'
import type { Route } from '../serve/routes.ts'
import type { Turns } from './keyed-mutex.ts'

export interface Call {
  readonly method: string
  readonly route: Route
  readonly input: Input
  readonly context: Context
  readonly cursors: Cursors
  readonly turns: Turns
  /** The query as sent, for links. */
  readonly search: string
}

export type Stored = Entry<JsonObject>

/** What is not the caller's tenant's is not there. */
export async function load({ route, context }: Call): Promise<Result<Stored | null, Problem>> {
  const found = (await route.collection.handlers.get?.(route.id ?? '', context)) ?? null
  if (isProblem(found)) return err(found)
  return ok(found?.tenant === context.tenant ? found : null)
}

export const absent: Problem = problem('not-found', 'There is no such resource.')

export function forbidden({ hideExistence }: Collection): Problem {
  return hideExistence ? absent : problem('forbidden', 'You may not do this to this resource.')
}

/** Only what the schema shows, in its order: what a handler adds for itself stays inside. */
export function representation({ shape }: Collection, value: JsonObject): JsonObject {
  const shown = Object.keys(propertiesOf(shape.read)).filter((name) => value[name] !== undefined)
  return Object.fromEntries(shown.map((name) => [name, value[name] as JsonObject[string]]))
}

export function selectedOf(entry: Stored): SelectedRepresentation {
  return { etag: versionTag(idOf(entry), entry.version), lastModified: entry.modifiedAt ?? null }
}

export function idOf({ value }: Stored): string {
  const { id } = value as { readonly id?: unknown }
  if (typeof id !== 'string') throw new TypeError('a resource has a text as its id')
  return id
}

/** RFC 9110 §15.4.5: a 304 carries what the 200 would have said of its validity. */
export function validators(collection: Collection, entry: Stored): Record<string, string> {
  const { etag, lastModified } = selectedOf(entry)
  return {
    etag: writeTag(etag),
    'cache-control': collection.cacheControl,
    ...(lastModified === null ? {} : { 'last-modified': httpDate(lastModified) }),
  }
}

export function shown(call: Call, status: number, entry: Stored, headers: Record<string, string> = {}): Answer {
  const { collection } = call.route
  const all = { ...validators(collection, entry), ...headers }
  const writing = call.method !== 'GET' && call.method !== 'HEAD'
  if (writing && call.input.prefer.has('return=minimal')) {
    // RFC 7240 §4.2.
    return answer(status === 200 ? 204 : status, { ...all, 'preference-applied': 'return=minimal', vary: 'Prefer' })
  }
  return jsonAnswer(status, representation(collection, entry.value), all)
}

/** RFC 6585 §3: 428 where a change must say what it is based on. Checked last, like 412. */
export function preconditions(call: Call, entry: Stored | null): Problem | null {
  const { concurrency } = call.route.collection
  if (concurrency === 'off') return null
  const { conditions } = call.input
  if (concurrency === 'required' && !isConditionalWrite(conditions)) return preconditionMissing(entry)
  const outcome = evaluateConditions(call.method, conditions, entry === null ? null : selectedOf(entry))
  return outcome === 'proceed' ? null : preconditionFailed(entry)
}

/** Would a second look at the resource be against what the client said? */
export function isConditional({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Conditions): boolean {
  return ifMatch !== null || ifNoneMatch !== null || ifUnmodifiedSince !== null
}

export function preconditionFailed(entry: Stored | null): Problem {
  return problem('precondition-failed', 'The resource is not in the state the request is based on.', {
    headers: entry === null ? {} : { etag: writeTag(selectedOf(entry).etag) },
  })
}

function preconditionMissing(entry: Stored | null): Problem {
  const header = entry === null ? 'if-none-match' : 'if-match'
  const detail = entry === null ? 'Send If-None-Match: *.' : 'Send If-Match with the ETag the change is based on.'
  return problem('precondition-required', detail, { errors: [{ header, code: 'required', detail }] })
}
