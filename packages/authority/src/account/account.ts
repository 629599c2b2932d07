/** What people do with their own account: see and end the access of apps, see and end sessions, change the password. */
import type { Scope } from '@grantor/protocol/oauth'
import { initiatedLogin } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { SessionRow, Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Logos } from '../clients/logos.ts'
import type { Directory } from '../directory.ts'
import type { CountedLimits } from '../limits/limits.ts'
import type { Issuers } from '../ports/environment.ts'
import { type ActivityDependencies, activityOf, type ActivityPage } from './activity.ts'
import { changePassword, type NewPassword, type PasswordChange } from './change-password.ts'
import { type AccountFactorDependencies, type AccountFactors, openAccountFactors } from './sign-in-methods.ts'
import { displayedClient } from '../interact/display.ts'
import type { Account, Visitor } from '../interact/visitor.ts'

export interface OwnAccountDependencies extends EventDependencies {
  readonly issuers: Issuers
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly logos: Logos
  readonly store: Pick<Store, 'grants' | 'consents' | 'sessions' | 'users'>
}

export interface OwnAccount {
  readonly factors: AccountFactors
  apps(account: Account): Promise<readonly ConnectedApp[]>
  disconnect(clientId: string, account: Account, visitor: Visitor): Promise<void>
  sessions(account: Account): Promise<readonly SessionRow[]>
  /** Newest first; `before` is the `older` of the page before. */
  activity(account: Account, before: number | null): Promise<ActivityPage>
  endSession(id: string, account: Account, visitor: Visitor): Promise<void>
  changePassword(account: Account, by: NewPassword, visitor: Visitor): Promise<PasswordChange>
}

export const openOwnAccount = (
  deps: OwnAccountDependencies & AccountFactorDependencies & ActivityDependencies,
): OwnAccount => ({
  factors: openAccountFactors(deps),
  apps: (account) => connectedApps(account, deps),
  disconnect: (clientId, account, visitor) => disconnectApp(clientId, account, visitor, deps),
  sessions: (account) => sessionsOf(account, deps),
  activity: (account, before) => activityOf(account, before, deps),
  endSession: (id, account, visitor) => endSession(id, account, visitor, deps),
  changePassword: (account, by, visitor) => changePassword(account, by, visitor, deps),
})

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

async function connectedApps({ person }: Account, deps: OwnAccountDependencies): Promise<readonly ConnectedApp[]> {
  const { tenant, id } = person
  const grants = await deps.store.grants.ofSubject(tenant, id, maxShown)
  const now = deps.clock.now()
  const byClient = Map.groupBy(
    grants.filter((grant) => grant.expiresAt > now),
    (grant) => grant.clientId,
  )
  const apps: ConnectedApp[] = []
  for (const [clientId, held] of byClient) {
    const client = await deps.directory.client(tenant, clientId)
    if (client === null) continue
    apps.push({
      clientId,
      ...nameOf(client),
      open: initiatedLogin(client, deps.issuers.issuerOf(tenant)),
      logo: deps.logos.cachedVersion(client),
      scope: new Set(held.flatMap((grant) => [...grant.scope])),
      resources: [...new Set(held.flatMap((grant) => grant.resources))],
      ...usesOf(held),
      endsAt: Math.max(...held.map((grant) => grant.expiresAt)) as Instant,
    })
  }
  return apps
}

type Used = Awaited<ReturnType<Store['grants']['ofSubject']>>[number]

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
async function disconnectApp(
  clientId: string,
  { person }: Account,
  visitor: Visitor,
  deps: OwnAccountDependencies,
): Promise<void> {
  const { tenant, id } = person
  const about = { actor: { kind: 'user' as const, id }, subject: id, clientId }
  await deps.store.consents.withdraw({
    tenant,
    subject: id,
    clientId,
    by: id,
    at: deps.clock.now(),
    event: newEvent(deps, visitor, 'consent.withdrawn', about),
    grantEvent: newEvent(deps, visitor, 'grant.revoked', { ...about, reason: 'consent_withdrawn' }),
  })
}

async function sessionsOf({ person }: Account, deps: OwnAccountDependencies): Promise<readonly SessionRow[]> {
  const now = deps.clock.now()
  const sessions = await deps.store.sessions.ofSubject(person.tenant, person.id)
  return sessions.filter((session) => session.endedAt === null && session.expiresAt > now)
}

async function endSession(
  id: string,
  { person }: Account,
  visitor: Visitor,
  deps: OwnAccountDependencies,
): Promise<void> {
  const session = await deps.store.sessions.byId(person.tenant, id)
  // Somebody else's session is nobody's business here.
  if (session === null || session.authentication.subject !== person.id) return
  const about = { actor: { kind: 'user' as const, id: person.id }, subject: person.id, data: { sid: id } }
  await deps.store.sessions.end(person.tenant, id, deps.clock.now(), [newEvent(deps, visitor, 'session.ended', about)])
}
