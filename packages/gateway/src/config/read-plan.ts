/** Reads the file of a gateway: a plan, or everything that is wrong with it. */
import { isLoopbackHost, type QuotaPolicy } from '@grantor/protocol/http'
import { certificateHeaderFormats } from '@grantor/protocol/mtls'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import { clientCertHeaderProblem } from '@grantor/resource'
import { proxyAddressProblem } from '@grantor/resource/addresses'
import { matchedSegments, readTarget } from '../routing/request-target.ts'
import type { Route } from '../routing/routes.ts'
import { type FieldProblem, Fields } from './fields.ts'
import {
  type AuthorizationPlan,
  type ClientPlan,
  type FeedPlan,
  defaultLimits,
  type GatewayPlan,
  type LimitsPlan,
  type McpPlan,
} from './gateway-plan.ts'
import { readPolicy } from './read-policy.ts'

export function readGatewayPlan(value: Json): Result<GatewayPlan, readonly FieldProblem[]> {
  const problems: FieldProblem[] = []
  const file = new Fields(value, '', problems)
  const client = readClient(file)
  const audience = readAddress(file, 'audience')
  const plan: GatewayPlan = {
    issuer: readAddress(file, 'issuer'),
    tenants: file.flag('tenants'),
    audience,
    name: file.text('name') ?? (URL.canParse(audience) ? new URL(audience).host : 'api'),
    upstream: readUpstream(file),
    ca: file.text('ca'),
    client,
    feed: readFeed(file, client),
    host: file.text('host') ?? '127.0.0.1',
    tls: readTls(file),
    routes: file.objects('routes').map(readRoute),
    openapi: file.text('openapi'),
    quota: readQuota(file),
    policy: readPolicy(file, readAddress),
    insufficientScopeStatus: file.choice('insufficient_scope_status', [401, 403], 401),
    authorization: readAuthorization(file, client),
    origins: readOrigins(file),
    clientCertHeader: readCertHeader(file),
    trustProxy: readTrustProxy(file),
    apiKeys: file.flag('api_keys'),
    limits: readLimits(file),
    mcp: readMcp(file, audience),
  }
  if (plan.tls === null && !isLoopback(plan.host))
    file.refuse('host', 'needs tls: plain HTTP is spoken on loopback only')
  if (plan.routes.length === 0 && plan.openapi === null && plan.mcp === null && !plan.feed.relay)
    file.refuse('routes', 'is missing: name routes, an openapi document or mcp; what is not listed is refused')
  if (plan.mcp !== null && plan.upstream === null) file.refuse('mcp', 'needs upstream: messages are read on their way')
  if (plan.apiKeys && client === null) file.refuse('api_keys', 'needs client: it introspects keys')
  file.end()
  return problems.length === 0 ? ok(plan) : err(problems)
}

export const isLoopback = (host: string): boolean => isLoopbackHost(host) || host === '::1'

/** TLS, but for loopback, which is not a network. */
function readAddress(file: Fields, name: string): string {
  const text = file.requiredText(name)
  const url = URL.canParse(text) ? new URL(text) : null
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (text !== '' && (!safe || url.hash !== '' || url.username !== ''))
    file.refuse(name, 'must be an https address (http on loopback only)')
  return text
}

function readUpstream(file: Fields): string | null {
  const text = file.text('upstream')
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const plain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (!plain || !/^https?:$/.test(url.protocol)) {
    file.refuse('upstream', 'must be http or https with host and port, and without a path')
    return null
  }
  return url.origin
}

function readClient(file: Fields): ClientPlan | null {
  const fields = file.object('client')
  if (fields === null) return null
  const id = fields.has('id') ? fields.requiredText('id') : fields.requiredText('client_id')
  const secret = fields.text('secret') ?? fields.text('client_secret')
  const secretFile = fields.text('secret_file') ?? fields.text('client_secret_file')
  fields.end()
  if ((secret === null) === (secretFile === null)) file.refuse('client', 'needs client_secret or client_secret_file')
  return { id, secret, secretFile }
}

/** A relay that reads from a relay is one more step between the issuer and a validator, and nothing else. */
function readFeed(file: Fields, client: ClientPlan | null): FeedPlan {
  const fields = file.object('feed')
  if (fields === null) return { address: null, relay: false }
  const plan = { address: fields.has('address') ? readAddress(fields, 'address') : null, relay: fields.flag('relay') }
  if (client === null) file.refuse('feed', 'needs client: it reads the feed')
  if (plan.address?.endsWith('/') === true) fields.refuse('address', 'ends with a slash')
  fields.end()
  return plan
}

function readTls(file: Fields): GatewayPlan['tls'] {
  const fields = file.object('tls')
  if (fields === null) return null
  const tls = { cert: fields.requiredText('cert'), key: fields.requiredText('key') }
  fields.end()
  return tls
}

/** RFC 6749 §3.3. */
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/
const method = /^[A-Z][A-Z-]{0,30}$/

export function readScopes(fields: Fields, name: string): readonly string[] {
  const scopes = fields.texts(name) ?? []
  if (!scopes.every((scope) => scopeToken.test(scope))) fields.refuse(name, 'holds what is no scope')
  return scopes
}

