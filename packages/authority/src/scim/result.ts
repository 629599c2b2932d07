/** The result of an act on provisioned people, in the terms of SCIM. */
import { badRequest, type ScimError } from '@grantor/protocol/scim'
import { type Err, err, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'

export type ScimResult<T> = Result<T, ScimError>

/**
 * A complete resource, except for `meta.location`, which only HTTP knows, and the version that its entity tag shows.
 */
export interface ScimResource {
  readonly resource: JsonObject
  readonly id: string
  readonly version: number
  /** A tag of the members or groups, which are stored elsewhere and change without a new version; '' for none. */
  readonly elsewhere: string
}

export interface ScimPage {
  readonly found: readonly ScimResource[]
  readonly total: number
}

/** RFC 7644 §3.4.2.4: startIndex begins at 1; count is the maximum. */
export interface ScimQuery {
  readonly filter: string | null
  readonly startIndex: number
  readonly count: number
}

export const absent = (id: string): Err<ScimError> => err({ status: 404, detail: `There is no resource ${id}.` })

export const taken = (what: string): Err<ScimError> =>
  err({ status: 409, scimType: 'uniqueness', detail: `${what} is taken.` })

/** RFC 7644 §3.14: the resource was changed since it was read. */
export const changedMeanwhile: Err<ScimError> = err({
  status: 412,
  detail: 'The resource was changed meanwhile. Read it again before trying again.',
})

export const forbidden = (detail: string): Err<ScimError> => err({ status: 403, detail })

export const tooMany = (detail: string): Err<ScimError> => badRequest('tooMany', detail)
