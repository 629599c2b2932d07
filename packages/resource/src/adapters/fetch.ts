/** The Fetch adapter: an API as a function from Request to Response. */
import type { ScopeNeed } from '../guard.ts'
import type { ApiRequest, BodyRead } from '../http.ts'
import { type ProtectOptions, protection } from '../protect.ts'
import type { ResourceServer } from '../resource-server.ts'
import type { Caller } from '../validator.ts'

export interface FetchInfo {
  /** The address of the client, where the platform knows it. */
  readonly ip?: string
  readonly certificateThumbprint?: string
}

export function fetchHandler(api: ResourceServer): (request: Request, info?: FetchInfo) => Promise<Response> {
  return async (request, info = {}) => {
    const { status, headers, body } = await api.handle(toApiRequest(request, info))
    return new Response(body, { status, headers })
  }
}

export type GuardedHandler = (request: Request, caller: Caller) => Response | Promise<Response>

/** The guard alone: `guardFetch(options, 'invoices:read', (request, caller) => …)`. */
export function guardFetch(
  options: ProtectOptions,
  need: ScopeNeed,
  handler: GuardedHandler,
): (request: Request) => Promise<Response> {
  const { admit } = protection(options, need)
  return async (request) => {
    const { method, url, headers } = request
    const admission = await admit({ authorization: headers.get('authorization'), request: { method, url } }, method)
    if ('caller' in admission) return handler(request, admission.caller)
    const { refused } = admission
    return new Response(refused.body, { status: refused.status, headers: refused.headers })
  }
}

function toApiRequest(request: Request, info: FetchInfo): ApiRequest {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    headers: [...request.headers],
    ip: info.ip ?? null,
    body: (limit) => drain(request.body, limit),
    ...(info.certificateThumbprint === undefined ? {} : { certificateThumbprint: info.certificateThumbprint }),
  }
}

/** Stops at the limit: what is larger is neither kept nor read to its end. */
async function drain(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<BodyRead> {
  if (stream === null) return { ok: true, bytes: new Uint8Array() }
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of stream) {
      length += chunk.length
      if (length > limit) return { ok: false, why: 'too_large' }
      chunks.push(chunk)
    }
  } catch {
    return { ok: false, why: 'cut_short' }
  }
  return { ok: true, bytes: Buffer.concat(chunks) }
}
