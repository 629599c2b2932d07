/** Requests to one resource, or to all of a kind: RFC 7644 §3.3 to §3.6. */
import { type ScimCall, type ScimResource, type ScimResult, type ScimTarget, versionTag } from '@grantor/authority'
import { parseTagList, type TagList } from '@grantor/protocol/http'
import { everything, listResponse, type Projection, type ScimError } from '@grantor/protocol/scim'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { locationOf, type ServedCollection, shown } from './collections.ts'
import type { ListQuery } from './query.ts'
import { type ScimAnswer, scimAnswer, scimRefusal } from './scim-responder.ts'

/** The context of every request. */
export interface Serving {
  readonly collection: ServedCollection
  /** The URL of the service. */
  readonly root: string
  readonly call: ScimCall
}

export interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Null for a resource to be created. */
  readonly id: string | null
  readonly ifMatch: string | null
  readonly body: Json
  readonly projection?: Projection
}

/**
 * Whether a tag names the version. Weak and strong tags are equal, because a proxy that compresses weakens them. A tag
 * with a digest of members stored elsewhere must match these, too.
 */
async function names(tags: TagList, version: number, elsewhere: () => Promise<string | null>): Promise<boolean> {
  if (tags === '*') return true
  const named = tags.map(({ opaque }) => opaque.split('.')).filter(([of]) => of === String(version))
  if (named.length === 0 || named.some(([, shownElsewhere]) => shownElsewhere === undefined)) return named.length > 0
  const now = await elsewhere()
  return named.some(([, shownElsewhere]) => shownElsewhere === now)
}

/** Whether the client has exactly this representation already. */
const isKnown = (tags: TagList, resource: ScimResource): boolean =>
  tags === '*' || tags.some(({ opaque }) => `W/"${opaque}"` === versionTag(resource))

const targetOf = (id: string, ifMatch: string | null): ScimTarget => {
  const tags = ifMatch === null ? null : parseTagList(ifMatch)
  return { id, isMeant: tags === null ? null : (version, elsewhere) => names(tags, version, elsewhere) }
}

export type Written = ScimResult<ScimResource | null>

/** Carries out the write; null for a removed resource. */
export async function write({ collection, call }: Serving, it: WriteRequest): Promise<Written> {
  const { acts } = collection
  const { method, id, ifMatch, body } = it
  if (method === 'POST' || id === null) return acts.create(call, body)
  const target = targetOf(id, ifMatch)
  if (method === 'DELETE') return acts.remove(call, target)
  return method === 'PUT' ? acts.replace(call, target, body) : acts.patch(call, target, body)
}

export function writtenAnswer(
  written: Written,
  serving: Serving,
  { method, projection = everything }: WriteRequest,
): ScimAnswer {
  if (written.kind === 'error') return scimRefusal(written.error)
  if (written.value === null) return scimAnswer(204, null)
  const { root, collection } = serving
  const { id } = written.value
  const headers = { location: locationOf(root, collection.schema, id), etag: versionTag(written.value) }
  if (method === 'PATCH' && !collection.showsPatched && projection.only === null) return scimAnswer(204, null, headers)
  return scimAnswer(method === 'POST' ? 201 : 200, shown(written.value, collection, { root, projection }), headers)
}

export async function readOne(
  { collection, root, call }: Serving,
  id: string,
  { ifNoneMatch, projection }: { readonly ifNoneMatch: string | null; readonly projection: Projection },
): Promise<ScimAnswer> {
  const found = await collection.acts.find(call, id)
  if (found.kind === 'error') return scimRefusal(found.error)
  const headers = { location: locationOf(root, collection.schema, id), etag: versionTag(found.value) }
  if (ifNoneMatch !== null && isKnown(parseTagList(ifNoneMatch), found.value)) return scimAnswer(304, null, headers)
  return scimAnswer(200, shown(found.value, collection, { root, projection }), headers)
}

/** A page of one kind or of all kinds, concatenated to one list. */
export async function readMany(
  collections: readonly ServedCollection[],
  { root, call }: Omit<Serving, 'collection'>,
  { projection, ...query }: ListQuery,
): Promise<ScimAnswer> {
  let total = 0
  const refused: ScimError[] = []
  const resources: JsonObject[] = []
  for (const collection of collections) {
    const startIndex = Math.max(1, query.startIndex - total)
    const count = query.count - resources.length
    const page = await collection.acts.search(call, { ...query, startIndex, count })
    if (page.kind === 'error') {
      // A filter by an attribute of another kind matches no resource of this one.
      if (page.error.scimType !== 'invalidFilter' || collections.length === 1) return scimRefusal(page.error)
      refused.push(page.error)
      continue
    }
    resources.push(...page.value.found.map((it) => shown(it, collection, { root, projection })))
    total += page.value.total
  }
  const [error] = refused
  if (error !== undefined && refused.length === collections.length) return scimRefusal(error)
  return scimAnswer(200, listResponse(resources, { total, from: query.startIndex }))
}
