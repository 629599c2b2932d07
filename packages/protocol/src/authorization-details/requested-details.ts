/** Whether the requested details are acceptable: RFC 9396 §5. Undeclared types and members are refused. */
import { findResource } from '../oauth/catalogue.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { sameUri } from '../oauth/uri.ts'
import type { Client } from '../registration/client.ts'
import { err, ok, type Result } from '../result.ts'
import type { Json } from '../types.ts'
import type { AuthorizationDetailType } from './detail-type.ts'
import type { AuthorizationDetail } from './detail.ts'
import { fitsSchema } from './json-schema.ts'

export interface DetailContext {
  readonly client: Client
  readonly catalogue: Catalogue
}

export const detailTypeOf = (catalogue: Catalogue, { type }: AuthorizationDetail): AuthorizationDetailType | null =>
  catalogue.authorizationDetailTypes?.find((it) => it.type === type) ?? null

/** All of the details, or the refusal of the first invalid one. */
export function acceptableDetails(
  details: readonly AuthorizationDetail[],
  on: DetailContext,
): Result<readonly AuthorizationDetail[], Refusal> {
  for (const detail of details) {
    const refusal = detailRefusal(detail, on)
    if (refusal !== null) return err(refusal)
  }
  return ok(details)
}

/** RFC 9396 §5: an unknown type or member, a member of the wrong type, or a missing one. */
export function detailRefusal(detail: AuthorizationDetail, { client, catalogue }: DetailContext): Refusal | null {
  const type = detailTypeOf(catalogue, detail)
  if (type === null) return { reason: 'details_type_unknown' }
  if (client.metadata.authorization_details_types?.includes(type.type) !== true)
    return { reason: 'details_type_not_allowed' }
  const { type: _, locations, ...members } = detail
  if (!fitsSchema(members, type.schema)) return { reason: 'details_misfit' }
  return locations === undefined || areLocations(locations, type) ? null : { reason: 'details_of_another_resource' }
}

/** RFC 9396 §2.2: the locations of a detail must be among the resources of its type. */
const areLocations = (locations: Json, { resources }: AuthorizationDetailType): boolean =>
  Array.isArray(locations) &&
  locations.length > 0 &&
  (locations as readonly Json[]).every(
    (one) => typeof one === 'string' && resources.some((identifier) => sameUri(identifier, one)),
  )

/** The declared identifiers of the resources that a detail applies to: those it names, else all of its type. */
export function placesOf(detail: AuthorizationDetail, catalogue: Catalogue): readonly string[] {
  const named = detail['locations'] as readonly string[] | undefined
  const places = named ?? detailTypeOf(catalogue, detail)?.resources ?? []
  return places.flatMap((place) => findResource(catalogue, place)?.identifier ?? [])
}
