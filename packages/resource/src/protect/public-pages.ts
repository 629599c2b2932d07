/** The public pages that answers of a guard link to: resource metadata (RFC 9728) and problem types (RFC 9457). */
import { randomUUID } from 'node:crypto'
import { originForm, problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import { apiResponse, type ApiResponse, type Reply, renderResponse } from '../http/response.ts'
import { problemPageResponse, problemPages } from './problem-page.ts'
import { metadataPaths, resourceMetadata } from './resource-metadata.ts'

export interface PublicPagesOptions {
  /** The resource identifier, an https URL. */
  readonly audience: string
  readonly name: string
  readonly issuers: readonly [string, ...string[]]
  /** All scopes that clients may ask for. */
  readonly scopes: readonly string[]
  /** Types of authorization details that clients may ask for. */
  readonly detailTypes?: readonly string[]
  /** URL of the documentation for people. */
  readonly documentation?: string
}

export interface PublicPages {
  /** The paths of the metadata. */
  readonly metadataPaths: ReadonlySet<string>
  /** The paths of all public pages; a `*` at the end stands for any suffix. */
  readonly paths: readonly string[]
  /** null for a target that is no public page. */
  reply(method: string, target: string): Reply | null
  /** The same as a complete response. */
  answer(method: string, target: string): ApiResponse | null
}

const documentHeaders = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }

export function publicPages({ audience, ...facts }: PublicPagesOptions): PublicPages {
  const paths = metadataPaths(audience)
  const { origin } = new URL(audience)
  const document = JSON.stringify(resourceMetadata({ resource: audience, ...facts }))
  const reply = (method: string, target: string): Reply | null => {
    const [path = ''] = originForm(target).split('?')
    const page = paths.has(path) ? apiResponse(200, documentHeaders, document) : problemPageResponse(path)
    if (page === null || method === 'GET' || method === 'HEAD') return page === null ? null : ok(page)
    return err(problem('method-not-allowed', 'This page is only read.', { headers: { allow: 'GET, HEAD' } }))
  }
  return {
    metadataPaths: paths,
    paths: [...paths, `${problemPages}*`],
    reply,
    answer(method, target) {
      const found = reply(method, target)
      return found === null ? null : renderResponse(found, method, { origin, requestId: randomUUID() })
    },
  }
}
