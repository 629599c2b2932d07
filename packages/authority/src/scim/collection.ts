/** The operations of a kind of SCIM resources, the same for people and groups. */
import type { Actor } from '@grantor/protocol/events'
import type { Json } from '@grantor/protocol/types'
import type { Origin } from '../events.ts'
import type { ScimPage, ScimQuery, ScimResource, ScimResult } from './result.ts'

/** The actor, the origin and the wanted attributes of a request. */
export interface ScimCall {
  readonly by: Actor
  readonly origin: Origin
  /** Whether an attribute is wanted: the members of a group and the groups of a person are read only then. */
  wants(attribute: string): boolean
}

/** A resource, and the version that the request names (If-Match); null for whichever is current. */
export interface ScimTarget {
  readonly id: string
  /** `elsewhere` computes the tag of data stored elsewhere (as in ScimResource); null where there is too much of it. */
  readonly isMeant: ((version: number, elsewhere: () => Promise<string | null>) => Promise<boolean> | boolean) | null
}

/** The operations of every kind of resource. */
export interface ScimCollection {
  find(call: ScimCall, id: string): Promise<ScimResult<ScimResource>>
  search(call: ScimCall, query: ScimQuery): Promise<ScimResult<ScimPage>>
  create(call: ScimCall, body: Json): Promise<ScimResult<ScimResource>>
  replace(call: ScimCall, target: ScimTarget, body: Json): Promise<ScimResult<ScimResource>>
  patch(call: ScimCall, target: ScimTarget, body: Json): Promise<ScimResult<ScimResource>>
  remove(call: ScimCall, target: ScimTarget): Promise<ScimResult<null>>
}
