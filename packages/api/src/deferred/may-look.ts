/** Whether a token may see an operation that another token of the same client and subject may have started. */
import { isDeepStrictEqual } from 'node:util'
import type { Caller, ScopeNeed } from '@grantor/resource'
import { scopesOf } from '@grantor/resource/http'
import { callerOf } from './caller.ts'
import type { DeferredRequest } from './operation-store.ts'

/**
 * The token must hold all scopes that allowed the original request: of `{ any: ['orders:read', 'orders:all'] }` each
 * one that request held, because a result obtained with one may show more than the other allows. Where the need was not
 * recorded, it must hold all scopes and details of that request.
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
