/** What a client in ping mode is told (CIBA §10.2), as it lies in the store until then: sealed, because both are secrets. */
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { Vault } from '../ports/vault.ts'

export interface PingNotification {
  readonly authReqId: string
  /** By which the client knows that we tell it. */
  readonly token: string
}

/** Part of the seal: what is told of one request does not open as that of another. */
interface RequestName {
  readonly tenant: TenantId
  readonly handle: Handle
}

const contextOf = ({ tenant, handle }: RequestName): string => `backchannel notification ${tenant} ${handle}`

export const sealNotification = (it: PingNotification, of: RequestName, vault: Vault): Uint8Array =>
  vault.seal(Buffer.from(JSON.stringify([it.authReqId, it.token])), contextOf(of))

/** Null where no key of ours opens it. */
export function openNotification(sealed: Uint8Array, of: RequestName, vault: Vault): PingNotification | null {
  const plain = vault.open(sealed, contextOf(of))
  if (plain === null) return null
  const [authReqId, token] = JSON.parse(Buffer.from(plain).toString()) as readonly [string, string]
  return { authReqId, token }
}
