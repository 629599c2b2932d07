/** What a request brings beside its token: query, body, conditions, preferences. 406, 413, 415 and 400 come from here. */
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
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import { type ApiRequest, type Headers, readBody } from '@grantor/resource/http'
import type { Operation, Route } from './routes.ts'

export interface Input {
  /** For lists. */
  readonly query: ListQuery | null
  /** For operations that write: parsed, not yet checked against a schema. */
  readonly body: Json | null
  readonly conditions: Conditions
  readonly prefer: ReadonlySet<string>
}

export interface Arrived {
  readonly request: ApiRequest
  readonly headers: Headers
  /** The query as sent, with its `?`. */
  readonly search: string
}

const writes: Partial<Record<Operation, readonly string[]>> = {
  create: ['application/json'],
  replace: ['application/json'],
  act: ['application/json'],
  // RFC 7396; plain JSON is read as a merge patch too, because the seed says JSON body.
  patch: ['application/merge-patch+json', 'application/json'],
}

export const acceptPost = 'application/json'
export const acceptPatch = 'application/merge-patch+json, application/json'

export async function readInput(route: Route, arrived: Arrived, bodyLimit: number): Promise<Result<Input, Problem>> {
  const { headers, search } = arrived
  if (!accepts(headers.get('accept'), 'application/json')) {
    return err(problem('not-acceptable', 'This API answers with application/json.'))
  }
  const body = await readDocument(route, arrived, bodyLimit)
  if (body.kind === 'error') return body
  const query = readQuery(search)
  if (query.kind === 'error') return badQuery(query.error)
  const given: Pick<Input, 'body' | 'conditions' | 'prefer'> = {
    body: body.value,
    conditions: parseConditions((name) => headers.get(name)),
    prefer: preferences(headers.get('prefer')),
  }
  if (route.operation === 'list') {
    const list = readListQuery(query.value, route.collection.list)
    return list.kind === 'ok' ? ok({ ...given, query: list.value }) : badQuery(list.error)
  }
  const unknown = refuseParameters(query.value)
  return unknown.length > 0 ? badQuery(unknown) : ok({ ...given, query: null })
}

async function readDocument(
  route: Route,
  { request, headers }: Arrived,
  limit: number,
): Promise<Result<Json, Problem>> {
  const types = writes[route.operation]
  if (types === undefined) return ok(null)
  const type = parseMediaType(headers.get('content-type') ?? '')
  const coded = headers.get('content-encoding')
  if (type === null || !types.includes(type.essence) || !isUtf8(type) || (coded !== null && coded !== 'identity')) {
    const detail = `This operation reads ${types.join(' or ')}, in UTF-8 and not encoded.`
    const accept = route.operation === 'patch' ? { 'accept-patch': acceptPatch } : { 'accept-post': acceptPost }
    return err(problem('unsupported-media-type', detail, { headers: accept }))
  }
  const bytes = await readBody(request, headers, limit)
  if (bytes.kind === 'error') return bytes
  const text = utf8(bytes.value)
  const read = text === null ? null : readJson(text)
  if (read === null) return err(problem('invalid-request', 'The body is not UTF-8.', { code: 'malformed_json' }))
  if (read.kind === 'ok') return read
  const { code: fault, detail } = read.error
  const code = fault === 'malformed_json' ? fault : 'invalid_request'
  return err(problem('invalid-request', detail, { code, errors: [read.error] }))
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** RFC 7240 §2: names and values are tokens; parameters and what we do not know are passed over. */
function preferences(header: string | null): ReadonlySet<string> {
  if (header === null) return new Set()
  const parts = header.split(',').map((part) => part.split(';')[0] ?? '')
  return new Set(parts.map((part) => part.replaceAll(/[\s"]/g, '').toLowerCase()))
}

function badQuery(errors: readonly RequestFault[]): Err<Problem> {
  const unknown = errors.some(({ code }) => code === 'unknown')
  const code = unknown ? 'unknown_parameter' : 'invalid_parameter'
  return err(problem('validation-error', 'The query does not fit this operation.', { code, errors }))
}
