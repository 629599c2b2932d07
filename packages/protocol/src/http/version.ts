/** API versions and their end: Deprecation (RFC 9745), Sunset (RFC 8594), and 410 afterwards. */
import type { Instant } from '../types.ts'
import { httpDate } from './http-date.ts'
import { sfDate } from './structured.ts'

export interface VersionPlan {
  /** The first segment of the path: `v1`. */
  readonly name: string
  readonly deprecatedAt?: Instant
  /** Absent: 365 days after `deprecatedAt`. */
  readonly sunsetAt?: Instant
  /** The version to move to: `v2`. */
  readonly successor?: string
  /** A page that explains how to migrate. */
  readonly guide?: string
}

export interface Version {
  readonly name: string
  readonly deprecatedAt: Instant | null
  readonly sunsetAt: Instant | null
  readonly successor: string | null
  readonly guide: string | null
}

const day = 86_400_000
const defaultWindow = 365 * day
const shortestWindow = 180 * day

/** Throws for a plan that breaks a promise: RFC 9745 §4 requires the sunset not to precede the deprecation. */
export function plannedVersion(plan: VersionPlan): Version {
  const { name, deprecatedAt = null, successor = null, guide = null } = plan
  const broken = (what: string): never => {
    throw new RangeError(`version ${name}: ${what}`)
  }
  if (!/^v[1-9]\d{0,3}$/.test(name)) broken('a version is named v1, v2, …')
  const sunsetAt = plan.sunsetAt ?? (deprecatedAt === null ? null : ((deprecatedAt + defaultWindow) as Instant))
  if (sunsetAt !== null) {
    if (deprecatedAt === null) return broken('a sunset needs a deprecation before it')
    if (sunsetAt < deprecatedAt) broken('the sunset lies before the deprecation')
    if (sunsetAt - deprecatedAt < shortestWindow) broken('between deprecation and sunset lie at least 180 days')
    if (successor === null) broken('a version with a sunset names its successor')
  }
  return { name, deprecatedAt, sunsetAt, successor, guide }
}

export function isGone({ sunsetAt }: Version, now: Instant): boolean {
  return sunsetAt !== null && now > sunsetAt
}

/**
 * For every answer of the version, errors and 304 included. `path` is the parts around the version: `['/base',
 * '/orders/1']`.
 */
export function versionHeaders(
  { deprecatedAt, sunsetAt, successor, guide }: Version,
  [before, behind]: readonly [string, string],
): Record<string, string> {
  if (deprecatedAt === null) return {}
  const links = [
    ...(guide === null ? [] : [`<${guide}>; rel="deprecation"; type="text/html"`]),
    ...(successor === null ? [] : [`<${before}/${successor}${behind}>; rel="successor-version"`]),
  ]
  return {
    deprecation: sfDate(deprecatedAt),
    ...(sunsetAt === null ? {} : { sunset: httpDate(sunsetAt) }),
    ...(links.length === 0 ? {} : { link: links.join(', ') }),
  }
}
