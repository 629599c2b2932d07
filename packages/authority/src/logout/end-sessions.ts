/**
 * Ends sessions of a browser, and collects the front-channel logout addresses of their clients (Front-Channel Logout
 * 1.0).
 */
import { frontChannelFrame } from '@grantor/protocol/oidc'
import { newEvent } from '../events.ts'
import type { Directory } from '../directory.ts'
import type { Ids, Issuers } from '../ports/environment.ts'
import {
  type Account,
  type AccountDependencies,
  accountsOf,
  type CookieChanges,
  type Visitor,
} from '../interact/visitor.ts'

export type EndSessionDependencies = AccountDependencies & {
  readonly ids: Ids
  readonly issuers: Issuers
  readonly directory: Directory
}

/** What the browser is to do afterwards: keep the remaining cookies, and open these addresses in frames. */
export interface EndedSessions extends CookieChanges {
  readonly frames: readonly string[]
}

/** A page can load only so many frames: further clients are notified by the back channel alone. */
const maxFrames = 20

/** Signs the browser out of every account it has. */
export async function endBrowserSessions(visitor: Visitor, deps: EndSessionDependencies): Promise<EndedSessions> {
  const ended = await endAccountSessions(await accountsOf(visitor, deps), visitor, deps)
  return { ...ended, sessions: [], pendingSecondFactor: null }
}

export async function endAccountSessions(
  ending: readonly Account[],
  visitor: Visitor,
  deps: EndSessionDependencies,
): Promise<EndedSessions> {
  const gone = new Set<string>(ending.map((account) => account.secret))
  const frames: string[] = []
  for (const account of ending) {
    // Collected first, because the end of the session forgets its clients.
    frames.push(...(await framesOf(account, deps)))
    await end(account, visitor, deps)
  }
  return { sessions: visitor.sessions.filter((it) => !gone.has(it)), frames: frames.slice(0, maxFrames) }
}

async function framesOf({ person, session }: Account, deps: EndSessionDependencies): Promise<readonly string[]> {
  const { tenant } = person
  const found: string[] = []
  for (const party of await deps.store.sessions.parties(tenant, session.id)) {
    const client = await deps.directory.currentClient(tenant, party.clientId)
    const uri = client?.disabledAt === null ? client.metadata.frontchannel_logout_uri : undefined
    if (uri !== undefined) found.push(frontChannelFrame(uri, deps.issuers.issuerOf(tenant), party.sid))
  }
  return found
}

async function end({ person, session }: Account, visitor: Visitor, deps: EndSessionDependencies): Promise<void> {
  const { tenant, id: subject } = person
  const about = { actor: { kind: 'user' as const, id: subject }, subject, data: { sid: session.id } }
  await deps.store.sessions.end(tenant, session.id, deps.clock.now(), [newEvent(deps, visitor, 'session.ended', about)])
}
