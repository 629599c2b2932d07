/** Interactions: an authorization request on its way through login, account choice and consent, bound to one browser. */
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'

export interface InteractionRow {
  readonly tenant: TenantId
  /** Handle of the interaction's secret, which is part of the URL of its pages. */
  readonly handle: Handle
  /** Handle of the browser cookie that began it; another browser is refused. */
  readonly browser: Handle
  readonly kind: 'authorize' | 'device' | 'logout'
  /** The request as the protocol's parser made it; empty where the interaction's secret holds it. */
  readonly request: JsonObject
  /** The facts recorded so far, one per step: who was chosen, when they signed in, what was approved or denied. */
  readonly progress: JsonObject
  readonly openedAt: Instant
  readonly expiresAt: Instant
  readonly closedAt: Instant | null
  /** Counts the recorded facts, so that two steps at once cannot overwrite each other. */
  readonly version: number
}

/** A row is created with the first thing that a person does in the interaction, or when a device's code is typed. */
export interface InteractionStore {
  find(tenant: TenantId, handle: Handle): Promise<InteractionRow | null>
  /** `seen` is the state that the step was decided on; its progress is replaced. */
  record(seen: InteractionRow, progress: JsonObject): Promise<'recorded' | 'changed-meanwhile' | 'closed'>
  close(seen: InteractionRow, at: Instant): Promise<'closed' | 'already-closed'>
}
