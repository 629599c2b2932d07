/** Requests without a network, as anyone: for the tests of people's own APIs. Tokens are real and really checked. */
import { err, ok } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { createValidator } from '@grantor/resource'
import type { ApiResponse } from '@grantor/resource/http'
import { createDevIssuer, type DevIdentity, type DevIssuer } from '@grantor/resource/testing'
import type { ResourceServer } from '../serve/resource-server.ts'

export interface Injection {
  readonly method?: string
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes as it is; anything else as JSON. */
  readonly body?: Json
  /** Who asks; without it no token is sent. */
  readonly as?: DevIdentity
  readonly ip?: string
}

export interface Injected extends ApiResponse {
  /** The body, parsed. */
  json(): JsonObject
}

export interface Injector {
  (injection: Injection): Promise<Injected>
  /** Mints and revokes: `inject.issuer.revoke(token)`. */
  readonly issuer: DevIssuer
}

/** The issuer in the process takes the place and the name of the API's first one, so tenants lie where they would. */
export function injector(api: ResourceServer): Injector {
  const issuer = createDevIssuer({ audience: api.audience, issuer: api.issuers[0] })
  const tested = api.with(createValidator({ audience: api.audience, issuers: [issuer.trust] }))
  const inject = async (injection: Injection): Promise<Injected> => {
    const bytes = bodyOf(injection)
    const { method = 'GET', url, as, headers = {}, ip = null } = injection
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const all = {
      ...(as === undefined ? {} : { authorization: `Bearer ${issuer.mint(as)}` }),
      ...(bytes.length === 0 ? {} : { 'content-type': type, 'content-length': String(bytes.length) }),
      ...headers,
    }
    const answer = await tested.handle({
      method,
      target: url,
      headers: Object.entries(all),
      ip,
      body: async (limit) => (bytes.length > limit ? err('too_large') : ok(bytes)),
    })
    return { ...answer, json: () => JSON.parse(answer.body ?? 'null') as JsonObject }
  }
  return Object.assign(inject, { issuer })
}

function bodyOf({ body }: Injection): Uint8Array {
  if (body === undefined) return new Uint8Array()
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
