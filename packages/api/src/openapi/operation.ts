/** One OpenAPI operation of a collection: the parts that all operations have, with problems, scopes and headers. */
import type { ProblemSlug, Version } from '@grantor/protocol/http'
import type { ScopeNeed } from '@grantor/resource'
import { scopesOf } from '@grantor/resource/http'
import type { Collection } from '../collection/collection.ts'
import { headerRefs, statusOf } from './components.ts'
import { type OpenApiNode, schemaName } from './node.ts'

export interface DescribedCollection {
  readonly collection: Collection
  readonly version: Version
  /** `/v1/orders` */
  readonly base: string
  readonly scopeStatus: 401 | 403
}

const always: readonly ProblemSlug[] = [
  'invalid-request',
  'unauthenticated',
  'insufficient-scope',
  'not-found',
  'method-not-allowed',
  'not-acceptable',
  'uri-too-long',
  'quota-exceeded',
  'headers-too-large',
  'internal',
  'authorization-state-unavailable',
]
export const withBody: readonly ProblemSlug[] = ['payload-too-large', 'unsupported-media-type']
export const onObject: readonly ProblemSlug[] = ['forbidden', 'precondition-failed']
export const onWrite: readonly ProblemSlug[] = ['conflict', 'idempotency-key-reused']
export const onChange: readonly ProblemSlug[] = [...onObject, ...onWrite, 'precondition-required']
export const shownHeaders = ['ETag', 'Last-Modified', 'Cache-Control']
export const quotaNames = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']
export const writtenNames = [...quotaNames, 'Idempotency-Replayed']

export interface OperationParts {
  readonly verb: string
  readonly summary: string
  readonly scope: ScopeNeed
  readonly parameters?: readonly OpenApiNode[]
  readonly requestBody?: OpenApiNode
  readonly answers: OpenApiNode
  readonly problems: readonly ProblemSlug[]
}

export function operation(
  { collection, version, scopeStatus }: DescribedCollection,
  parts: OperationParts,
): OpenApiNode {
  const statuses = [...new Set([...always, ...parts.problems].map((slug) => statusOf(slug, scopeStatus)))].sort(
    (a, b) => a - b,
  )
  const gone = version.sunsetAt === null ? [] : [410]
  return {
    operationId: `${collection.name.replaceAll('-', '_')}_${parts.verb}${version.name === 'v1' ? '' : `_${version.name}`}`,
    tags: [collection.name],
    summary: parts.summary,
    ...(version.deprecatedAt === null ? {} : { deprecated: true }),
    security: securityOf(parts.scope),
    ...(parts.parameters === undefined ? {} : { parameters: parts.parameters }),
    ...(parts.requestBody === undefined ? {} : { requestBody: parts.requestBody }),
    responses: {
      ...parts.answers,
      ...Object.fromEntries(
        [...statuses, ...gone].map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
      ),
    },
  }
}

/** For `any`, one security requirement for each scope; for `all`, one with all scopes (OpenAPI 3.1 §4.8.30). */
function securityOf(need: ScopeNeed): readonly OpenApiNode[] {
  if (typeof need !== 'string' && 'any' in need) return need.any.map((scope) => ({ oauth2: [scope] }))
  return [{ oauth2: scopesOf(need) }]
}

export function schemaRef({ version, collection }: DescribedCollection, view = ''): OpenApiNode {
  return { $ref: `#/components/schemas/${schemaName(version.name, collection.name)}${view}` }
}

export function jsonAnswer(
  description: string,
  schema: OpenApiNode,
  example: unknown,
  headers: readonly string[],
): OpenApiNode {
  return { description, headers: headerRefs(headers), content: { 'application/json': { schema, example } } }
}
