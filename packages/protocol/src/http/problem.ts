/** Problem details as a value and as a document: RFC 9457. */
import type { JsonObject } from '../types.ts'
import { type ProblemSlug, type ProblemType, problemTypes } from './problem-types.ts'

/** One thing wrong with a request, and where: in the body (RFC 6901 pointer as a fragment), the query, or a header. */
export type RequestFault = {
  readonly code: string
  readonly detail: string
} & ({ readonly pointer: string } | { readonly parameter: string } | { readonly header: string })

/** No JSON holds a symbol: what a caller sent, and a handler hands back as it is, is never taken for a problem of ours. */
const problemKind: unique symbol = Symbol.for('@grantor/protocol problem')

/** A refusal at a resource API. A value: it is returned, never thrown. */
export interface Problem {
  readonly kind: typeof problemKind
  readonly slug: ProblemSlug
  readonly status: number
  readonly code: string
  /** For people; no secrets, nothing of a token, nothing of our insides. */
  readonly detail: string
  readonly errors?: readonly RequestFault[]
  /** RFC 9457 §3.2: further members; they never replace a standard one. */
  readonly members?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

export interface ProblemDetails {
  /** Only for `insufficient-scope` (401 by docs/conventions.md, 403 by RFC 6750) does a type have two statuses. */
  readonly status?: number
  readonly code?: string
  readonly errors?: readonly RequestFault[]
  readonly members?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

export function problem(slug: ProblemSlug, detail: string, more: ProblemDetails = {}): Problem {
  const type: ProblemType = problemTypes[slug]
  return {
    kind: problemKind,
    slug,
    detail,
    ...more,
    status: more.status ?? type.status,
    code: more.code ?? type.codes[0],
  }
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === problemKind
}

export interface ProblemContext {
  /** `https://host` of the API: the pages behind `type` are there; null where there are none. */
  readonly origin: string | null
  /** The id of this request, a UUID; it is also in `X-Request-Id` and in the log. */
  readonly requestId: string
}

/** RFC 9457 §3.1. Member order is fixed, so that equal problems are equal bytes. */
export function problemDocument(problem: Problem, { origin, requestId }: ProblemContext): JsonObject {
  const type: ProblemType = problemTypes[problem.slug]
  const standard: JsonObject = {
    // RFC 9457 §4.2.1: no type where no page is behind it; `code` tells the kind all the same.
    type: origin === null ? 'about:blank' : (type.uri ?? `${origin}/problems/${problem.slug}`),
    title: type.title,
    status: problem.status,
    detail: problem.detail,
    instance: `urn:uuid:${requestId}`,
    code: problem.code,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  }
  return { ...standard, ...problem.members, ...standard }
}

/** RFC 6585 §3 and §4 forbid caches to keep 428 and 429; nothing about a caller or a fault of ours may be kept either. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const fleeting = [401, 403, 428, 429].includes(problem.status) || problem.status >= 500
  return {
    'content-type': 'application/problem+json',
    ...(fleeting ? { 'cache-control': 'no-store' } : {}),
    ...problem.headers,
  }
}
