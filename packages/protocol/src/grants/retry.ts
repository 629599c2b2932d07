/** A retry is the same request once more: who asks for another scope, resource or detail is told so, and nothing is spent. */
import { type AuthorizationDetail, detailDigest } from '../authorization-details/detail.ts'
import { audienceOf } from '../oauth/audience.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { formatScope, isWithin, noScope, parseScope, type Scope } from '../oauth/scope.ts'
import type { Entitlement } from './entitlement.ts'

type Issued = Pick<Entitlement, 'scope' | 'resource' | 'details'>

/** What something is spent for. No URI holds a space, and no name of a scope does; digests of details follow a new line. */
export const spentFor = ({ scope, resource, details = [] }: Issued, issuer: string): string =>
  [`${audienceOf({ resource }, issuer)} ${formatScope(scope)}`, ...details.map(detailDigest)].join('\n')

interface Retry {
  /** What the first request brought. */
  readonly before: string | null
  /** The `scope` and `authorization_details` that this one asks for; null where it names none. */
  readonly asked: { readonly scope: Scope | null; readonly authorizationDetails: readonly AuthorizationDetail[] | null }
  readonly issued: Issued
}

/** Null where it is the same request. What was lost between the two it does not bring, and is not refused for. */
export function retryRefusal({ before, asked, issued }: Retry, issuer: string): Refusal | null {
  if (before === null) return null
  const [line = '', ...digests] = before.split('\n')
  const [audience = '', ...names] = line.split(' ')
  if (audience !== audienceOf(issued, issuer)) return { reason: 'retry_of_another_resource' }
  const scope = parseScope(names.join(' ')) ?? noScope
  const same = isWithin(issued.scope, scope) && (asked.scope === null || isWithin(scope, issued.scope))
  if (!same) return { reason: 'retry_of_another_scope' }
  const details = new Set((issued.details ?? []).map(detailDigest))
  const wanted = new Set(digests)
  const sameDetails = details.isSubsetOf(wanted) && (asked.authorizationDetails === null || wanted.isSubsetOf(details))
  return sameDetails ? null : { reason: 'retry_of_other_details' }
}
