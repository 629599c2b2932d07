/**
 * Authorization requests that clients pushed (RFC 9126), kept until a browser sends their reference, and answered once.
 */
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../directory/basis.ts'

export interface NewPushedRequest {
  readonly tenant: TenantId
  /** The handle of the request_uri. */
  readonly handle: Handle
  readonly clientId: string
  /** As the protocol accepted it. */
  readonly request: JsonObject
  /** From then on no interaction can begin with it. */
  readonly expiresAt: Instant
  /** Until then an interaction that began with it may need it. */
  readonly keptUntil: Instant
}

export interface PushedRequestRow extends NewPushedRequest {
  readonly usedAt: Instant | null
}

export interface PushedRequestStore {
  push(request: NewPushedRequest, basis: Basis): Promise<'pushed' | 'stale'>
  find(tenant: TenantId, handle: Handle): Promise<PushedRequestRow | null>
  /** Marks it as answered by a refusal; a code uses it up in the commit that opens its grant (OpenGrant.pushed). */
  use(tenant: TenantId, handle: Handle, at: Instant): Promise<'used' | 'already-used'>
}
