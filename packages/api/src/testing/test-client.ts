/** Requests to an API without a network, as any caller, for tests. Tokens are real and are really checked. */
import { err, ok } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { createValidator } from '@grantor/resource'
import type { ApiResponse } from '@grantor/resource/http'
import { createTestIssuer, type TestIdentity, type TestIssuer } from '@grantor/resource/testing'
import type { ResourceServer } from '../serve/resource-server.ts'

export interface TestRequest {
  readonly method?: string
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent unchanged; anything else as JSON. */
  readonly body?: Json
  /** The caller; without it no token is sent. */
  readonly as?: TestIdentity
  readonly ip?: string
}

export interface TestResponse extends ApiResponse {
  /** The body, parsed. */
  json(): JsonObject
}

export interface TestClient {
  (request: TestRequest): Promise<TestResponse>
  /** Mints and revokes: `client.issuer.revoke(token)`. */
  readonly issuer: TestIssuer
  /** Stops the deferred work of the tested API. */
  close(): Promise<void>
}

/** The issuer in the process replaces the API's first issuer under its name, so that tenants have the same data. */
export function testClient(api: ResourceServer): TestClient {
  const issuer = createTestIssuer({ audience: api.audience, issuer: api.issuers[0] })
  const validator = createValidator({ audience: api.audience, issuers: [issuer.trust], serveStaleFor: 600 })
  const tested = api.with(validator)
  const client = async (request: TestRequest): Promise<TestResponse> => {
    const bytes = bodyOf(request)
    const { method = 'GET', url, as, headers = {}, ip = null } = request
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
  const close = async (): Promise<void> => {
    await tested.close()
    await validator.close()
  }
  return Object.assign(client, { issuer, close })
}

function bodyOf({ body }: TestRequest): Uint8Array {
  if (body === undefined) return new Uint8Array()
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