function readRoute(fields: Fields): Route {
  const path = readPath(fields, fields.requiredText('path'))
  const isPublic = fields.flag('public')
  if (isPublic && fields.has('scopes')) fields.refuse('scopes', 'stands beside public: a route has one of them')
  if (!isPublic && !fields.has('scopes'))
    fields.refuse('scopes', 'is missing; [] asks for a token with any scope, public: true for none')
  const methods = fields.texts('methods')?.map((name) => name.toUpperCase()) ?? null
  if (methods?.every((name) => method.test(name)) === false) fields.refuse('methods', 'holds what is no method')
  const scopes = readScopes(fields, 'scopes')
  fields.end()
  return {
    path,
    kind: path.includes('{') ? 'template' : 'prefix',
    methods: methods === null ? null : new Set(methods),
    need: isPublic ? null : [scopes],
  }
}

/** In the form that requests are compared in; a template's `{name}` stands for any one segment. */
export function readPath(fields: Fields, path: string): string {
  const target = readTarget(
    encodeURI(path)
      .replaceAll(/%7B[^/]*?%7D/g, 'x')
      .replaceAll('%25', '%'),
  )
  if (path !== '' && (target.kind === 'error' || target.value.query !== ''))
    fields.refuse('path', 'must be a path: /, /v1/orders or /v1/orders/{id}')
  // What was meant as a pattern would hold for nothing, and a wider route for what it was to fence off.
  else if (/[*{}]/.test(path.replaceAll(/\{[^{}/]+\}/g, '')))
    fields.refuse('path', 'covers what lies below it without a *; {name} stands for one segment')
  return target.kind === 'ok' && !path.includes('{') ? target.value.path : path
}

function readQuota(file: Fields): QuotaPolicy | null {
  const fields = file.object('quota')
  if (fields === null) return null
  const quota = {
    name: 'client',
    quota: fields.count('requests', 600, 1e9),
    window: fields.count('seconds', 60, 86_400),
  }
  fields.end()
  return quota
}

function readAuthorization(file: Fields, client: ClientPlan | null): AuthorizationPlan {
  const kind = file.choice('authorization', ['forward', 'remove', 'introspection'], 'forward')
  const fields = file.object('exchange')
  if (fields === null) {
    if (kind === 'introspection' && client === null) file.refuse('authorization', 'needs client: it introspects tokens')
    return { kind }
  }
  if (file.has('authorization')) file.refuse('authorization', 'stands beside exchange: give one of them')
  if (client === null) file.refuse('exchange', 'needs client: it exchanges tokens')
  const audience = fields.requiredText('audience')
  const scopes = fields.has('scopes') ? readScopes(fields, 'scopes') : null
  fields.end()
  return { kind: 'exchange', audience, scopes }
}

function readOrigins(file: Fields): GatewayPlan['origins'] {
  const fields = file.object('cors')
  if (fields === null) return []
  const origins = fields.texts('origins') ?? []
  fields.end()
  return origins.includes('*') ? '*' : origins
}

function readCertHeader(file: Fields): GatewayPlan['clientCertHeader'] {
  const fields = file.object('client_cert_header')
  if (fields === null) return null
  const format = fields.choice('format', certificateHeaderFormats, 'rfc9440')
  const header = { name: fields.requiredText('name'), format, proxies: fields.texts('proxies') ?? [] }
  const problem = clientCertHeaderProblem(header)
  if (problem !== null) file.refuse('client_cert_header', problem)
  fields.end()
  return header
}

function readTrustProxy(file: Fields): readonly string[] {
  const words = file.texts('trust_proxy') ?? []
  for (const problem of words.map(proxyAddressProblem)) if (problem !== null) file.refuse('trust_proxy', problem)
  return words
}

function readLimits(file: Fields): LimitsPlan {
  const fields = file.object('limits')
  if (fields === null) return defaultLimits
  const limits = {
    headers: fields.count('headers', defaultLimits.headers, 1_048_576),
    body: fields.count('body', defaultLimits.body),
    request: fields.count('request', defaultLimits.request, 86_400),
    firstByte: fields.count('first_byte', defaultLimits.firstByte, 86_400),
    idle: fields.count('idle', defaultLimits.idle, 86_400),
    streamIdle: fields.count('stream_idle', defaultLimits.streamIdle, 604_800),
    connections: fields.count('connections', defaultLimits.connections, 1_000_000),
  }
  fields.end()
  return limits
}

function readMcp(file: Fields, audience: string): McpPlan | null {
  const fields = file.object('mcp')
  if (fields === null) return null
  const byName = (name: string) => fields.object(name)?.textsByName() ?? new Map<string, readonly string[]>()
  const usual = URL.canParse(audience) ? new URL(audience).pathname : '/'
  const plan = {
    path: `/${matchedSegments(fields.text('path') ?? usual).join('/')}`,
    scopes: readScopes(fields, 'scopes'),
    tools: byName('tools'),
    resources: byName('resources'),
    prompts: byName('prompts'),
    methods: byName('methods'),
    filterLists: fields.flag('filter_lists'),
    policy: fields.flag('policy'),
  }
  if (plan.policy && !file.has('policy'))
    fields.refuse('policy', 'needs the policy service that the file does not name')
  fields.end()
  return plan
}
