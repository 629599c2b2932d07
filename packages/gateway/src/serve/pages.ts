/** The gateway's own pages: health, metrics, metadata, problems. */
import { createHash } from 'node:crypto'
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import { type ApiMetrics, liveReply, metricsContentType, problemPage, readyReply } from '@grantor/api'
import type { StalePolicy, Validator } from '@grantor/resource'
import { apiResponse, metadataPaths, type Reply, resourceMetadata } from '@grantor/resource/http'
import type { Route } from '../routing/routes.ts'

export interface GatewayPage {
  /** The route whose rules protect the page; null: anyone may read it. */
  readonly route: Route | null
  show(): Reply | Promise<Reply>
}

export interface PagesOptions {
  readonly audience: string
  readonly name: string
  readonly issuer: string
  readonly scopes: readonly string[]
  readonly metrics: ApiMetrics
  /** Who may read the metrics; a list: tokens with these scopes. */
  readonly metricsFor: 'anyone' | 'nobody' | readonly string[]
  readonly validator: Pick<Validator, 'ready' | 'canAccept' | 'faults'>
  /** The policies of the routes for a stale revocation state. */
  readonly stalePolicies: readonly StalePolicy[]
}

const problems = '/problems/'
const cached = { 'cache-control': 'public, max-age=300' }

export function createPages(options: PagesOptions): (path: string) => GatewayPage | null {
  const { audience, name, issuer, scopes, metrics, metricsFor, validator, stalePolicies } = options
  const document = JSON.stringify(resourceMetadata({ resource: audience, name, issuers: [issuer], scopes }))
  const etag = `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`
  const metadata: GatewayPage = {
    route: null,
    show: () => ok(apiResponse(200, { 'content-type': 'application/json', etag, ...cached }, document)),
  }
  const metricsPage = async (): Promise<Reply> =>
    ok(apiResponse(200, { 'content-type': metricsContentType, 'cache-control': 'no-store' }, await metrics.text()))
  const pages = new Map<string, GatewayPage>([
    ...[...metadataPaths(audience)].map((path) => [path, metadata] as const),
    ['/health/live', { route: null, show: () => liveReply }],
    ['/health/ready', { route: null, show: () => readyReply(validator, stalePolicies) }],
    // Never the API's own page of that name: a wide route would show it to whoever has a token.
    [
      '/metrics',
      metricsFor === 'nobody'
        ? { route: null, show: () => err(problem('not-found', 'Its metrics are not shown from here.')) }
        : { route: metricsFor === 'anyone' ? null : metricsRoute(metricsFor), show: metricsPage },
    ],
  ])
  return (path) => {
    const page = pages.get(path)
    if (page !== undefined || !path.startsWith(problems)) return page ?? null
    const html = problemPage(path.slice(problems.length))
    return html === null ? null : { route: null, show: () => ok(apiResponse(200, { ...pageHeaders, ...cached }, html)) }
  }
}

const metricsRoute = (scopes: readonly string[]): Route => ({
  path: '/metrics',
  kind: 'template',
  methods: null,
  need: [scopes],
})

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}
