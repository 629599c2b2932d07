/** Bulk requests: RFC 7644 §3.7, ordered so that each operation comes after those whose bulkId it refers to. */
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json } from '../types.ts'
import { scimBounds } from './discovery.ts'
import { badRequest, type ScimError } from './error.ts'

export const bulkRequestSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
export const bulkResponseSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

export interface BulkOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly bulkId: string | null
  readonly version: string | null
  readonly data: Json
}

export interface BulkRequest {
  readonly operations: readonly BulkOperation[]
  /** After so many failures the remaining operations are skipped; null: never. */
  readonly failOnErrors: number | null
}

const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const text = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)

export function readBulk(body: Json): Result<BulkRequest, ScimError> {
  const { schemas, Operations: list, failOnErrors = 0 } = isJsonObject(body) ? body : {}
  if (!Array.isArray(schemas) || !schemas.includes(bulkRequestSchema))
    return badRequest('invalidSyntax', `schemas names ${bulkRequestSchema}.`)
  if (!Array.isArray(list)) return badRequest('invalidSyntax', 'Operations is a list.')
  if (list.length > scimBounds.bulkOperations)
    return err({
      status: 413,
      scimType: 'tooMany',
      detail: `A request has at most ${scimBounds.bulkOperations} operations.`,
    })
  if (!Number.isSafeInteger(failOnErrors) || Number(failOnErrors) < 0)
    return badRequest('invalidValue', 'failOnErrors is a whole number.')
  const operations: BulkOperation[] = []
  const ids = new Set<string>()
  for (const it of list as readonly Json[]) {
    const read = readBulkOperation(it)
    if (read.kind === 'error') return read
    const { bulkId } = read.value
    if (bulkId !== null && ids.has(bulkId)) return badRequest('invalidValue', 'A bulkId is given once.')
    if (bulkId !== null) ids.add(bulkId)
    operations.push(read.value)
  }
  return ok({ operations, failOnErrors: failOnErrors === 0 ? null : Number(failOnErrors) })
}

function readBulkOperation(it: Json): Result<BulkOperation, ScimError> {
  if (!isJsonObject(it)) return badRequest('invalidSyntax', 'An operation is an object.')
  const method = text(it['method'])?.toUpperCase() ?? ''
  const path = text(it['path'])
  const bulkId = text(it['bulkId'])
  if (!methods.has(method)) return badRequest('invalidSyntax', 'method is POST, PUT, PATCH or DELETE.')
  if (path === null || path.length > 512) return badRequest('invalidSyntax', 'path is the address of a resource.')
  if (method === 'POST' && bulkId === null) return badRequest('invalidSyntax', 'POST needs a bulkId.')
  return ok({
    method: method as BulkOperation['method'],
    path,
    bulkId,
    version: text(it['version']),
    data: it['data'] ?? null,
  })
}

const reference = /^bulkId:(.+)$/

/** The bulkIds to which an operation refers, in its path and its data. */
export function referencesIn({ path, data }: Pick<BulkOperation, 'path' | 'data'>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const part of path.split('/')) note(part, found)
  walk(data, (value) => note(value, found))
  return found
}

function note(value: string, found: Set<string>): void {
  const id = reference.exec(value)?.[1]
  if (id !== undefined) found.add(id)
}

function walk(value: Json, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value)
  else if (Array.isArray(value)) for (const it of value as readonly Json[]) walk(it, visit)
  else if (isJsonObject(value)) for (const it of Object.values(value)) walk(it, visit)
}

/** The same operation with the ids of the created resources. */
export function resolved(operation: BulkOperation, made: ReadonlyMap<string, string>): BulkOperation {
  const idOf = (value: string): string => made.get(reference.exec(value)?.[1] ?? '') ?? value
  return { ...operation, path: operation.path.split('/').map(idOf).join('/'), data: replaced(operation.data, idOf) }
}

function replaced(value: Json, idOf: (text: string) => string): Json {
  if (typeof value === 'string') return idOf(value)
  if (Array.isArray(value)) return (value as readonly Json[]).map((it) => replaced(it, idOf))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, replaced(it, idOf)]))
}
