/** A stored resource: reading a handler's result, whether the caller may see it, and its representation. */
import {
  httpDate,
  isProblem,
  problem,
  type Problem,
  type SelectedRepresentation,
  versionTag,
  writeTag,
} from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Caller } from '@grantor/resource'
import { type ApiResponse, apiResponse, jsonResponse } from '@grantor/resource/http'
import type { Collection } from '../collection/collection.ts'
import type { RequestContext, StoredResource } from '../collection/handlers.ts'
import { propertiesOf } from '../collection/resource-schema.ts'
import type { OperationRequest } from './operation-request.ts'

export type Resource = StoredResource<JsonObject>

/** Handlers may return a plain Problem; from here on it is the error of a Result. */
export function handlerResult<T>(returned: T): Result<Exclude<T, Problem>, Problem> {
  return isProblem(returned) ? err(returned) : ok(returned as Exclude<T, Problem>)
}

export async function loadResource({ route, context }: OperationRequest): Promise<Result<Resource | null, Problem>> {
  const found = handlerResult((await route.collection.handlers.get?.(route.id ?? '', context)) ?? null)
  // A resource of another tenant is treated as absent.
  return found.kind === 'ok' && found.value?.tenant !== context.tenant ? ok(null) : found
}

export const notFound: Problem = problem('not-found', 'There is no such resource.')

export function forbidden({ hideExistence }: Collection): Problem {
  return hideExistence ? notFound : problem('forbidden', 'You may not do this to this resource.')
}

/** A caller who may not read a resource may not change it either, because the answer to a change shows it. */
export function mayChange({ can }: Collection, caller: Caller, { value }: Resource): boolean {
  return can.read?.(caller, value) !== false && can.update?.(caller, value) !== false
}

/**
 * Throws if a handler returned a resource of another tenant: a bug in the handler, of which the caller learns nothing.
 */
export function assertTenant({ tenant }: Resource, context: RequestContext, what: string): void {
  if (tenant !== context.tenant) throw new Error(`${what} crossed the border of its tenant`)
}

/** Only the members of the schema, in its order; members that a handler adds for itself are not shown. */
export function representation({ schema }: Collection, value: JsonObject): JsonObject {
  const shown = Object.keys(propertiesOf(schema.read)).filter((name) => value[name] !== undefined)
  return Object.fromEntries(shown.map((name) => [name, value[name] as JsonObject[string]]))
}

export function selectedRepresentation(resource: Resource): SelectedRepresentation {
  return { etag: versionTag(idOf(resource), resource.version), lastModified: resource.modifiedAt ?? null }
}

export function idOf({ value }: Resource): string {
  const { id } = value as { readonly id?: unknown }
  if (typeof id !== 'string') throw new TypeError('a resource has a text as its id')
  return id
}

/** The headers that a 304 carries like the 200 would (RFC 9110 §15.4.5). */
export function validators(collection: Collection, resource: Resource): Record<string, string> {
  const { etag, lastModified } = selectedRepresentation(resource)
  return {
    etag: writeTag(etag),
    'cache-control': collection.cacheControl,
    ...(lastModified === null ? {} : { 'last-modified': httpDate(lastModified) }),
    ...(resource.lookAgainAfter === undefined ? {} : { 'retry-after': String(resource.lookAgainAfter) }),
  }
}

export function resourceResponse(
  { route, method, input }: OperationRequest,
  status: number,
  resource: Resource,
  headers: Record<string, string> = {},
): ApiResponse {
  const all = { ...validators(route.collection, resource), ...headers }
  const writing = method !== 'GET' && method !== 'HEAD'
  if (writing && input.prefer.has('return=minimal')) {
    // RFC 7240 §4.2.
    return apiResponse(status === 200 ? 204 : status, {
      ...all,
      'preference-applied': 'return=minimal',
      vary: 'Prefer',
    })
  }
  return jsonResponse(status, representation(route.collection, resource.value), all)
}
