/** The kinds of resources by their endpoints, and how each is shown. */
import type { Authority, ScimCollection, ScimResource } from '@grantor/authority'
import { groupSchema, project, type Projection, type ResourceSchema, userSchema } from '@grantor/protocol/scim'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'

export interface ServedCollection {
  readonly schema: ResourceSchema
  readonly acts: ScimCollection
  /** The attribute whose values are other resources, and what those are. */
  readonly refers: { readonly attribute: string; readonly to: ResourceSchema }
  /** RFC 7644 §3.5.2: whether a PATCH is answered with the resource even if the request names no attributes. */
  readonly showsPatched: boolean
}

export const servedCollections = ({ scim }: Pick<Authority, 'scim'>): readonly ServedCollection[] => [
  {
    schema: userSchema,
    acts: scim.users,
    refers: { attribute: 'groups', to: groupSchema },
    showsPatched: true,
  },
  // Adding one member must not send back all members of a large group.
  {
    schema: groupSchema,
    acts: scim.groups,
    refers: { attribute: 'members', to: userSchema },
    showsPatched: false,
  },
]

/** The resource with its location, restricted to the requested attributes. */
export function shown(
  { resource, id }: ScimResource,
  { schema, refers: { attribute, to } }: ServedCollection,
  { root, projection }: { readonly root: string; readonly projection: Projection },
): JsonObject {
  const meta = isJsonObject(resource['meta']) ? resource['meta'] : {}
  const located = { ...resource, meta: { ...meta, location: locationOf(root, schema, id) } }
  const values = located[attribute as keyof typeof located] as Json | undefined
  const whole = Array.isArray(values) ? { ...located, [attribute]: withAddresses(values, root, to) } : located
  return project(whole, schema, projection)
}

const withAddresses = (values: readonly Json[], root: string, to: ResourceSchema): readonly Json[] =>
  values.map((it) =>
    isJsonObject(it) && typeof it['value'] === 'string' ? { ...it, $ref: locationOf(root, to, it['value']) } : it,
  )

export const locationOf = (root: string, { endpoint }: ResourceSchema, id: string): string =>
  `${root}${endpoint}/${encodeURIComponent(id)}`
