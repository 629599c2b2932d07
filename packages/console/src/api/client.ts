/** The admin API as functions, typed by its own description; an answer that is no success is thrown as a problem. */
import createClient, { type Client } from 'openapi-fetch'
import { ApiProblem, problemOf } from './problem.ts'
import type { components, paths } from './schema.d.ts'

export type AdminApi = Client<paths, 'application/json'>
export type Schemas = components['schemas']

/** What was read, and the version it has: to be sent back with a change of it. */
export interface Versioned<T> {
  readonly value: T
  readonly etag: string | null
}

export const openAdminApi = (issuer: string, fetch: (request: Request) => Promise<Response>): AdminApi =>
  createClient<paths>({
    baseUrl: issuer,
    fetch,
    // `in` filters are lists with commas; openapi-fetch would repeat the name.
    querySerializer: { array: { style: 'form', explode: false } },
  })

interface Called<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly response: Response
}

export async function versioned<T>(call: Promise<Called<T>>): Promise<Versioned<T>> {
  const { data, error, response } = await call
  if (!response.ok) throw problemOf(response.status, error)
  // 204: what there is to know is that it was done.
  return { value: data as T, etag: response.headers.get('etag') }
}

export const answered = async <T>(call: Promise<Called<T>>): Promise<T> => (await versioned(call)).value

/** The version that a change is based on, as openapi-fetch takes headers. */
export const ifMatch = (etag: string | null): { readonly headers?: Record<string, string> } =>
  etag === null ? {} : { headers: { 'If-Match': etag } }

export const isChangedMeanwhile = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412
