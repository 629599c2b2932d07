/** What people do with their own account: see and end the access of apps, see and end sessions, change the password. */
import type { Scope } from '@grantor/protocol/oauth'
import { initiatedLogin } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Logos } from '../clients/logos.ts'
import type { Directory } from '../directory.ts'
import type { CountedLimits } from '../limits/limits.ts'
import type { Issuers } from '../ports/environment.ts'
import { type ActivityDependencies, activityOf, type ActivityPage } from './activity.ts'
import { endOtherSessions, endSession, sessionsOf, type SessionsPage } from './sessions.ts'
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
  /** `after` is the `further` of the page before. */
  apps(account: Account, after: string | null): Promise<AppsPage>
  disconnect(clientId: string, account: Account, visitor: Visitor): Promise<void>
  disconnectAll(account: Account, visitor: Visitor): Promise<void>
  /** The newest first; `before` is the `older` of the page before. */
  sessions(account: Account, before: string | null): Promise<SessionsPage>
  endOtherSessions(account: Account, visitor: Visitor): Promise<void>
  /** Newest first; `before` is the `older` of the page before. */
  activity(account: Account, before: number | null): Promise<ActivityPage>
  endSession(id: string, account: Account, visitor: Visitor): Promise<void>
  changePassword(account: Account, by: NewPassword, visitor: Visitor): Promise<PasswordChange>
}

export const openOwnAccount = (
  deps: OwnAccountDependencies & AccountFactorDependencies & ActivityDependencies,
): OwnAccount => ({
  factors: openAccountFactors(deps),
  apps: (account, after) => connectedApps(account, after, deps),
  disconnectAll: (account, visitor) => disconnectAll(account, visitor, deps),
  disconnect: (clientId, account, visitor) => disconnectApp(clientId, account, visitor, deps),
  sessions: (account, before) => sessionsOf(account, before, deps),
  endOtherSessions: (account, visitor) => endOtherSessions(account, visitor, deps),
  activity: (account, before) => activityOf(account, before, deps),
  endSession: (id, account, visitor) => endSession(id, account, visitor, deps),
  changePassword: (account, by, visitor) => changePassword(account, by, visitor, deps),
})

/** On one page. */
const appsPageSize = 20
/** Of one app, the newest: what it may do and when it was used is told of these. */
const maxGrants = 100

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

export interface AppsPage {
  /** The one that was given access last comes first. */
  readonly apps: readonly ConnectedApp[]
  /** What to ask for next; null at the end. */
  readonly further: string | null
}

async function connectedApps(
  { person }: Account,
  after: string | null,
  deps: OwnAccountDependencies,
): Promise<AppsPage> {
  const { tenant, id } = person
  const now = deps.clock.now()
  const found = await deps.store.grants.clientsOf(tenant, id, { now, after, limit: appsPageSize + 1 })
  const clientIds = found.slice(0, appsPageSize)
  const apps: (ConnectedApp & { readonly newest: Instant })[] = []
  for (const clientId of clientIds) {
    const client = await deps.directory.client(tenant, clientId)
    const held = (await deps.store.grants.ofSubject(tenant, id, { clientId, limit: maxGrants })).filter(
      (grant) => grant.expiresAt > now,
    )
    const [newest] = held
    if (client === null || newest === undefined) continue
    apps.push({
      clientId,
      ...nameOf(client),
      open: initiatedLogin(client, deps.issuers.issuerOf(tenant)),
      logo: deps.logos.cachedVersion(client),
      scope: new Set(held.flatMap((grant) => [...grant.scope])),
      resources: [...new Set(held.flatMap((grant) => grant.resources))],
      ...usesOf(held),
      endsAt: Math.max(...held.map((grant) => grant.expiresAt)) as Instant,
      newest: newest.createdAt,
    })
  }
  apps.sort((a, b) => b.newest - a.newest)
  return { apps, further: found.length > appsPageSize ? (clientIds.at(-1) ?? null) : null }
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

async function disconnectAll(account: Account, visitor: Visitor, deps: OwnAccountDependencies): Promise<void> {
  const { tenant, id } = account.person
  let after: string | null = null
  do {
    const page = { now: deps.clock.now(), after, limit: appsPageSize }
    const found: readonly string[] = await deps.store.grants.clientsOf(tenant, id, page)
    for (const clientId of found) await disconnectApp(clientId, account, visitor, deps)
    after = found.length < appsPageSize ? null : (found.at(-1) ?? null)
  } while (after !== null)
}
