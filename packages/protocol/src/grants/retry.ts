/**
 * A retry: the same request again, because its answer was lost. A request for another scope, for example, is not a
 * retry.
 */
import { type AuthorizationDetail, detailDigest } from '../authorization-details/detail.ts'
import { audienceOf } from '../oauth/audience.ts'
import { type Binding, type Confirmation, noPossession, type Possession, tokenBinding } from '../oauth/confirmation.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Policy } from '../oauth/policy.ts'
import { formatScope, isWithin, noScope, parseScope, type Scope } from '../oauth/scope.ts'
import type { Client } from '../registration/client.ts'
import type { Result } from '../result.ts'
import type { Instant } from '../types.ts'
import type { Entitlement } from './entitlement.ts'
import type { Grant, RefreshFacts } from './grant.ts'

/**
 * Whether the presented token was spent a moment ago, and its successor is still unused. The time difference counts in
 * both directions: a token spent far in the future, by a clock that was set back since, is not a retry.
 */
export const isRetry = (
  { spentAt, successorSpentAt }: Pick<RefreshFacts, 'spentAt' | 'successorSpentAt'>,
  policy: Policy,
  now: Instant,
): boolean =>
  spentAt !== null && successorSpentAt === null && Math.abs(now - spentAt) <= policy.refreshRetryWindow * 1000

interface Sender {
  readonly client: Client
  readonly possession?: Possession
}

const bindingBy = (
  { client, possession = noPossession }: Sender,
  held: Confirmation | null,
): Result<Binding, Refusal> => tokenBinding({ client, possession, redeems: 'refresh', held })

/**
 * Whether the sender of a repeated request proves exactly the key that the successor is bound to (RFC 9449 §5). A
 * public client that proves another key, or a key where there was none, or none where there was one, may be somebody
 * else.
 */
export function isSameHolder(sender: Sender, { confirmation }: Grant): boolean {
  const binding = bindingBy(sender, confirmation)
  return binding.kind === 'ok' && binding.value.grant === null
}

/**
 * A line beside the digests: the spent token was bound to no key, and the request that spent it bound its successor.
 */
const beganBinding = 'began-binding'

/** Whether this request binds the successor of a refresh token that was bound to no key. */
export function beginsBinding(sender: Sender, { confirmation }: Grant): boolean {
  const binding = confirmation === null ? bindingBy(sender, null) : null
  return binding?.kind === 'ok' && binding.value.grant !== null
}

/**
 * The key that a presented refresh token is bound to: that of its grant, except for the token whose use began the
 * binding, which is bound to none. Its second use without the key is a replay, because either of its two users may be
 * the thief.
 */
export const confirmationOf = (
  { confirmation }: Pick<Grant, 'confirmation'>,
  spent: string | null | undefined,
): Confirmation | null => (spent?.split('\n').includes(beganBinding) === true ? null : confirmation)

type Issued = Pick<Entitlement, 'scope' | 'resource' | 'details'>

/**
 * What a code or token is spent for, as it is stored: audience and scopes in one line, since none contains a space, and
 * the digest of each detail in a line of its own.
 */
export const spentFor = ({ scope, resource, details = [] }: Issued, issuer: string, begins = false): string =>
  [
    `${audienceOf({ resource }, issuer)} ${formatScope(scope)}`,
    ...details.map(detailDigest),
    ...(begins ? [beganBinding] : []),
  ].join('\n')

interface Retry {
  /** What the first request yielded. */
  readonly before: string | null
  /** The `scope` and `authorization_details` of this request; null where it has none. */
  readonly asked: { readonly scope: Scope | null; readonly authorizationDetails: readonly AuthorizationDetail[] | null }
  readonly issued: Issued
}

/**
 * Null if it is the same request. A scope or detail that the client lost between the two requests is not issued again;
 * that is refused only if this request names it.
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
  const detailsBefore = new Set(digests.filter((line) => line !== beganBinding))
  const areSameDetails =
    details.isSubsetOf(detailsBefore) && (asked.authorizationDetails === null || detailsBefore.isSubsetOf(details))
  return areSameDetails ? null : { reason: 'retry_of_other_details' }
}
