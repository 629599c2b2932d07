/** A retry is the same request once more: who asks for another scope or resource is told so, and nothing is spent. */
import { audienceOf } from '../oauth/audience.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { formatScope, isWithin, noScope, parseScope, type Scope } from '../oauth/scope.ts'
import type { Entitlement } from './entitlement.ts'

type Issued = Pick<Entitlement, 'scope' | 'resource'>

/** What something is spent for. No URI holds a space, and no name of a scope does. */
export const spentFor = ({ scope, resource }: Issued, issuer: string): string =>
  `${audienceOf({ resource }, issuer)} ${formatScope(scope)}`

interface Retry {
  /** What the first request brought. */
  readonly before: string | null
  /** The `scope` that this one asks for; null where it names none. */
  readonly asked: Scope | null
  readonly issued: Issued
}

/** Null where it is the same request. What was lost between the two it does not bring, and is not refused for. */
export function retryRefusal({ before, asked, issued }: Retry, issuer: string): Refusal | null {
  if (before === null) return null
  const [audience = '', ...names] = before.split(' ')
  if (audience !== audienceOf(issued, issuer)) return { reason: 'retry_of_another_resource' }
  const scope = parseScope(names.join(' ')) ?? noScope
  const same = isWithin(issued.scope, scope) && (asked === null || isWithin(scope, issued.scope))
  return same ? null : { reason: 'retry_of_another_scope' }
}
