/** What the answers of a guard name and anyone may read: the metadata of the resource (RFC 9728), the pages behind `type` (RFC 9457). */
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
  /** Everything that may be asked for. */
  readonly scopes: readonly string[]
  /** Types of authorization details that may be asked for. */
  readonly detailTypes?: readonly string[]
  /** Where people read about it. */
  readonly documentation?: string
}

export interface PublicPages {
  /** Where the metadata is. */
  readonly metadataPaths: ReadonlySet<string>
  /** All of them, `*` at the end meaning any rest. */
  readonly paths: readonly string[]
  /** null for a target that is none of them. */
  reply(method: string, target: string): Reply | null
  /** The same, ready to be sent. */
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
