/** Whether a token may look at an operation, which another token of the same client and person may have begun. */
import { isDeepStrictEqual } from 'node:util'
import type { Caller, ScopeNeed } from '@grantor/resource'
import { scopesOf } from '@grantor/resource/http'
import { callerOf } from './caller.ts'
import type { DeferredRequest } from './operation-store.ts'

/**
 * It holds whatever the call was allowed by: of `{ any: ['orders:read', 'orders:all'] }` all that the call held, because
 * what was done with one of them shows more than the other may see. Where that is not known it holds all the call did.
 */
export function mayLook({ need, caller: kept }: DeferredRequest, caller: Caller): boolean {
  const { scope, authorizationDetails } = callerOf(kept)
  const scopes = need === undefined ? [...scope] : scopesOf(need).filter((one) => scope.has(one))
  const details = authorizationDetails.filter(({ type }) => need === undefined || type === detailsOf(need))
  return (
    scopes.every((one) => caller.scope.has(one)) &&
    details.every((one) => caller.authorizationDetails.some((held) => isDeepStrictEqual(held, one)))
  )
}

const detailsOf = (need: ScopeNeed): string | null =>
  typeof need === 'object' && 'details' in need ? need.details : null
