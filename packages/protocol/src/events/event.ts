/** The list of events, and the one form that an event has wherever it is shown (docs/events.md). */
import type { EventId, GrantId, Instant, JsonObject, TenantId, TokenId } from '../types.ts'

export const eventNames = [
  'token.issued',
  'token.refreshed',
  'token.revoked',
  'token.rejected',
  'token.refused',
  'token.denied',
  'token.replayed',
  'consent.granted',
  'consent.withdrawn',
  'grant.revoked',
  'client.registered',
  'client.updated',
  'client.deleted',
  'client.secret_rotated',
  'client.refused',
  'api_key.created',
  'api_key.revoked',
  'redirect_uri.refused',
  'consent.denied',
  'verifier.refused',
  'proof.refused',
  'assertion.refused',
  'key.published',
  'key.activated',
  'key.retired',
  'key.dropped',
  'session.started',
  'session.ended',
  'login.link_requested',
  'login.failed',
  'device.guessed',
  'backchannel.requested',
  'backchannel.approved',
  'backchannel.denied',
  'backchannel.user_code_changed',
  'backchannel.undelivered',
  'logout.undelivered',
  'factor.added',
  'factor.removed',
  'factor.recovered',
  'browser.remembered',
  'browser.forgotten',
  'password.reset_requested',
  'sign_up.refused',
  'invitation.created',
  'invitation.revoked',
  'terms.accepted',
  'account.deletion_requested',
  'account.deletion_cancelled',
  'mail.sent',
  'mail.failed',
  'webhook.undelivered',
  'webhook.disabled',
  'stream.changed',
  'stream.undelivered',
  'stream.disabled',
  'admin.mail_changed',
  'admin.resource_changed',
  'admin.details_type_changed',
  'admin.scope_changed',
  'admin.provider_changed',
  'admin.role_changed',
  'admin.group_changed',
  'admin.trusted_issuer_changed',
  'admin.webhook_changed',
  'admin.user_changed',
  'admin.tenant_changed',
  'admin.registration_token_changed',
  'admin.device_denied',
  'admin.lock_removed',
  'admin.master_key_rewrapped',
  'admin.restored',
  'clock.set_back',
] as const
export type EventName = (typeof eventNames)[number]

/** The actor: a client, a person, an operator at the command line, a resource server, or the service itself. */
export interface Actor {
  readonly kind: 'client' | 'user' | 'operator' | 'system' | 'resource_server'
  readonly id: string | null
}

/** An event without its position in the log. */
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

/** An event with its position: `seq` counts within its tenant without gaps, `pos` over the whole deployment. */
export interface SealedEvent extends NewEvent {
  readonly seq: number
  readonly pos: number
}

/**
 * The names of events that end tokens which validators may still accept: they make up the revocation feed. `data` of
 * such an event tells which, and until when that matters (see feed.ts).
 */
export const feedEvents: ReadonlySet<EventName> = new Set([
  'token.revoked',
  'token.replayed',
  'api_key.revoked',
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
  'clock.set_back',
])

/** The names of events that their person may want to read: signing in, granting, revoking, misuse. */
export const personalEvents = [
  'session.started',
  'session.ended',
  'login.link_requested',
  'login.failed',
  'factor.added',
  'factor.removed',
  'factor.recovered',
  'browser.remembered',
  'browser.forgotten',
  'password.reset_requested',
  'terms.accepted',
  'account.deletion_requested',
  'account.deletion_cancelled',
  'backchannel.requested',
  'backchannel.denied',
  'consent.granted',
  'consent.withdrawn',
  'grant.revoked',
  'token.replayed',
  'admin.user_changed',
] as const satisfies readonly EventName[]

const personal: ReadonlySet<EventName> = new Set(personalEvents)

export const isPersonal = (name: EventName): boolean => personal.has(name)

/** The person whose recent activity an event belongs to; null for most events. */
export const personOf = ({ name, subject }: Pick<NewEvent, 'name' | 'subject'>): string | null =>
  isPersonal(name) ? subject : null

/**
 * The text of an event in the log: one canonical form, in the names of docs/events.md, fields in that order, absent
 * ones omitted. The chain hashes it, so it never changes; `seq` and `pos` are not part of it.
 */
export function encodeEvent(event: NewEvent): string {
  return JSON.stringify({
    id: event.id,
    at: event.at,
    tenant: event.tenant,
    name: event.name,
    actor: { kind: event.actor.kind, id: event.actor.id ?? undefined },
    subject: event.subject ?? undefined,
    client_id: event.clientId ?? undefined,
    grant_id: event.grantId ?? undefined,
    jti: event.jti ?? undefined,
    scope: event.scope ?? undefined,
    reason: event.reason ?? undefined,
    ip: event.ip ?? undefined,
    trace_id: event.traceId ?? undefined,
    data: event.data ?? undefined,
  })
}

interface EncodedEvent {
  readonly id: EventId
  readonly at: Instant
  readonly tenant: TenantId
  readonly name: EventName
  readonly actor: { readonly kind: Actor['kind']; readonly id?: string }
  readonly subject?: string
  readonly client_id?: string
  readonly grant_id?: GrantId
  readonly jti?: TokenId
  readonly scope?: string
  readonly reason?: string
  readonly ip?: string
  readonly trace_id?: string
  readonly data?: JsonObject
}

/** Decodes what encodeEvent wrote. */
export function decodeEvent(body: string): NewEvent {
  const encoded = JSON.parse(body) as EncodedEvent
  return {
    id: encoded.id,
    tenant: encoded.tenant,
    at: encoded.at,
    name: encoded.name,
    actor: { kind: encoded.actor.kind, id: encoded.actor.id ?? null },
    subject: encoded.subject ?? null,
    clientId: encoded.client_id ?? null,
    grantId: encoded.grant_id ?? null,
    jti: encoded.jti ?? null,
    scope: encoded.scope ?? null,
    reason: encoded.reason ?? null,
    ip: encoded.ip ?? null,
    traceId: encoded.trace_id ?? null,
    data: encoded.data ?? null,
  }
}
