/** The introspection response for an API key. */
import { type ApiKey, type Catalogue, introspectKey, type KeyFault } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { JsonObject } from '@grantor/protocol/types'
import type { Directory } from '../directory.ts'
import type { Clock, Issuers } from '../ports/environment.ts'
import type { KeyUses } from './key-uses.ts'

export interface KeyDescriptionDependencies {
  readonly clock: Clock
  readonly directory: Directory
  readonly issuers: Issuers
  readonly keyUses: KeyUses
}

interface AskedKey {
  readonly key: ApiKey
  /** The client that asks. */
  readonly client: Client
  readonly catalogue: Catalogue
}

export async function describeKey(
  { key, client, catalogue }: AskedKey,
  { clock, directory, issuers, keyUses }: KeyDescriptionDependencies,
): Promise<{ readonly described: JsonObject; readonly fault: KeyFault | null }> {
  const tenant = catalogue.tenant.id
  const now = clock.now()
  const owner = await directory.client(tenant, key.clientId)
  const from = { issuer: issuers.issuerOf(tenant), tenant }
  const found = introspectKey({ key, owner, catalogue, now, client, from })
  // The use is noted only if the API asks: the key's own client merely inspects it.
  if (found.fault === null && client.id !== key.clientId) keyUses.note(key, now)
  return found
}
