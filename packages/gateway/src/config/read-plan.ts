/** Reads the file of a gateway: a plan, or all its problems. */
import type { QuotaPolicy } from '@grantor/protocol/http'
import { certificateHeaderFormats } from '@grantor/protocol/mtls'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json } from '@grantor/protocol/types'
import { clientCertHeaderProblem } from '@grantor/resource'
import { proxyAddressProblem } from '@grantor/resource/addresses'
import { originProblem } from '@grantor/resource/http'
import { matchedSegments } from '../routing/request-target.ts'
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
import { isLoopback, readAddress, readIssuer, readUpstream } from './read-addresses.ts'
import { readPolicy } from './read-policy.ts'
import { readPath, readRoute, readScopes, scopeToken } from './read-route.ts'

export function readGatewayPlan(value: Json): Result<GatewayPlan, readonly FieldProblem[]> {
  const problems: FieldProblem[] = []
  const file = new Fields(value, '', problems)
  const client = readClient(file)
  const audience = readAddress(file, 'audience')
  const plan: GatewayPlan = {
    issuer: readIssuer(file),
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
    serveStaleFor: file.has('serve_stale_for') ? file.count('serve_stale_for', 1, 86_400) : null,
    policy: readPolicy(file),
    insufficientScopeStatus: file.choice('insufficient_scope_status', [401, 403], 401),
    authorization: readAuthorization(file, client),
    origins: readOrigins(file),
    clientCertHeader: readCertHeader(file),
    trustProxy: readTrustProxy(file),
    apiKeys: file.flag('api_keys'),
    metricsScope: readMetricsScope(file),
    limits: readLimits(file),
    mcp: readMcp(file, audience),
  }
  if (plan.tls === null && !isLoopback(plan.host))
    file.refuse('host', 'needs tls: plain HTTP is spoken on loopback only')
  if (plan.routes.length === 0 && plan.openapi === null && plan.mcp === null && !plan.feed.relay)
    file.refuse('routes', 'is missing: name routes, an openapi document or mcp; what is not listed is refused')
  if (plan.mcp !== null && plan.upstream === null) file.refuse('mcp', 'needs upstream: messages are read on their way')
  if (plan.serveStaleFor === null && plan.routes.some(({ onStale }) => onStale === 'serve'))
    file.refuse('serve_stale_for', 'is missing: a route that serves by stale state says for how many seconds')
  if (client === null && (plan.serveStaleFor !== null || plan.routes.some(({ onStale }) => onStale !== undefined)))
    file.refuse('client', 'is missing: without it no news of revocations is heard that could be stale')
  if (plan.apiKeys && client === null) file.refuse('api_keys', 'needs client: it introspects keys')
  file.end()
  return problems.length === 0 ? ok(plan) : err(problems)
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

/** `address` and `relay` may be combined: a relay that reads from a relay only adds a step. */
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
  if (origins.includes('*')) return '*'
  for (const problem of origins.map(originProblem)) if (problem !== null) fields.refuse('origins', problem)
  return origins
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

function readMetricsScope(file: Fields): string | null {
  const scope = file.text('metrics_scope')
  if (scope !== null && !scopeToken.test(scope)) file.refuse('metrics_scope', 'is no scope')
  return scope
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
  const path = readPath(fields, fields.text('path') ?? usual)
  if (path.includes('{')) fields.refuse('path', 'is one path, without parameters')
  const plan = {
    path: `/${matchedSegments(path).join('/')}`,
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
