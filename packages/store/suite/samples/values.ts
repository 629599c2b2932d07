/** Plain values and events for the suite. */
import { randomUUID } from 'node:crypto'
import type { EventName, NewEvent } from '@grantor/protocol/events'
import type { EventId, GrantId, Handle, Instant, TenantId, TokenId } from '@grantor/protocol/types'
import { type Entry, entryOf } from '../../src/verbs/entry.ts'

export const at = (n: number): Instant => n as Instant
export const acme = 'acme' as TenantId
export const other = 'other' as TenantId
export const handle = (text: string): Handle => text as Handle
export const grantId = (text: string): GrantId => text as GrantId
export const jti = (text: string): TokenId => text as TokenId

export const event = (name: EventName, more: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID() as string as EventId,
  tenant: acme,
  at: at(1_000),
  name,
  actor: { kind: 'system', id: null },
  subject: null,
  clientId: null,
  grantId: null,
  jti: null,
  scope: null,
  reason: null,
  ip: null,
  traceId: null,
  data: null,
  ...more,
})

/** An event of that name, as a verb carries it. */
export const entries = (name: EventName): readonly Entry[] => [entryOf(event(name))]
