/** What people do with their own account: see and end the access of apps, see and end sessions, change the password. */
import type { Scope } from '@grantor/protocol/oauth'
import { initiatedLogin } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import { newEvent } from '../events.ts'
import type { Hands } from '../hands.ts'
import { accountKey } from '../limits/sign-in-attempts.ts'
import { displayedClient } from '../interact/display.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import { checkPassword, hashPassword, passwordProblem } from '../people/password.ts'

const maxShown = 500

/** An app with access: all living grants between a person and a client, as one. */
export interface ConnectedApp {
  readonly clientId: string
  readonly name: string
  readonly provenHost: string | null
  /** Where it begins a sign-in when asked to (OIDC Core §4). */
  readonly open: string | null
  /** The version of its logo; null where it has none, or it is not here yet. */
  readonly logo: string | null
  readonly scope: Scope
  readonly resources: readonly string[]
  readonly firstUsedAt: Instant | null
  readonly lastUsedAt: Instant | null
  readonly endsAt: Instant
}

export async function connectedApps({ person }: Account, hands: Hands): Promise<readonly ConnectedApp[]> {
  const { tenant, id } = person
  const grants = await hands.store.grants.ofSubject(tenant, id, maxShown)
  const now = hands.clock.now()
  const byClient = Map.groupBy(
    grants.filter((grant) => grant.expiresAt > now),
    (grant) => grant.clientId,
  )
  const apps: ConnectedApp[] = []
  for (const [clientId, held] of byClient) {
    const client =
      hands.directory.cachedClient(tenant, clientId) ?? (await hands.directory.currentClient(tenant, clientId))
    if (client === null) continue
    apps.push({
      clientId,
      ...nameOf(client),
      open: initiatedLogin(client, hands.issuers.issuerOf(tenant)),
      logo: hands.logos.cachedVersion(client),
      scope: new Set(held.flatMap((grant) => [...grant.scope])),
      resources: [...new Set(held.flatMap((grant) => grant.resources))],
      ...usesOf(held),
      endsAt: Math.max(...held.map((grant) => grant.expiresAt)) as Instant,
    })
  }
  return apps
}

type Used = Awaited<ReturnType<Hands['store']['grants']['ofSubject']>>[number]

/** A grant that was never used has neither. The first use follows the permission at once: a code lives for a minute. */
function usesOf(grants: readonly Used[]): Pick<ConnectedApp, 'firstUsedAt' | 'lastUsedAt'> {
  const used = grants.flatMap(({ createdAt, lastUsedAt }) => (lastUsedAt === null ? [] : [{ createdAt, lastUsedAt }]))
  if (used.length === 0) return { firstUsedAt: null, lastUsedAt: null }
  return {
    firstUsedAt: Math.min(...used.map((it) => it.createdAt)) as Instant,
    lastUsedAt: Math.max(...used.map((it) => it.lastUsedAt)) as Instant,
  }
}

const nameOf = (client: Client) => {
  const { name, provenHost } = displayedClient(client, client.metadata.redirect_uris[0] ?? '')
  return { name, provenHost }
}

/** Withdrawing consent kills the grants, their refresh tokens and, at every validator, their access tokens. */
export async function disconnectApp(
  clientId: string,
  { person }: Account,
  visitor: Visitor,
  hands: Hands,
): Promise<void> {
  const { tenant, id } = person
  const about = { actor: { kind: 'user' as const, id }, subject: id, clientId }
  await hands.store.consents.withdraw({
    tenant,
    subject: id,
    clientId,
    by: id,
    at: hands.clock.now(),
    event: newEvent(hands, visitor, 'consent.withdrawn', about),
    grantEvent: newEvent(hands, visitor, 'grant.revoked', { ...about, reason: 'consent_withdrawn' }),
  })
}

export async function sessionsOf({ person }: Account, hands: Hands) {
  const now = hands.clock.now()
  const sessions = await hands.store.sessions.ofSubject(person.tenant, person.id)
  return sessions.filter((session) => session.endedAt === null && session.expiresAt > now)
}

export async function endSession(id: string, { person }: Account, visitor: Visitor, hands: Hands): Promise<void> {
  const session = await hands.store.sessions.byId(person.tenant, id)
  // Somebody else's session is nobody's business here.
  if (session === null || session.authentication.subject !== person.id) return
  const about = { actor: { kind: 'user' as const, id: person.id }, subject: person.id, data: { sid: id } }
  await hands.store.sessions.end(person.tenant, id, hands.clock.now(), [
    newEvent(hands, visitor, 'session.ended', about),
  ])
}

export type PasswordChange = 'changed' | 'wrong' | 'too_short' | 'too_long' | 'is_name' | 'unchanged' | 'throttled'

/** Every other session of the person ends with the old password. */
export async function changePassword(
  account: Account,
  by: { readonly current: string; readonly next: string },
  visitor: Visitor,
  hands: Hands,
): Promise<PasswordChange> {
  const { person, session } = account
  const problem = passwordProblem(by.next, person.username)
  if (problem !== null) return problem
  if (by.next === by.current) return 'unchanged'
  const policy = hands.limits.loginAccount
  const key = accountKey(person.tenant, person.username)
  if (policy !== null && !(await hands.limiter.take(policy, key)).allowed) return 'throttled'
  const user = await hands.store.users.byId(person.tenant, person.id)
  if (user === null || !(await checkPassword(user.passwordHash, by.current))) return 'wrong'
  if (policy !== null) await hands.limiter.giveBack(policy, key)
  const about = { actor: { kind: 'user' as const, id: user.id }, subject: user.id, reason: 'password_changed' }
  const outcome = await hands.store.users.change({
    tenant: user.tenant,
    id: user.id,
    version: user.version,
    passwordHash: await hashPassword(by.next),
    endSessionsBut: session.id,
    at: hands.clock.now(),
    // `cutoff` tells validators that access tokens of the ended sessions are dead; living grants refresh theirs.
    events: [newEvent(hands, visitor, 'admin.user_changed', { ...about, data: { cutoff: true } })],
  })
  return outcome === 'changed' ? 'changed' : 'wrong'
}
