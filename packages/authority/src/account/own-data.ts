/** All data held about a person, as one JSON document for them, without passwords, keys and secrets. */
import { eventDocument } from '@grantor/protocol/events'
import type { Instant, Json, JsonObject } from '@grantor/protocol/types'
import type { SessionRow, Store } from '@grantor/store'
import type { Account } from '../interact/visitor.ts'
import type { Clock } from '../ports/environment.ts'

export interface OwnDataDependencies {
  readonly clock: Clock
  readonly store: Pick<
    Store,
    'users' | 'factors' | 'identities' | 'sessions' | 'consents' | 'grants' | 'events' | 'backchannel'
  >
}

/** More than anybody has of one kind; beyond it only the newest are included. */
const most = 1000

const time = (at: Instant | null | undefined): string | null => (at == null ? null : new Date(at).toISOString())

export async function ownData({ person: { tenant, id } }: Account, deps: OwnDataDependencies): Promise<JsonObject> {
  const { store } = deps
  const now = deps.clock.now()
  const user = await store.users.byId(tenant, id)
  const of = { subject: id, clientId: null, before: null, limit: most }
  const consents = await store.consents.ofSubject(tenant, id, most)
  const grants = await store.grants.search(tenant, now, of)
  const sessions = await store.sessions.livingOf(tenant, id, { now, before: null, limit: most })
  const events = await store.events.ofSubject(tenant, id, { before: null, limit: most })
  return {
    made_at: time(now),
    account: {
      id,
      username: user?.username ?? null,
      claims: user?.claims ?? {},
      attributes: user?.attributes ?? {},
      groups: [...(user?.groups ?? [])],
      roles: [...(user?.roles ?? [])],
      created_at: time(user?.createdAt),
      administrator: user?.administrator ?? null,
      password_changed_at: time(user?.passwordChangedAt),
      terms: user?.terms === undefined ? null : { version: user.terms.version, accepted_at: time(user.terms.at) },
      deletion_due_at: time(user?.deletionDueAt),
    },
    sign_in_methods: await methodsOf({ tenant, id }, deps),
    sessions: sessions.map(sessionDocument),
    consents: plain(consents),
    grants: plain(grants),
    events: plain(events.map(eventDocument)),
  }
}

async function methodsOf(
  { tenant, id }: Pick<Account['person'], 'tenant' | 'id'>,
  { store }: OwnDataDependencies,
): Promise<JsonObject> {
  const passkeys = await store.factors.passkeys(tenant, id)
  const totp = await store.factors.totp(tenant, id)
  const browsers = await store.factors.browsers(tenant, id)
  const linked = await store.identities.of(tenant, id)
  return {
    password: ((await store.users.byId(tenant, id))?.passwordHash ?? null) !== null,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt, synced }) => ({
      name,
      synced,
      created_at: time(createdAt),
      last_used_at: time(lastUsedAt),
    })),
    authenticator_app: totp === null ? null : { created_at: time(totp.createdAt), last_used_at: time(totp.lastUsedAt) },
    providers: linked.map(({ provider, issuer, upstreamSubject, createdAt }) => ({
      provider,
      issuer,
      subject: upstreamSubject,
      linked_at: time(createdAt),
    })),
    recovery_codes: (await store.factors.of(tenant, id)).recoveryCodes,
    remembered_browsers: browsers.map(({ userAgent, createdAt, expiresAt }) => ({
      user_agent: userAgent,
      created_at: time(createdAt),
      expires_at: time(expiresAt),
    })),
    code_for_requests: (await store.backchannel.userCodeHash(tenant, id)) !== null,
  }
}

const sessionDocument = (it: SessionRow): JsonObject => ({
  id: it.id,
  created_at: time(it.createdAt),
  last_seen_at: time(it.lastSeenAt),
  expires_at: time(it.expiresAt),
  ip: it.ip,
  user_agent: it.userAgent,
  acr: it.authentication.acr,
  amr: [...it.authentication.amr],
})

/** Plain JSON: sets become lists, and functions are dropped. */
const plain = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value, (_name, it: unknown) => (it instanceof Set ? [...it] : it))) as Json
