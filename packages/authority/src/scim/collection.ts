/** The verbs of a kind of SCIM resources: the same for people and for groups. */
import type { Actor } from '@grantor/protocol/events'
import type { Json } from '@grantor/protocol/types'
import type { Origin } from '../events.ts'
import type { ScimPage, ScimQuery, ScimResource, ScimResult } from './result.ts'

/** Who asks, from where, and for what. */
export interface ScimCall {
  readonly by: Actor
  readonly origin: Origin
  /** Whether an attribute is to be shown: the members of a group and the groups of a person are looked for only then. */
  wants(attribute: string): boolean
}

/** A resource, and which of its versions is meant (If-Match); null for whichever there is. */
export interface ScimTarget {
  readonly id: string
  /** `elsewhere` looks for what is shown and kept elsewhere (as in ScimResource); null where it is too much to show. */
  readonly isMeant: ((version: number, elsewhere: () => Promise<string | null>) => Promise<boolean> | boolean) | null
}

/** The same verbs for every kind of resource. */
export interface ScimCollection {
  find(call: ScimCall, id: string): Promise<ScimResult<ScimResource>>
  search(call: ScimCall, query: ScimQuery): Promise<ScimResult<ScimPage>>
  create(call: ScimCall, body: Json): Promise<ScimResult<ScimResource>>
  replace(call: ScimCall, target: ScimTarget, body: Json): Promise<ScimResult<ScimResource>>
  patch(call: ScimCall, target: ScimTarget, body: Json): Promise<ScimResult<ScimResource>>
  remove(call: ScimCall, target: ScimTarget): Promise<ScimResult<null>>
}
