/** Reads the JSON body of a request to the shared signals endpoints: within limits, strictly. */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import { readRequestBody } from '@grantor/resource/http'
import type { ReceivedSsf } from './admission.ts'
import { type SsfAnswer, ssfRefusal } from './ssf-responder.ts'

/** Most bytes, and most levels of nesting. */
const most = { body: 65_536, depth: 8 }

export async function bodyOf({ request, headers }: ReceivedSsf): Promise<Result<Json, SsfAnswer>> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE') return ok(null)
  const refuse = (status: number, description: string): Result<never, SsfAnswer> =>
    err(ssfRefusal({ status, err: 'invalid_request', description }))
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' || (headers.get('content-encoding') ?? 'identity') !== 'identity')
    return refuse(415, 'A body is application/json, and not compressed.')
  const read = await readRequestBody(request, headers, most.body)
  if (read.kind === 'error') return refuse(read.error.status, read.error.detail)
  const bytes = Buffer.from(read.value)
  const json = isUtf8(bytes) ? readJson(bytes.toString('utf8'), most.depth) : null
  if (json === null) return refuse(400, 'The body is not UTF-8.')
  return json.kind === 'ok' ? ok(json.value) : refuse(400, json.error.detail)
}
