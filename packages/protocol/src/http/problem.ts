/** Problem details (RFC 9457), as a value and as a document. */
import type { JsonObject } from '../types.ts'
import { type ProblemSlug, type ProblemType, problemTypes } from './problem-types.ts'

/** One fault of a request, with its place: in the body (RFC 6901 pointer as a fragment), the query, or a header. */
export type RequestFault = {
  readonly code: string
  readonly detail: string
} & ({ readonly pointer: string } | { readonly parameter: string } | { readonly header: string })

/**
 * JSON cannot contain a symbol: a value that a caller sent, and a handler returns unchanged, is never mistaken for a
 * problem.
 */
const problemKind: unique symbol = Symbol.for('@grantor/protocol problem')

/** A refusal at a resource API. A value: it is returned, never thrown. */
export interface Problem {
  readonly kind: typeof problemKind
  readonly slug: ProblemSlug
  readonly status: number
  readonly code: string
  /** For people; no secrets, nothing of a token, nothing internal. */
  readonly detail: string
  readonly errors?: readonly RequestFault[]
  /** RFC 9457 §3.2: additional members; they never replace a standard one. */
  readonly members?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

export interface ProblemDetails {
  /** Only `insufficient-scope` has two statuses (401 by docs/conventions.md, 403 by RFC 6750). */
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
  /** `https://host` of the API with the pages behind `type`; null where there are none. */
  readonly origin: string | null
  /** The id of this request, a UUID; it is also in `X-Request-Id` and in the log. */
  readonly requestId: string
}

/** RFC 9457 §3.1. Member order is fixed, so that equal problems are equal bytes. */
export function problemDocument(problem: Problem, { origin, requestId }: ProblemContext): JsonObject {
  const type: ProblemType = problemTypes[problem.slug]
  const standard: JsonObject = {
    // RFC 9457 §4.2.1: no type where it has no page; `code` still tells the kind.
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

/**
 * RFC 6585 §3 and §4 forbid caching 428 and 429; answers about a caller or a server fault must not be cached either.
 */
export function problemHeaders(problem: Problem): Record<string, string> {
  const fleeting = [401, 403, 428, 429].includes(problem.status) || problem.status >= 500
  return {
    'content-type': 'application/problem+json',
    ...(fleeting ? { 'cache-control': 'no-store' } : {}),
    ...problem.headers,
  }
}
