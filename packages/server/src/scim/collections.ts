/** The kinds of resources by their addresses, and how each is shown. */
import type { Authority, ScimCollection, ScimResource } from '@grantor/authority'
import { project, type Projection, type ResourceSchema, userSchema } from '@grantor/protocol/scim'
import { isJsonObject, type JsonObject } from '@grantor/protocol/types'

export interface ServedCollection {
  readonly schema: ResourceSchema
  readonly acts: ScimCollection
}

export const servedCollections = ({ scim }: Pick<Authority, 'scim'>): readonly ServedCollection[] => [
  { schema: userSchema, acts: scim.users },
]

/** With its address, and of its attributes those that were asked for. */
export function shown(
  { resource, id }: ScimResource,
  { schema }: ServedCollection,
  { root, projection }: { readonly root: string; readonly projection: Projection },
): JsonObject {
  const meta = isJsonObject(resource['meta']) ? resource['meta'] : {}
  const located = { ...resource, meta: { ...meta, location: locationOf(root, schema, id) } }
  return project(located, schema, projection)
}

export const locationOf = (root: string, { endpoint }: ResourceSchema, id: string): string =>
  `${root}${endpoint}/${encodeURIComponent(id)}`
