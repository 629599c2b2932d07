/** The apps to which a person gave access: listed page by page, and disconnected one by one or all at once. */
import { parseScope, type Scope } from '@grantor/protocol/oauth'
import { initiatedLogin } from '@grantor/protocol/oidc'
import { type Client, isFirstPartyAt } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { ConsentRecord, Store } from '@grantor/store'
import type { Logos } from '../clients/logos.ts'
import type { Directory } from '../directory.ts'
import { type EventDependencies, newEvent } from '../events.ts'
import { displayedClient } from '../interact/display.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import type { Issuers } from '../ports/environment.ts'

export interface AppDependencies extends EventDependencies {
  readonly issuers: Issuers
  readonly directory: Directory
  readonly logos: Logos
  readonly store: Pick<Store, 'grants' | 'consents'>
}

/** Apps on one page. */
const appsPageSize = 20
/** The most grants of one app, the newest, from which its scope and times are computed. */
const maxGrants = 100

/** An app with access: all active grants between a person and a client, merged; or else the consents in force. */
export interface ConnectedApp {
  readonly clientId: string
  readonly name: string
  readonly vouchedBy: 'operator' | 'domain' | 'nobody'
  readonly provenHost: string | null
  /** The app belongs to the service, and got access without consent. */
  readonly firstParty: boolean
  /** The app's address for starting a sign-in (OIDC Core §4). */
  readonly open: string | null
  /** The version of its logo; null where it has none, or it is not fetched yet. */
  readonly logo: string | null
  readonly scope: Scope
  readonly resources: readonly string[]
  readonly firstUsedAt: Instant | null
  readonly lastUsedAt: Instant | null
  /** Null: the access does not expire by itself. */
  readonly endsAt: Instant | null
  /** False: no grant is active, but the consent is still in force, so access can be given again without asking. */
  readonly hasAccess: boolean
}

export interface AppsPage {
  /** Ordered by the time of access, the newest first. */
  readonly apps: readonly ConnectedApp[]
  /** The `after` of the next page; null at the end. */
  readonly further: string | null
}

export async function connectedApps(
  { person }: Account,
  after: string | null,
  deps: AppDependencies,
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
    const allowed = ofGrants(held) ?? ofConsents(await deps.store.consents.inForce(tenant, id, clientId, now))
    if (client === null || allowed === null) continue
    apps.push({
      clientId,
      ...nameOf(client),
      open: initiatedLogin(client, deps.issuers.issuerOf(tenant)),
      logo: deps.logos.cachedVersion(client),
      ...allowed,
    })
  }
  apps.sort((a, b) => b.newest - a.newest)
  return { apps, further: found.length > appsPageSize ? (clientIds.at(-1) ?? null) : null }
}

type Used = Awaited<ReturnType<Store['grants']['ofSubject']>>[number]
type Allowed = Pick<ConnectedApp, 'scope' | 'resources' | 'firstUsedAt' | 'lastUsedAt' | 'endsAt' | 'hasAccess'> & {
  readonly newest: Instant
}

/** `held` is ordered newest first. */
function ofGrants(held: readonly Used[]): Allowed | null {
  const [newest] = held
  if (newest === undefined) return null
  return {
    scope: new Set(held.flatMap((grant) => [...grant.scope])),
    resources: [...new Set(held.flatMap((grant) => grant.resources))],
    ...usesOf(held),
    endsAt: Math.max(...held.map((grant) => grant.expiresAt)) as Instant,
    hasAccess: true,
    newest: newest.createdAt,
  }
}

/** `inForce` is ordered newest last. */
function ofConsents(inForce: readonly ConsentRecord[]): Allowed | null {
  const newest = inForce.at(-1)
  if (newest === undefined) return null
  const ends = inForce.map(({ expiresAt }) => expiresAt)
  return {
    scope: new Set(inForce.flatMap(({ scope }) => [...(parseScope(scope) ?? [])])),
    resources: [...new Set(inForce.flatMap(({ resources }) => resources))],
    firstUsedAt: null,
    lastUsedAt: null,
    endsAt: ends.includes(null) ? null : (Math.max(...ends.map(Number)) as Instant),
    hasAccess: false,
    newest: newest.grantedAt,
  }
}

/**
 * Both are null for grants that were never used. The first use is taken to be the creation of the grant: a code lives
 * for a minute.
 */
function usesOf(grants: readonly Used[]): Pick<ConnectedApp, 'firstUsedAt' | 'lastUsedAt'> {
  const used = grants.flatMap(({ createdAt, lastUsedAt }) => (lastUsedAt === null ? [] : [{ createdAt, lastUsedAt }]))
  if (used.length === 0) return { firstUsedAt: null, lastUsedAt: null }
  return {
    firstUsedAt: Math.min(...used.map((it) => it.createdAt)) as Instant,
    lastUsedAt: Math.max(...used.map((it) => it.lastUsedAt)) as Instant,
  }
}

const nameOf = (client: Client) => {
  const redirectUri = client.metadata.redirect_uris[0] ?? ''
  const { name, vouchedBy, provenHost } = displayedClient(client, redirectUri)
  return { name, vouchedBy, provenHost, firstParty: isFirstPartyAt(client, redirectUri) }
}

/** Withdrawing consent revokes the grants, their refresh tokens and, at every validator, their access tokens. */
export async function disconnectApp(
  clientId: string,
  { person }: Account,
  visitor: Visitor,
  deps: AppDependencies,
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

export async function disconnectAll(account: Account, visitor: Visitor, deps: AppDependencies): Promise<void> {
  const { tenant, id } = account.person
  let after: string | null = null
  do {
    const page = { now: deps.clock.now(), after, limit: appsPageSize }
    const found: readonly string[] = await deps.store.grants.clientsOf(tenant, id, page)
    for (const clientId of found) await disconnectApp(clientId, account, visitor, deps)
    after = found.length < appsPageSize ? null : (found.at(-1) ?? null)
  } while (after !== null)
}
