/**
 * Makes the refresh token of an issuance: the first of a chain is random, each later one is derived from its
 * predecessor.
 */
import { type IssueDecision, successorOf } from '@grantor/protocol/grants'
import { formatScope } from '@grantor/protocol/oauth'
import type { Secret } from '@grantor/protocol/types'
import type { NewRefresh, Spend } from '@grantor/store'
import type { Ids } from '../ports/environment.ts'

export interface MintedRefreshToken {
  readonly token: Secret | null
  /** The row to store; null on a retry, where the successor is stored already. */
  readonly row: NewRefresh | null
  readonly spend: Spend | null
}

export function mintRefreshToken(
  { refresh, spend, grantId }: IssueDecision,
  { ids }: { readonly ids: Pick<Ids, 'secret' | 'handleOf' | 'salt'> },
): MintedRefreshToken {
  const token =
    refresh === null ? null : refresh.successorOf === null ? ids.secret('gr_') : successorOf(refresh.successorOf)
  const handle = token === null ? null : ids.handleOf(token)
  if (spend?.kind === 'device-retry') return { token, row: null, spend: { ...spend, successor: handle } }
  if (spend?.kind === 'retry') {
    if (handle === null) throw new Error('a retry always has a successor')
    return { token, row: null, spend: { ...spend, successor: handle } }
  }
  const row =
    refresh === null || handle === null || grantId === null
      ? null
      : { handle, grantId, scope: formatScope(refresh.scope), salt: ids.salt(), expiresAt: refresh.expiresAt }
  return { token, row, spend }
}
