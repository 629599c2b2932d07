/** The parts of the description that all operations share: headers, and one response per problem type. */
import { problemDocument, problem, type ProblemSlug, type ProblemType, problemTypes } from '@grantor/protocol/http'
import type { OpenApiNode } from './node.ts'

const text = { type: 'string' }

export const headerComponents: OpenApiNode = {
  ETag: { description: 'Names this version of the resource; send it as If-Match or If-None-Match.', schema: text },
  'Last-Modified': { description: 'When the resource last changed.', schema: text },
  Location: { description: 'Where the new resource is.', schema: { type: 'string', format: 'uri-reference' } },
  Link: {
    description:
      'Of a list: the next and the first page (RFC 8288). Of a change: where to see what comes of it (`status`, RFC 8631).',
    schema: text,
  },
  'Cache-Control': { description: 'Who may keep the answer.', schema: text },
  RateLimit: { description: 'What is left of the quota: r units in t seconds.', schema: text },
  'RateLimit-Policy': { description: 'The quotas in force: q units in w seconds.', schema: text },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'What is wrong with the token, and where the metadata is.', schema: text },
  Allow: { description: 'The methods of this resource.', schema: text },
  'Accept-Patch': { description: 'The media types a PATCH may have.', schema: text },
  'Accept-Post': { description: 'The media types a POST may have.', schema: text },
  Deprecation: { description: 'Since when this version is deprecated (RFC 9745).', schema: text },
  Sunset: { description: 'When this version ends (RFC 8594).', schema: text },
  'Idempotency-Replayed': { description: '`true` where the answer is that of an earlier request.', schema: text },
  'X-Request-Id': { description: 'Identifies the request in our logs.', schema: { type: 'string', format: 'uuid' } },
}

/** Header names of a response, as references. */
export function headerRefs(names: readonly string[]): OpenApiNode {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const headersOf: Partial<Record<ProblemSlug, readonly string[]>> = {
  unauthenticated: ['WWW-Authenticate'],
  'invalid-token': ['WWW-Authenticate'],
  'insufficient-scope': ['WWW-Authenticate'],
  'insufficient-user-authentication': ['WWW-Authenticate'],
  'method-not-allowed': ['Allow'],
  'precondition-failed': ['ETag'],
  'unsupported-media-type': ['Accept-Patch', 'Accept-Post'],
  'quota-exceeded': ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
  'authorization-state-unavailable': ['Retry-After'],
}

/** OpenAPI has one response for each status, so problem types of the same status share it, with an example each. */
export function problemComponents(origin: string, scopeStatus: number): OpenApiNode {
  const byStatus = Map.groupBy(Object.keys(problemTypes) as ProblemSlug[], (slug) => statusOf(slug, scopeStatus))
  return Object.fromEntries(
    [...byStatus].map(([status, slugs]) => [`Problem${status}`, problemResponse(slugs, origin, scopeStatus)]),
  )
}

export function statusOf(slug: ProblemSlug, scopeStatus: number): number {
  return slug === 'insufficient-scope' ? scopeStatus : problemTypes[slug].status
}

function problemResponse(slugs: readonly ProblemSlug[], origin: string, scopeStatus: number): OpenApiNode {
  const codes = slugs.flatMap((slug) => (problemTypes[slug] as ProblemType).codes)
  return {
    description: slugs.map((slug) => problemTypes[slug].title).join('; '),
    headers: headerRefs([...new Set(['X-Request-Id', ...slugs.flatMap((slug) => headersOf[slug] ?? [])])]),
    content: {
      'application/problem+json': {
        schema: problemSchema([...new Set(codes)]),
        examples: Object.fromEntries(slugs.map((slug) => [slug, { value: exampleOf(slug, origin, scopeStatus) }])),
      },
    },
  }
}

function exampleOf(slug: ProblemSlug, origin: string, scopeStatus: number): OpenApiNode {
  const example = problem(slug, problemTypes[slug].explanation, { status: statusOf(slug, scopeStatus) })
  return problemDocument(example, { origin, requestId: '0192f0c4-0000-7000-8000-000000000000' })
}

/** RFC 9457 §3.1. */
function problemSchema(codes: readonly string[]): OpenApiNode {
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
    properties: {
      type: { type: 'string', format: 'uri' },
      title: text,
      status: { type: 'integer' },
      detail: text,
      instance: { type: 'string', format: 'uri' },
      code: { type: 'string', enum: codes },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['code', 'detail'],
          properties: { pointer: text, parameter: text, header: text, code: text, detail: text },
        },
      },
    },
  }
}
