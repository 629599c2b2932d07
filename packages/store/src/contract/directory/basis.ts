/**
 * The facts that a decision rested on. Tenants, clients and keys are cached by the authority; a verb that acts on such
 * a decision takes its Basis along and checks it in the same statement. If a cached fact is no longer true, the verb
 * answers 'stale' and changes nothing; the authority reads again and decides again. So a disabled client, a dropped key
 * or a deleted tenant stops issuance at once, on every node, without a read per request.
 */
import type { TenantId } from '@grantor/protocol/types'

export interface Basis {
  readonly tenant: TenantId
  /** Tenant.revision: covers the tenant itself, its resources, scopes and keys. */
  readonly revision: number
  /** The client and its version; null where no client is involved. */
  readonly client: { readonly id: string; readonly version: number } | null
}
