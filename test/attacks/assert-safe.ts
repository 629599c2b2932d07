/** What must hold of every answer, whatever was asked: no fault of ours, no insides shown, nobody sent astray. */
import assert from 'node:assert/strict'
import type { HttpResponse, HttpClient } from './http-client.ts'
import { api, objects, service } from './objects.ts'

/** RFC 6749 §4.1.2.1, §5.2, RFC 6750 §3.1, RFC 7009 §2.2.1, RFC 7591 §3.2.2, RFC 8707 §2, OIDC Core §3.1.2.6. */
const registry = new Set(
  `invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope invalid_target
  unsupported_token_type invalid_token insufficient_scope temporarily_unavailable unsupported_response_type
  access_denied login_required consent_required invalid_client_metadata invalid_redirect_uri`.split(/\s+/),
)

/** Stack frames, SQL, files, modules, secrets of ours. */
const insides = /\bat [\w.<>]+ \(|node:internal|node_modules|\/packages\/|\bSELECT .* FROM\b|SQLITE_|zz9canary|fastify/i

const registered = objects.clients.flatMap((client) => ('redirect_uris' in client ? client.redirect_uris : []))

export interface Bounds {
  /** Where the asking clients may be answered besides the registered addresses: a native client's own port. */
  readonly alsoAt?: string
}

export function assertSafe(what: string, answer: HttpResponse, { alsoAt }: Bounds = {}): void {
  const { status, headers, body } = answer
  const context = `${what.slice(0, 160)}: ${status} ${body.slice(0, 200)}`
  assert.ok(status >= 200 && status < 500, context)
  assert.doesNotMatch(body, insides, context)
  assert.equal(headers['server'], undefined, context)
  assert.equal(headers['x-powered-by'], undefined, context)
  const { location } = headers
  if (location !== undefined) assert.ok(isAllowed(location, alsoAt), `${context} leads to ${location}`)
  const type = headers['content-type'] ?? ''
  if (status < 400) return
  if (type.startsWith('application/problem+json')) return assertProblem(context, answer)
  assert.equal(headers['cache-control'], 'no-store', context)
  if (type.startsWith('application/json')) {
    const { error } = JSON.parse(body) as { error: string }
    assert.ok(registry.has(error), context)
  } else if (type.startsWith('text/html')) assertPage(context, headers)
  else assert.equal(body, '', context)
}

/** RFC 9457, at the API for administrators: RFC 6585 §3 keeps some of them out of caches. */
function assertProblem(context: string, { status, headers, body }: HttpResponse): void {
  const problem = JSON.parse(body) as { status: number; code: string }
  assert.equal(problem.status, status, context)
  assert.match(problem.code, /^[a-z_]+$/, context)
  if ([401, 403, 428, 429].includes(status)) assert.equal(headers['cache-control'], 'no-store', context)
  if (status === 401) assert.match(String(headers['www-authenticate']), /^Bearer /, context)
}

function isAllowed(location: string, alsoAt?: string): boolean {
  if (/^\/(?![/\\])/.test(location)) return true
  return [...registered, ...(alsoAt === undefined ? [] : [alsoAt])].some(
    (uri) => location.startsWith(uri) && /^[?&]/.test(location.slice(uri.length)),
  )
}

export function assertPage(context: string, headers: HttpResponse['headers'], framed = false): void {
  const policy = String(headers['content-security-policy'])
  for (const part of ["default-src 'none'", "base-uri 'none'", ...(framed ? [] : ["frame-ancestors 'none'"])]) {
    assert.ok(policy.includes(part), `${context}: ${policy}`)
  }
  assert.equal(headers['x-content-type-options'], 'nosniff', context)
  assert.equal(headers['referrer-policy'], 'no-referrer', context)
}

/** A clean request right after: whatever was done, the next one is served. */
export async function assertServes(http: HttpClient, base = ''): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'invoices:read', resource: api }
  const { status, body } = await http.send(`${base}/token`, { basic: service, form })
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { access_token: string }).access_token
}
