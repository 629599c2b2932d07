/** What a user code is found by: a keyed hash, because 20^8 codes are soon tried against a plain one. */
import { createHmac } from 'node:crypto'
import type { UserCode } from '@grantor/protocol/device'
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'

/** The key hangs on the database, so that every node has the same one, whatever becomes of the master key meanwhile. */
export const userCodeHandle = (tenant: TenantId, code: UserCode, { keys }: Pick<Store, 'keys'>): Handle =>
  createHmac('sha256', keys.derived('user codes')).update(`${tenant} ${code}`).digest('base64url') as Handle
