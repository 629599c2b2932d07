/** Reads query, body, conditions and preferences of a request (406, 413, 415, 400). */
import {
  accepts,
  type Conditions,
  type RequestFault,
  isUtf8,
  type ListQuery,
  parseConditions,
  parseMediaType,
  problem,
  type Problem,
  readJson,
  readListQuery,
  readQuery,
  refuseParameters,
} from '@grantor/protocol/http'
import { err, type Err, ok, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import { type ApiRequest, type RequestHeaders, readRequestBody } from '@grantor/resource/http'
import type { Operation, Route } from './routes.ts'

export interface RequestInput {
  /** For lists. */
  readonly query: ListQuery | null
  /** For operations that write: parsed, not yet checked against a schema. */
  readonly body: Json | null
  readonly conditions: Conditions
  readonly prefer: ReadonlySet<string>
}

export interface ParsedHead {
  readonly request: ApiRequest
  readonly headers: RequestHeaders
  /** The query as sent, with its `?`. */
  readonly search: string
}

const writes: Partial<Record<Operation, readonly string[]>> = {
  create: ['application/json'],
  replace: ['application/json'],
  act: ['application/json'],
  // RFC 7396; plain JSON is also read as a merge patch, because clients send it so.
  patch: ['application/merge-patch+json', 'application/json'],
}

export const acceptPost = 'application/json'
export const acceptPatch = 'application/merge-patch+json, application/json'

export async function readRequestInput(
  route: Route,
  head: ParsedHead,
  bodyLimit: number,
): Promise<Result<RequestInput, Problem>> {
  const { headers, search } = head
  const type = route.view?.type ?? 'application/json'
  if (!accepts(headers.get('accept'), type)) {
    return err(problem('not-acceptable', `This operation answers with ${type}.`))
  }
  const body = await readJsonBody(route, head, bodyLimit)
  if (body.kind === 'error') return body
  const query = readQuery(search)
  if (query.kind === 'error') return queryProblem(query.error)
  const given: Pick<RequestInput, 'body' | 'conditions' | 'prefer'> = {
    body: body.value,
    conditions: parseConditions((name) => headers.get(name)),
    prefer: preferences(headers.get('prefer')),
  }
  if (route.operation === 'list') {
    const list = readListQuery(query.value, route.collection.list)
    return list.kind === 'ok' ? ok({ ...given, query: list.value }) : queryProblem(list.error)
  }
  const unknown = refuseParameters(query.value)
  return unknown.length > 0 ? queryProblem(unknown) : ok({ ...given, query: null })
}

async function readJsonBody(
  route: Route,
  { request, headers }: ParsedHead,
  limit: number,
): Promise<Result<Json, Problem>> {
  const types = writes[route.operation]
  if (types === undefined) return ok(null)
  const type = parseMediaType(headers.get('content-type') ?? '')
  const coded = headers.get('content-encoding')
  if (type === null || !types.includes(type.essence) || !isUtf8(type) || (coded !== null && coded !== 'identity')) {
    const headers = route.operation === 'patch' ? { 'accept-patch': acceptPatch } : { 'accept-post': acceptPost }
    const detail = `This operation reads ${types.join(' or ')}, in UTF-8 and not encoded.`
    return err(problem('unsupported-media-type', detail, { headers }))
  }
  const bytes = await readRequestBody(request, headers, limit)
  if (bytes.kind === 'error') return bytes
  const text = utf8(bytes.value)
  const read = text === null ? null : readJson(text, undefined, 'kept')
  if (read === null) return err(problem('invalid-request', 'The body is not UTF-8.', { code: 'malformed_json' }))
  if (read.kind === 'ok') return read
  const { code, detail } = read.error
  const more = { code: code === 'malformed_json' ? code : 'invalid_request', errors: [read.error] }
  return err(problem('invalid-request', detail, more))
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** RFC 7240 §2: names and values are tokens; parameters and unknown preferences are ignored. */
function preferences(header: string | null): ReadonlySet<string> {
  if (header === null) return new Set()
  const parts = header.split(',').map((part) => part.split(';')[0] ?? '')
  return new Set(parts.map((part) => part.replaceAll(/[\s"]/g, '').toLowerCase()))
}

function queryProblem(errors: readonly RequestFault[]): Err<Problem> {
  const unknown = errors.some(({ code }) => code === 'unknown')
  const code = unknown ? 'unknown_parameter' : 'invalid_parameter'
  return err(problem('validation-error', 'The query does not fit this operation.', { code, errors }))
}
