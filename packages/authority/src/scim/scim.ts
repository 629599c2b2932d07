/** SCIM 2.0 without HTTP: the collections of a tenant, and how often a client may ask. */
import type { QuotaDecision } from '@grantor/protocol/http'
import type { CountedLimits } from '../limits/limits.ts'
import type { ScimCollection } from './collection.ts'
import { openScimUsers, type ScimUserDependencies } from './users.ts'

export interface Scim {
  readonly users: ScimCollection
  /** Counts a request of the client; null where nothing is counted. */
  take(tenant: string, clientId: string): Promise<QuotaDecision | null>
}

export type ScimDependencies = ScimUserDependencies & { readonly limits: CountedLimits }

export function openScim(deps: ScimDependencies): Scim {
  return {
    users: openScimUsers(deps),
    take: async (tenant, clientId) => deps.limits.take('scim', `${tenant} ${clientId}`),
  }
}
