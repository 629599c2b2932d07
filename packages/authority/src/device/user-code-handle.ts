/**
 * The handle by which a user code is found: a keyed hash, because all 20^8 codes could soon be tried against a plain
 * one.
 */
import { createHmac } from 'node:crypto'
import type { UserCode } from '@grantor/protocol/device'
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'

/** The key is derived from the database, so that every node has the same one, even when the master key is replaced. */
export const userCodeHandle = (tenant: TenantId, code: UserCode, { keys }: Pick<Store, 'keys'>): Handle =>
  createHmac('sha256', keys.derived('user codes')).update(`${tenant} ${code}`).digest('base64url') as Handle
