/**
 * RP-Initiated Logout 1.0, without HTTP. What a valid hint vouches for waits in the store, so that neither it nor an
 * address stands in a page's URL, and so that the browser comes back with its cookies, which it keeps from a form of
 * another site. A hint for the session in this browser ends it at once; with any other the person is asked (§2 MUST).
 */
import { type Form, type Refusal } from '@grantor/protocol/oauth'
import { logoutRequest, type LogoutRequest } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Handle, Instant, Secret } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'
import { idTokenHint } from '../tokens/id-token-hint.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import { displayedClient } from '../interact/display.ts'
import { type Account, accountsOf, type Visitor } from '../interact/visitor.ts'
import { subjectFor } from '../tokens/subject-for.ts'
import { endBrowserSessions, endAccountSessions, type EndedSessions } from './end-sessions.ts'

export type LogoutStart =
  | { readonly go: 'error'; readonly refusal: Refusal }
  /** Nobody vouches for it: it is worth no more than a click on our own link, and leads nowhere. */
  | { readonly go: 'plain' }
  | { readonly go: 'hub'; readonly interaction: Secret }

export type LogoutResponse =
  /** Over, or never was. */
  | { readonly go: 'gone' }
  | {
      readonly go: 'ask'
      readonly client: string
      readonly redirectUri: string | null
      readonly uiLocales: readonly string[]
    }
  | { readonly go: 'left'; readonly left: EndedSessions; readonly onward: string | null }

const gone: LogoutResponse = { go: 'gone' }

export async function beginLogout(form: Form, visitor: Visitor, hands: Hands): Promise<LogoutStart> {
  const { tenant } = visitor
  const catalogue = await hands.directory.currentCatalogue(tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null)
    return { go: 'error', refusal: { reason: 'tenant_unknown' } }
  const hint = await idTokenHint(form.get('id_token_hint'), catalogue, hands)
  const client = typeof hint === 'string' ? null : await hands.directory.currentClient(tenant, hint.clientId)
  const request = logoutRequest(form, hint, client)
  if (request.kind === 'error') return { go: 'error', refusal: request.error }
  if (request.value === null) return { go: 'plain' }
  // One ID token is enough to ask without end.
  const refused = await interactionLimitReached('logout', visitor, hands)
  if (refused !== null) return { go: 'error', refusal: refused }
  const interaction = hands.ids.secret('gi_')
  const now = hands.clock.now()
  await hands.store.interactions.open({
    tenant,
    handle: hands.ids.handleOf(interaction),
    // Of no browser: whoever is led here by another's hint is asked, as they would be by the hint itself.
    browser: '' as Handle,
    kind: 'logout',
    request: request.value,
    progress: {},
    openedAt: now,
    expiresAt: (now + hands.policy.interactionTtl * 1000) as Instant,
    closedAt: null,
    version: 1,
  })
  return { go: 'hub', interaction }
}

export async function continueLogout(id: Secret, visitor: Visitor, hands: Hands): Promise<LogoutResponse> {
  const request = await waitingRequest(id, visitor, hands)
  const client = request === null ? null : await hands.directory.currentClient(visitor.tenant, request.clientId)
  if (request === null || client === null) return gone
  const accounts = await accountsOf(visitor, hands)
  const meant = await meantOf(accounts, request, { client, hands })
  if (accounts.length > 0 && meant === null) {
    const { redirectUri, uiLocales } = request
    return { go: 'ask', client: displayedClient(client, redirectUri ?? '').name, redirectUri, uiLocales }
  }
  if (!(await closeRequest(id, visitor, hands))) return gone
  const left =
    meant === null ? await endBrowserSessions(visitor, hands) : await endAccountSessions([meant], visitor, hands)
  return { go: 'left', left, onward: request.onward }
}

/** The person said yes: every account of this browser, as the page says. Whoever answers twice is answered once. */
export async function confirmLogout(id: Secret, visitor: Visitor, hands: Hands): Promise<LogoutResponse> {
  const request = await waitingRequest(id, visitor, hands)
  if (request === null || !(await closeRequest(id, visitor, hands))) return gone
  return { go: 'left', left: await endBrowserSessions(visitor, hands), onward: request.onward }
}

interface Ground {
  readonly client: Client
  readonly hands: Hands
}

async function meantOf(accounts: readonly Account[], request: LogoutRequest, ground: Ground): Promise<Account | null> {
  for (const account of accounts) if (await isMeant(account, request, ground)) return account
  return null
}

/** §2: "belongs to the current OP session with the RP": the session itself, or one that it renewed. */
async function isMeant(
  { person, session }: Account,
  { clientId, sub, sid }: LogoutRequest,
  { client, hands }: Ground,
): Promise<boolean> {
  if (sid === null || (subjectFor(client, person.id, hands) ?? person.id) !== sub) return false
  if (session.id === sid) return true
  const parties = await hands.store.sessions.parties(person.tenant, session.id)
  return parties.some((party) => party.clientId === clientId && party.sid === sid)
}

async function waitingRequest(id: Secret, { tenant }: Visitor, hands: Hands): Promise<LogoutRequest | null> {
  const row = await hands.store.interactions.find(tenant, hands.ids.handleOf(id))
  const stands = row?.kind === 'logout' && row.closedAt === null && row.expiresAt > hands.clock.now()
  return stands ? (row.request as unknown as LogoutRequest) : null
}

const closeRequest = async (id: Secret, { tenant }: Visitor, hands: Hands): Promise<boolean> =>
  (await hands.store.interactions.close(tenant, hands.ids.handleOf(id), hands.clock.now())) === 'closed'
