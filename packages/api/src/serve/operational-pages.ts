/** The list of an API's pages other than its collections. */
import { ok } from '@grantor/protocol/result'
import type { ScopeNeed, StalePolicy, Validator } from '@grantor/resource'
import { apiResponse, problemPageResponse, problemPages, type Reply } from '@grantor/resource/http'
import { type ApiMetrics, metricsContentType } from '../metrics.ts'
import { docsPage, docsPageHeaders } from '../openapi/docs-page.ts'
import { liveReply, readyReply } from './health.ts'

export interface OperationalPage {
  readonly template: string
  /** null: anyone may read it. */
  readonly scope: ScopeNeed | null
  show(): Reply | Promise<Reply>
}

export interface OperationalPagesPlan {
  /** The scope that /metrics needs. By default `metrics:read`; null: there is no such page. */
  readonly metrics?: ScopeNeed | null
  /** Serves /metrics without a token, to anyone who can reach the API: for loopback and closed networks. */
  readonly metricsPublicWithoutToken?: boolean
  /** By default true. */
  readonly problems?: boolean
  readonly health?: boolean
  /** The documentation page, at /docs. By default true. */
  readonly docs?: boolean
}

export interface OperationalPagesInput {
  readonly plan: OperationalPagesPlan
  readonly basePath: string
  readonly openapi: string
  readonly metadata: { readonly path: string; readonly document: string }
  readonly metrics: ApiMetrics
  readonly validator: Validator
  /** The policies of the collections for a stale revocation state. */
  readonly stalePolicies: readonly StalePolicy[]
}

export interface OperationalPages {
  find(path: string): OperationalPage | null
  /** For adapters: the paths of these pages; a `*` at the end stands for any suffix. */
  readonly paths: readonly string[]
}

export function createOperationalPages({
  plan,
  basePath,
  openapi,
  metadata,
  metrics,
  validator,
  stalePolicies,
}: OperationalPagesInput): OperationalPages {
  // Built on the first request, because most processes never serve this page.
  let made: string | null = null
  const docs = (): string => (made ??= docsPage(openapi, `${basePath}/openapi.json`))
  const cached = { 'cache-control': 'public, max-age=300' }
  const json = { 'content-type': 'application/json', ...cached }
  const publicPage = (template: string, show: () => Reply): OperationalPage => ({ template, scope: null, show })
  const scope = plan.metrics === undefined ? 'metrics:read' : plan.metrics
  const scrape = async (): Promise<Reply> =>
    ok(apiResponse(200, { 'content-type': metricsContentType, 'cache-control': 'no-store' }, await metrics.text()))
  const pages: readonly OperationalPage[] = [
    publicPage(`${basePath}/openapi.json`, () => ok(apiResponse(200, json, openapi))),
    ...(plan.docs === false
      ? []
      : [publicPage(`${basePath}/docs`, () => ok(apiResponse(200, { ...docsPageHeaders, ...cached }, docs())))]),
    publicPage(metadata.path, () => ok(apiResponse(200, json, metadata.document))),
    ...(scope === null
      ? []
      : [
          {
            template: `${basePath}/metrics`,
            scope: plan.metricsPublicWithoutToken === true ? null : scope,
            show: scrape,
          },
        ]),
    ...(plan.health === false
      ? []
      : [
          publicPage(`${basePath}/health/live`, () => liveReply),
          publicPage(`${basePath}/health/ready`, () => readyReply(validator, stalePolicies)),
        ]),
  ]
  const byPath = new Map(pages.map((page) => [page.template, page]))
  return {
    find(path) {
      const page = byPath.get(path)
      if (page !== undefined) return page
      const response = plan.problems === false ? null : problemPageResponse(path)
      return response === null ? null : publicPage(`${problemPages}{name}`, () => ok(response))
    },
    paths: [...byPath.keys(), ...(plan.problems === false ? [] : [`${problemPages}*`])],
  }
}
