/** Errors of SCIM requests, in SCIM's own form: RFC 7644 §3.12. */
import { type Err, err } from '../result.ts'
import type { JsonObject } from '../types.ts'

/** RFC 7644 §3.12, table 9; `invalidVers` and `sensitive` do not occur here. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export interface ScimError {
  readonly status: number
  readonly scimType?: ScimType
  readonly detail: string
}

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** RFC 7644 §3.1: the media type of bodies. */
export const scimMediaType = 'application/scim+json'

export const badRequest = (scimType: ScimType, detail: string): Err<ScimError> => err({ status: 400, scimType, detail })

export const scimErrorDocument = ({ status, scimType, detail }: ScimError): JsonObject => ({
  schemas: [errorSchema],
  // A string, as the RFC requires.
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
})
