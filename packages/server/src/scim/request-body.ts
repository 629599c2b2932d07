/** Reads the JSON body of a request to the SCIM service: of either media type, within limits, strictly. */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import { badRequest, scimBounds, type ScimError, scimMediaType } from '@grantor/protocol/scim'
import type { Json } from '@grantor/protocol/types'
import { readRequestBody } from '@grantor/resource/http'
import type { ReceivedScim } from './admission.ts'

const accepted: ReadonlySet<string> = new Set([scimMediaType, 'application/json'])

export async function scimBody({ request, headers }: ReceivedScim): Promise<Result<Json, ScimError>> {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (!accepted.has(type) || encoding !== 'identity')
    return err({ status: 415, detail: `A body is ${scimMediaType} or application/json, and not compressed.` })
  const read = await readRequestBody(request, headers, scimBounds.body)
  if (read.kind === 'error') return err({ status: read.error.status, detail: read.error.detail })
  const bytes = Buffer.from(read.value)
  const json = isUtf8(bytes) ? readJson(bytes.toString('utf8'), scimBounds.depth) : null
  if (json === null) return badRequest('invalidSyntax', 'The body is not UTF-8.')
  return json.kind === 'ok' ? ok(json.value) : badRequest('invalidSyntax', json.error.detail)
}
