/** A signal as a security event token (RFC 8417), signed with the key of its tenant when it is sent. */
import { jwtType } from '@grantor/protocol/jose'
import { setMediaType } from '@grantor/protocol/ssf'
import type { JsonObject } from '@grantor/protocol/types'
import type { EventDeliveryRow, ReceiverRow, TakenDelivery } from '@grantor/store'
import type { BoundedCache } from '../bounded-cache.ts'
import type { Directory } from '../directory.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Issuers } from '../ports/environment.ts'
import type { SignedMessage } from '../ports/outbound.ts'
import type { Vault } from '../ports/vault.ts'
import { webhookSecretContext } from '../webhooks/webhook-delivery.ts'
import { settingsOf } from './stream-settings.ts'

export interface SetDependencies {
  readonly directory: Pick<Directory, 'currentCatalogue'>
  readonly issuers: Issuers
  readonly keyring: Pick<Keyring, 'signer'>
  /** A cache of signed tokens, for receivers that fetch the same ones repeatedly. */
  readonly signed?: BoundedCache<string, string>
}

/** Null where the tenant is gone. RS256, which the CAEP Interoperability Profile §2.6 requires. */
export async function signedSet(
  { tenant, id, payload, madeAt }: EventDeliveryRow,
  to: ReceiverRow,
  { directory, issuers, keyring, signed }: SetDependencies,
): Promise<string | null> {
  const catalogue = await directory.currentCatalogue(tenant)
  if (catalogue === null) return null
  const signer = await keyring.signer(catalogue, 'RS256')
  const name = `${signer.kid} ${tenant} ${to.id} ${id}`
  const known = signed?.get(name)
  if (known !== undefined) return known
  const set = signer.sign(jwtType.securityEvent, {
    iss: issuers.issuerOf(tenant),
    // The same however often it is sent.
    jti: id,
    iat: Math.floor(madeAt / 1000),
    aud: settingsOf(to).clientId,
    ...(JSON.parse(payload) as JsonObject),
  })
  signed?.set(name, set)
  return set
}

/** RFC 8935 §2.1. Null where it cannot be signed, or none of our keys opens the header that it must carry. */
export async function pushedSet(
  delivery: TakenDelivery,
  deps: SetDependencies & { readonly vault: Vault },
): Promise<SignedMessage | null> {
  const { to } = delivery
  const content = await signedSet(delivery, to, deps)
  const header = to.sealedSecret === null ? null : deps.vault.open(to.sealedSecret, webhookSecretContext(to))
  if (content === null || (to.sealedSecret !== null && header === null)) return null
  const authorization = header === null ? {} : { authorization: Buffer.from(header).toString('utf8') }
  return { type: setMediaType, content, headers: { accept: 'application/json', ...authorization } }
}
