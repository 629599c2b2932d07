/**
 * The SETs that a stream gets for an event: with the subject that its client knows, and only if the client may know of
 * the person at all.
 */
import type { SealedEvent } from '@grantor/protocol/events'
import { claimsForClient, scopeOfMapping } from '@grantor/protocol/claims'
import type { Client } from '@grantor/protocol/registration'
import { sessionSubject, type Signal, signalsOf } from '@grantor/protocol/ssf'
import type { JsonObject } from '@grantor/protocol/types'
import { orderKeyOf } from '@grantor/protocol/webhooks'
import type { NewEventDelivery, ReceiverRow, Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Clock, Issuers } from '../ports/environment.ts'
import { sidFor, subjectFor } from '../tokens/subject-for.ts'
import { settingsOf } from './stream-settings.ts'

export interface StreamDeliveryDependencies {
  readonly clock: Clock
  readonly directory: Pick<Directory, 'client'>
  readonly issuers: Issuers
  readonly store: Pick<Store, 'grants' | 'keys' | 'streamSubjects' | 'users'>
}

export async function streamDeliveries(
  event: SealedEvent,
  receiver: ReceiverRow,
  deps: StreamDeliveryDependencies,
): Promise<readonly NewEventDelivery[]> {
  const { clientId, delivered } = settingsOf(receiver)
  const signals = signalsOf(event).filter(({ type }) => delivered.includes(type))
  if (signals.length === 0) return []
  const client = await deps.directory.client(event.tenant, clientId)
  if (client === null || client.disabledAt !== null) return []
  const deliveries: NewEventDelivery[] = []
  for (const [n, signal] of signals.entries()) {
    const payload = await payloadOf(signal, { receiver, client }, deps)
    if (payload === null) continue
    deliveries.push({
      tenant: event.tenant,
      receiver: receiver.id,
      // One SET has one event (SSF 1.0 §4.2.1); a further one of the same log entry gets an id of its own.
      id: n === 0 ? event.id : `${event.id}-${n}`,
      pos: event.pos,
      type: signal.type,
      orderKey: orderKeyOf({ ...event, subject: signal.subject }),
      payload: JSON.stringify(payload),
      madeAt: event.at,
    })
  }
  return deliveries
}

interface Listener {
  readonly receiver: ReceiverRow
  readonly client: Client
}

/** Null where the client must not learn about that person. */
async function payloadOf(
  { type, subject, sid, body, tellsClaims }: Signal,
  { receiver: { tenant, id }, client }: Listener,
  deps: StreamDeliveryDependencies,
): Promise<JsonObject | null> {
  const { issuers, store } = deps
  const named = await store.streamSubjects.find(tenant, id, subject)
  if (named?.removed === true) return null
  const isKnown = await store.streamSubjects.isKnown(tenant, subject, client.id)
  // A person whom only the receiver named never had a token there, and so no claims.
  if (!isKnown && (named === null || tellsClaims)) return null
  const claims = tellsClaims ? await claimsNow({ tenant, subject }, client, deps) : null
  if (tellsClaims && claims === null) return null
  const sub = subjectFor(client, subject, store) ?? subject
  const user = named?.subId ?? { format: 'iss_sub', iss: issuers.issuerOf(tenant), sub }
  const session = sid === null ? null : (sidFor(client, sid, store) ?? sid)
  const whole = claims === null ? body : { ...body, claims }
  return { sub_id: sessionSubject(user, session), events: { [type]: whole } }
}

/** Claims that depend on roles and groups. */
const followed: ReadonlySet<string> = new Set(['groups', 'roles'])

/** The changed claims as the person's sign-ins give them to this client now; null where there are none. */
async function claimsNow(
  of: { readonly tenant: ReceiverRow['tenant']; readonly subject: string },
  client: Client,
  { clock, store }: StreamDeliveryDependencies,
): Promise<JsonObject | null> {
  const { tenant, subject } = of
  const rows = (client.metadata.claim_mappings ?? []).filter(({ from }) => followed.has(from ?? ''))
  if (rows.length === 0) return null
  const search = { subject, clientId: client.id, before: null, limit: 10 }
  const grants = await store.grants.search(tenant, clock.now(), search)
  const scope = new Set(grants.flatMap((grant) => [...grant.scope]))
  const person = await store.users.byId(tenant, subject)
  const mapped = rows.filter((row) => scope.has(scopeOfMapping(row, 'client') ?? 'openid'))
  if (person === null || mapped.length === 0) return null
  const current = claimsForClient(client, { person, scope, into: 'userinfo' })
  // A claim that became empty is omitted from tokens, but reported here.
  return Object.fromEntries(mapped.map(({ claim }) => [claim, current[claim] ?? []] as const))
}
