/**
 * An API key at an API of the issuer itself: looked up with every request, so that a revoked key stops working at once.
 */
import { type ApiKey, apiKeyTokenType, formatScope, isApiKey, keyFault, keyScope } from '@grantor/protocol/oauth'
import { addressBlock, isWithinBlocks } from '@grantor/protocol/uri'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { KeyUses } from './key-uses.ts'

export interface OwnKeyDependencies {
  readonly clock: Clock
  readonly directory: Directory
  readonly ids: Pick<Ids, 'handleOf'>
  readonly issuers: Issuers
  readonly keyUses: KeyUses
  readonly store: Pick<Store, 'apiKeys'>
}

/** The description of the key's holder; null where the key is not valid for that API and address. */
export async function admitOwnKey(
  presented: { readonly tenant: TenantId; readonly key: string; readonly address: string },
  { clock, directory, ids, issuers, keyUses, store }: OwnKeyDependencies,
): Promise<JsonObject | null> {
  const { tenant } = presented
  const catalogue = await directory.currentCatalogue(tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null || !isApiKey(presented.key)) return null
  const key = await store.apiKeys.byHandle(tenant, ids.handleOf(presented.key))
  const issuer = issuers.issuerOf(tenant)
  if (key === null || key.resource !== issuer || !mayComeFrom(key, presented.address)) return null
  const now = clock.now()
  const owner = await directory.client(tenant, key.clientId)
  if (owner === null || keyFault({ key, owner, catalogue, issuer, now }) !== null) return null
  keyUses.note(key, now)
  const scope = formatScope(keyScope(key, owner, { catalogue, issuer }))
  return { token_type: apiKeyTokenType, sub: key.clientId, client_id: key.clientId, scope, jti: key.id, aud: issuer }
}

function mayComeFrom({ addresses }: ApiKey, address: string): boolean {
  if (addresses.length === 0) return true
  const blocks = addresses.flatMap((text) => addressBlock(text) ?? [])
  return isWithinBlocks(address, blocks)
}
