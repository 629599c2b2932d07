/**
 * The key that signs requests to the hook of an API: derived, so that none is stored; another number gives another key.
 */
import { createHmac } from 'node:crypto'
import type { Resource } from '@grantor/protocol/oauth'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'

export interface HookKeyDependencies {
  readonly store: { readonly keys: Pick<Store['keys'], 'derived'> }
}

export const hookKey = (
  tenant: TenantId,
  { identifier, issuanceHook }: Pick<Resource, 'identifier' | 'issuanceHook'>,
  { store }: HookKeyDependencies,
): Uint8Array =>
  createHmac('sha256', store.keys.derived('issuance hooks'))
    .update(`${tenant}\0${identifier}\0${issuanceHook?.key ?? 1}`)
    .digest()
