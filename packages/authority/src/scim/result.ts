/** What an act on provisioned people answers, in the words of SCIM. */
import { badRequest, type ScimError } from '@grantor/protocol/scim'
import { type Err, err, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'

export type ScimResult<T> = Result<T, ScimError>

/** A whole resource but for `meta.location`, which only HTTP knows, and the version that its entity tag tells. */
export interface ScimResource {
  readonly resource: JsonObject
  readonly id: string
  readonly version: number
  /** Stands for what is shown and kept elsewhere, members and groups, which come and go without a new version; '' for none. */
  readonly elsewhere: string
}

export interface ScimPage {
  readonly found: readonly ScimResource[]
  readonly total: number
}

/** RFC 7644 §3.4.2.4: from 1; how many at most. */
export interface ScimQuery {
  readonly filter: string | null
  readonly startIndex: number
  readonly count: number
}

export const absent = (id: string): Err<ScimError> => err({ status: 404, detail: `There is no resource ${id}.` })

export const taken = (what: string): Err<ScimError> =>
  err({ status: 409, scimType: 'uniqueness', detail: `${what} is taken.` })

/** RFC 7644 §3.14: somebody changed it since it was looked at. */
export const changedMeanwhile: Err<ScimError> = err({
  status: 412,
  detail: 'The resource was changed meanwhile. Read it again before trying again.',
})

export const forbidden = (detail: string): Err<ScimError> => err({ status: 403, detail })

export const tooMany = (detail: string): Err<ScimError> => badRequest('tooMany', detail)
