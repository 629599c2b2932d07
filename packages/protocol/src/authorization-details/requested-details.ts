/** Whether details that are asked for may be asked for: RFC 9396 §5. Nothing of them is taken that is not declared. */
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

/** All of them, or the first that is wrong. */
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

/** RFC 9396 §5: an unknown type, an unknown member, a member of the wrong kind, or one that is missing. */
export function detailRefusal(detail: AuthorizationDetail, { client, catalogue }: DetailContext): Refusal | null {
  const type = detailTypeOf(catalogue, detail)
  if (type === null) return { reason: 'details_type_unknown' }
  if (client.metadata.authorization_details_types?.includes(type.type) !== true)
    return { reason: 'details_type_not_allowed' }
  const { type: _, locations, ...members } = detail
  if (!fitsSchema(members, type.schema)) return { reason: 'details_misfit' }
  return locations === undefined || areLocations(locations, type) ? null : { reason: 'details_of_another_resource' }
}

/** RFC 9396 §2.2: where a detail counts, of the places where its type does. */
const areLocations = (locations: Json, { resources }: AuthorizationDetailType): boolean =>
  Array.isArray(locations) &&
  locations.length > 0 &&
  (locations as readonly Json[]).every(
    (one) => typeof one === 'string' && resources.some((identifier) => sameUri(identifier, one)),
  )

/** The resources that a detail counts at, as they are declared: those it names, else all of its type. */
export function placesOf(detail: AuthorizationDetail, catalogue: Catalogue): readonly string[] {
  const named = detail['locations'] as readonly string[] | undefined
  const places = named ?? detailTypeOf(catalogue, detail)?.resources ?? []
  return places.flatMap((place) => findResource(catalogue, place)?.identifier ?? [])
}
