/** What a client in ping mode is told, and by which token it knows us (CIBA §10.2): sealed, for both open something there. */
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { Vault } from '../ports/vault.ts'

export interface NotificationSecrets {
  readonly authReqId: string
  readonly token: string
}

interface NotifiedRequest {
  readonly tenant: TenantId
  readonly handle: Handle
}

const contextOf = ({ tenant, handle }: NotifiedRequest): string => `backchannel notification ${tenant} ${handle}`

export const sealNotification = (secrets: NotificationSecrets, of: NotifiedRequest, vault: Vault): Uint8Array =>
  vault.sealShortLived(Buffer.from(JSON.stringify(secrets)), contextOf(of))

/** Null where no key of ours opens it. */
export function openNotification(sealed: Uint8Array, of: NotifiedRequest, vault: Vault): NotificationSecrets | null {
  const plain = vault.open(sealed, contextOf(of))
  return plain === null ? null : (JSON.parse(Buffer.from(plain).toString()) as NotificationSecrets)
}
