/** POST /Bulk: many changes in one request, each its own commit, ordered by their references (RFC 7644 §3.7). */
import { versionTag } from '@grantor/authority'
import {
  type BulkOperation,
  bulkResponseSchema,
  readBulk,
  referencesIn,
  resolved,
  type ScimError,
  scimErrorDocument,
} from '@grantor/protocol/scim'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { locationOf, type ServedCollection } from './collections.ts'
import { type Serving, write } from './resource-requests.ts'
import { resourceAt } from './routing.ts'
import { type ScimAnswer, scimAnswer, scimRefusal } from './scim-responder.ts'

interface Done {
  readonly document: JsonObject
  readonly failed: boolean
  /** The id of a created resource. */
  readonly id: string | null
}

export async function bulk(
  body: Json,
  serving: Omit<Serving, 'collection'>,
  collections: readonly ServedCollection[],
): Promise<ScimAnswer> {
  const read = readBulk(body)
  if (read.kind === 'error') return scimRefusal(read.error)
  const { operations, failOnErrors } = read.value
  const made = new Map<string, string>()
  const done = new Map<BulkOperation, Done>()
  let failures = 0
  const isOver = (): boolean => failOnErrors !== null && failures >= failOnErrors
  let waiting = [...operations]
  // Operations whose references are known, then those that waited for them. Circular references are refused in the end.
  for (let before = -1; waiting.length > 0 && waiting.length !== before && !isOver();) {
    before = waiting.length
    const later: BulkOperation[] = []
    for (const operation of waiting) {
      if (isOver()) break
      if (![...referencesIn(operation)].every((id) => made.has(id))) {
        later.push(operation)
        continue
      }
      const outcome = await perform(resolved(operation, made), serving, collections)
      done.set(operation, outcome)
      if (outcome.failed) failures++
      if (operation.bulkId !== null && outcome.id !== null) made.set(operation.bulkId, outcome.id)
    }
    waiting = later
  }
  if (!isOver()) for (const operation of waiting) done.set(operation, refused(operation, unresolved, serving))
  const answers = operations.flatMap((operation) => done.get(operation)?.document ?? [])
  return scimAnswer(200, { schemas: [bulkResponseSchema], Operations: answers })
}

/** RFC 7644 §3.7.1. */
const unresolved: ScimError = {
  status: 409,
  scimType: 'invalidValue',
  detail: 'It names a bulkId that was not made, or that waits for this one.',
}

const wrongPath: ScimError = {
  status: 400,
  scimType: 'invalidPath',
  detail: 'The path is no address for this method.',
}

const base = ({ method, bulkId }: BulkOperation): JsonObject => ({ method, ...(bulkId === null ? {} : { bulkId }) })

/** RFC 7644 §3.7: every answer has the location of its resource, except for one that was not created. */
const refused = (operation: BulkOperation, error: ScimError, { root }: Pick<Serving, 'root'>): Done => ({
  document: {
    ...base(operation),
    ...(operation.method === 'POST' ? {} : { location: `${root}${operation.path}` }),
    status: String(error.status),
    response: scimErrorDocument(error),
  },
  failed: true,
  id: null,
})

async function perform(
  operation: BulkOperation,
  serving: Omit<Serving, 'collection'>,
  collections: readonly ServedCollection[],
): Promise<Done> {
  const { method, path, version, data } = operation
  const at = resourceAt(path, collections)
  if (at === null || (at.id === null) !== (method === 'POST')) return refused(operation, wrongPath, serving)
  const { collection, id } = at
  const written = await write({ ...serving, collection }, { method, id, ifMatch: version, body: data })
  if (written.kind === 'error') return refused(operation, written.error, serving)
  const resource = written.value
  const location = locationOf(serving.root, collection.schema, resource?.id ?? id ?? '')
  const tag = resource === null ? {} : { version: versionTag(resource) }
  const status = resource === null ? '204' : method === 'POST' ? '201' : '200'
  return { document: { ...base(operation), location, ...tag, status }, failed: false, id: resource?.id ?? null }
}
