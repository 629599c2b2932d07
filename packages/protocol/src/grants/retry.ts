/** A retry: the same request once more, because its answer was lost. One for another scope, say, is none. */
import { type AuthorizationDetail, detailDigest } from '../authorization-details/detail.ts'
import { audienceOf } from '../oauth/audience.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Policy } from '../oauth/policy.ts'
import { formatScope, isWithin, noScope, parseScope, type Scope } from '../oauth/scope.ts'
import type { Instant } from '../types.ts'
import type { Entitlement } from './entitlement.ts'
import type { RefreshFacts } from './grant.ts'

/**
 * Whether what is presented again was spent a moment ago, and its successor not yet used. The distance counts in both
 * directions: a token spent far in the future, by a clock that was set back since, was not spent a moment ago.
 */
export const isRetry = (
  { spentAt, successorSpentAt }: Pick<RefreshFacts, 'spentAt' | 'successorSpentAt'>,
  policy: Policy,
  now: Instant,
): boolean =>
  spentAt !== null && successorSpentAt === null && Math.abs(now - spentAt) <= policy.refreshRetryWindow * 1000

type Issued = Pick<Entitlement, 'scope' | 'resource' | 'details'>

/**
 * What a code or token is spent for, as it is stored: audience and scopes in one line, since neither holds a space, and
 * the digest of each detail in a line of its own.
 */
export const spentFor = ({ scope, resource, details = [] }: Issued, issuer: string): string =>
  [`${audienceOf({ resource }, issuer)} ${formatScope(scope)}`, ...details.map(detailDigest)].join('\n')

interface Retry {
  /** What the first request brought. */
  readonly before: string | null
  /** The `scope` and `authorization_details` that this one asks for; null where it names none. */
  readonly asked: { readonly scope: Scope | null; readonly authorizationDetails: readonly AuthorizationDetail[] | null }
  readonly issued: Issued
}

/**
 * Null where it is the same request. A scope or detail that the client lost between the two requests is not issued
 * again, and that alone is no reason to refuse, unless this request names it.
 */
export function retryRefusal({ before, asked, issued }: Retry, issuer: string): Refusal | null {
  if (before === null) return null
  const [line = '', ...digests] = before.split('\n')
  const [audience = '', ...names] = line.split(' ')
  if (audience !== audienceOf(issued, issuer)) return { reason: 'retry_of_another_resource' }
  const scopeBefore = parseScope(names.join(' ')) ?? noScope
  const isSameScope =
    isWithin(issued.scope, scopeBefore) && (asked.scope === null || isWithin(scopeBefore, issued.scope))
  if (!isSameScope) return { reason: 'retry_of_another_scope' }
  const details = new Set((issued.details ?? []).map(detailDigest))
  const detailsBefore = new Set(digests)
  const areSameDetails =
    details.isSubsetOf(detailsBefore) && (asked.authorizationDetails === null || detailsBefore.isSubsetOf(details))
  return areSameDetails ? null : { reason: 'retry_of_other_details' }
}
