/** Who asked for deferred work: kept with it, so that it is done in their name and shown to nobody else. */
import { createHash } from 'node:crypto'
import type { Caller } from '@grantor/resource'
import type { RequestContext } from '../collection/handlers.ts'

/** The same client for the same person in the same tenant; another token of theirs is as good. */
export function ownerOf({ caller, tenant }: Pick<RequestContext, 'caller' | 'tenant'>): string {
  const { issuer, clientId, subject } = caller
  return createHash('sha256')
    .update(JSON.stringify([issuer, tenant, clientId, subject]))
    .digest('base64url')
}

/** A caller as text can hold it; older texts know no details. */
export type KeptCaller = Omit<Caller, 'scope' | 'authorizationDetails'> & {
  readonly scope: readonly string[]
  readonly authorizationDetails?: Caller['authorizationDetails']
}

export const keptCaller = ({ scope, ...caller }: Caller): KeptCaller => ({ ...caller, scope: [...scope] })

export const callerOf = ({ scope, authorizationDetails = [], ...caller }: KeptCaller): Caller => ({
  ...caller,
  scope: new Set(scope),
  authorizationDetails,
})
