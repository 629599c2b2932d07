/** The part of the granted details that one token carries: RFC 9396 §6, §7. */
import type { TokenTarget } from '../oauth/audience.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { err, ok, type Result } from '../result.ts'
import { type AuthorizationDetail, hasDetail } from './detail.ts'
import { type DetailContext, detailRefusal, placesOf } from './requested-details.ts'

interface DetailsOfToken {
  readonly granted: readonly AuthorizationDetail[]
  /** The `authorization_details` of the token request; null where there are none. */
  readonly asked: readonly AuthorizationDetail[] | null
  readonly target: TokenTarget
}

/**
 * The granted details of the token's resource whose type is still declared, still registered by the client and still
 * matches; of these, if the request names some, only those. A detail that differs from a granted one is never treated
 * as a subset.
 */
export function detailsOfToken(
  { granted, asked, target }: DetailsOfToken,
  on: DetailContext,
): Result<readonly AuthorizationDetail[], Refusal> {
  const alive = livingDetails(granted, on)
  const here = alive.filter((detail) => countsAt(detail, target, on))
  if (asked === null) return ok(here)
  if (!asked.every((detail) => hasDetail(alive, detail))) return err({ reason: 'details_exceed_grant' })
  if (!asked.every((detail) => hasDetail(here, detail))) return err({ reason: 'details_of_another_resource' })
  return ok(asked)
}

/** The granted details that could still be requested. */
export const livingDetails = (
  granted: readonly AuthorizationDetail[],
  on: DetailContext,
): readonly AuthorizationDetail[] => granted.filter((detail) => detailRefusal(detail, on) === null)

export const countsAt = (
  detail: AuthorizationDetail,
  { resource }: TokenTarget,
  { catalogue }: DetailContext,
): boolean => resource !== null && placesOf(detail, catalogue).includes(resource.identifier)
