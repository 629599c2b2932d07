/**
 * The notification for a client in ping mode (CIBA §10.2), as it is stored: sealed, because its token and auth_req_id
 * are secrets.
 */
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { Vault } from '../ports/vault.ts'

export interface PingNotification {
  readonly authReqId: string
  /** The client's notification token, by which it recognises this server. */
  readonly token: string
}

/** Part of the seal: the notification of one request does not open as that of another. */
interface RequestName {
  readonly tenant: TenantId
  readonly handle: Handle
}

const contextOf = ({ tenant, handle }: RequestName): string => `backchannel notification ${tenant} ${handle}`

export const sealNotification = (it: PingNotification, of: RequestName, vault: Vault): Uint8Array =>
  vault.seal(Buffer.from(JSON.stringify([it.authReqId, it.token])), contextOf(of))

/** Null where none of our keys opens it. */
export function openNotification(sealed: Uint8Array, of: RequestName, vault: Vault): PingNotification | null {
  const plain = vault.open(sealed, contextOf(of))
  if (plain === null) return null
  const [authReqId, token] = JSON.parse(Buffer.from(plain).toString()) as readonly [string, string]
  return { authReqId, token }
}
