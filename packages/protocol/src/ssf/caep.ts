/** The one table of events that are signals, and their CAEP 1.0 content. */
import type { Actor, EventName, SealedEvent } from '../events/event.ts'
import type { JsonObject } from '../types.ts'
import { signalType } from './event-types.ts'

export interface Signal {
  readonly type: string
  /** The person concerned. */
  readonly subject: string
  /** The one session concerned; null for all of the person. */
  readonly sid: string | null
  readonly body: JsonObject
  /** Whether the signal includes the person's present claims. */
  readonly tellsClaims: boolean
}

type SignalPart = Pick<Signal, 'type' | 'body'> & Partial<Signal>
type Facts = Readonly<Record<string, unknown>>

const revoked: SignalPart = { type: signalType.sessionRevoked, body: {} }
const claimsChanged: SignalPart = { type: signalType.tokenClaimsChange, body: {}, tellsClaims: true }

const credential = (kind: string, change: 'create' | 'update' | 'delete'): SignalPart => ({
  type: signalType.credentialChange,
  body: { credential_type: kind, change_type: change },
})

/** CAEP 1.0 §3.3.1: the credential type of each factor. A link to a provider is not a credential of ours. */
const credentialTypes: Readonly<Record<string, readonly string[]>> = {
  passkey: ['fido2-platform'],
  totp: ['app'],
  recovery_codes: ['pin'],
  all: ['fido2-platform', 'app'],
}

const ofFactor = (data: Facts, change: 'create' | 'delete'): readonly SignalPart[] =>
  (credentialTypes[String(data['factor'])] ?? []).map((kind) => credential(kind, change))

/** Ids separated by spaces; for many, the log has only their number. */
const people = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(' ').filter(Boolean) : []

const table: Partial<Readonly<Record<EventName, (data: Facts) => readonly SignalPart[]>>> = {
  'session.ended': (data) => [{ ...revoked, sid: typeof data['sid'] === 'string' ? data['sid'] : null }],
  'factor.added': (data) => ofFactor(data, 'create'),
  'factor.removed': (data) => ofFactor(data, 'delete'),
  'admin.user_changed': (data) => [
    ...(data['password_reset'] === true ? [credential('password', 'update')] : []),
    ...(data['password_removed'] === true ? [credential('password', 'delete')] : []),
    // A lost role ends tokens but no session; nor does a cutoff that is repeated because its commit was late.
    ...(data['cutoff'] === true && data['lost_scope'] === undefined && data['late'] === undefined ? [revoked] : []),
    ...(data['roles'] !== undefined || data['lost_scope'] !== undefined ? [claimsChanged] : []),
  ],
  'admin.group_changed': (data) =>
    [...people(data['added']), ...people(data['removed_members']), ...people(data['members'])].map((subject) => ({
      ...claimsChanged,
      subject,
    })),
}

export function signalsOf(event: Pick<SealedEvent, 'name' | 'data' | 'subject' | 'at' | 'actor'>): readonly Signal[] {
  const parts = table[event.name]?.(event.data ?? {}) ?? []
  return parts.flatMap(({ type, body, sid = null, tellsClaims = false, subject = event.subject ?? '' }) =>
    subject === ''
      ? []
      : [{ type, subject, sid, tellsClaims, body: { ...body, ...circumstances(event.at, event.actor) } }],
  )
}

/** CAEP 1.0 §2. */
const circumstances = (at: number, { kind }: Actor): JsonObject => ({
  event_timestamp: Math.floor(at / 1000),
  initiating_entity: kind === 'user' ? 'user' : kind === 'system' ? 'system' : 'admin',
})
