/** The caller who requested deferred work: stored with it, so that it is done in their name and shown only to them. */
import { createHash } from 'node:crypto'
import type { Caller } from '@grantor/resource'
import type { RequestContext } from '../collection/handlers.ts'

/** Identifies the owner of an operation: client, subject and tenant. Any token of theirs will do. */
export function ownerOf({ caller, tenant }: Pick<RequestContext, 'caller' | 'tenant'>): string {
  const { issuer, clientId, subject } = caller
  return createHash('sha256')
    .update(JSON.stringify([issuer, tenant, clientId, subject]))
    .digest('base64url')
}

/** A caller as JSON; older records have no authorization details. */
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
