/** Interactions: an authorization request on its way through login, account choice and consent, bound to one browser. */
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'

export interface InteractionRow {
  readonly tenant: TenantId
  /** Handle of the interaction's secret, which stands in the URL of its pages. */
  readonly handle: Handle
  /** Handle of the browser cookie that began it; another browser is refused. */
  readonly browser: Handle
  readonly kind: 'authorize' | 'device' | 'logout'
  /** The accepted request, as the protocol's parser made it. */
  readonly request: JsonObject
  /** The facts recorded so far, one per step: who was chosen, when they signed in, what was approved or denied. */
  readonly progress: JsonObject
  readonly openedAt: Instant
  readonly expiresAt: Instant
  readonly closedAt: Instant | null
  /** Counts the recorded facts, so that two steps at once cannot overwrite each other. */
  readonly version: number
}

export interface InteractionStore {
  open(interaction: InteractionRow): Promise<void>
  find(tenant: TenantId, handle: Handle): Promise<InteractionRow | null>
  record(fact: {
    readonly tenant: TenantId
    readonly handle: Handle
    readonly version: number
    readonly progress: JsonObject
    readonly at: Instant
  }): Promise<'recorded' | 'changed-meanwhile' | 'closed'>
  close(tenant: TenantId, handle: Handle, at: Instant): Promise<'closed' | 'already-closed'>
}
