/** The list of events, and the one form an event has wherever it is shown (DECISIONS §7; explained in docs/events.md). */
import type { EventId, GrantId, Instant, JsonObject, TenantId, TokenId } from './words.ts'

export const eventNames = [
  'token.issued',
  'token.refreshed',
  'token.revoked',
  'token.rejected',
  'token.replayed',
  'consent.granted',
  'consent.withdrawn',
  'grant.revoked',
  'client.registered',
  'client.updated',
  'client.deleted',
  'client.secret_rotated',
  'key.published',
  'key.activated',
  'key.retired',
  'key.dropped',
  'session.started',
  'session.ended',
  'login.failed',
  'admin.resource_changed',
  'admin.scope_changed',
  'admin.user_changed',
  'admin.tenant_changed',
  'admin.master_key_rewrapped',
  'admin.restored',
] as const
export type EventName = (typeof eventNames)[number]

/** Who did it: a client, a person, an administrator at the command line, or the service itself. */
export interface Actor {
  readonly kind: 'client' | 'user' | 'operator' | 'system' | 'resource_server'
  readonly id: string | null
}

/** An event before it has its place in the log. */
export interface NewEvent {
  readonly id: EventId
  readonly tenant: TenantId
  readonly at: Instant
  readonly name: EventName
  readonly actor: Actor
  readonly subject: string | null
  readonly clientId: string | null
  readonly grantId: GrantId | null
  readonly jti: TokenId | null
  readonly scope: string | null
  readonly reason: string | null
  readonly ip: string | null
  readonly traceId: string | null
  readonly data: JsonObject | null
}

/** An event with its place: `seq` counts in its tenant without gaps, `pos` over the whole deployment. */
export interface SealedEvent extends NewEvent {
  readonly seq: number
  readonly pos: number
}

/**
 * The names of events that kill something which validators may still hold alive: they make the revocation feed.
 * `data` of such an event says what dies and until when the news matters (see feed.ts).
 */
export const feedEvents: ReadonlySet<EventName> = new Set([
  'token.revoked',
  'token.replayed',
  'grant.revoked',
  'consent.withdrawn',
  'client.deleted',
  'client.updated',
  'session.ended',
  'admin.user_changed',
  'admin.tenant_changed',
  'key.published',
  'key.activated',
  'key.dropped',
  'admin.restored',
])
