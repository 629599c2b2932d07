/**
 * SCIM 2.0 without HTTP: the collections of a tenant, the API keys that open them, and the request limit of a client.
 */
import type { QuotaDecision } from '@grantor/protocol/http'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { admitOwnKey, type OwnKeyDependencies } from '../api-keys/admit-own.ts'
import type { CountedLimits } from '../limits/limits.ts'
import type { ScimCollection } from './collection.ts'
import { openScimGroups } from './groups.ts'
import { openScimUsers, type ScimUserDependencies } from './users.ts'

export interface Scim {
  readonly users: ScimCollection
  readonly groups: ScimCollection
  /** The description of an API key's holder; null where the key is not valid here. */
  keyHolder(presented: {
    readonly tenant: TenantId
    readonly key: string
    readonly address: string
  }): Promise<JsonObject | null>
  /** Counts a request of the client; null where nothing is counted. */
  take(tenant: string, clientId: string): Promise<QuotaDecision | null>
}

export type ScimDependencies = ScimUserDependencies & OwnKeyDependencies & { readonly limits: CountedLimits }

export function openScim(deps: ScimDependencies): Scim {
  return {
    users: openScimUsers(deps),
    groups: openScimGroups(deps),
    keyHolder: (presented) => admitOwnKey(presented, deps),
    take: async (tenant, clientId) => deps.limits.take('scim', `${tenant} ${clientId}`),
  }
}
