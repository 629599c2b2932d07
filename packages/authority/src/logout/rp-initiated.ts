/**
 * RP-Initiated Logout 1.0, without HTTP. The content of a valid hint is sealed into an interaction, so that neither it
 * nor an address appears in a page's URL, and so that the browser returns with its cookies, which it withholds from a
 * form of another site. A hint for the session in this browser ends it at once; with any other the person is asked (§2
 * MUST).
 */
import type { Form, Refusal } from '@grantor/protocol/oauth'
import { logoutRequest, type LogoutRequest } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Handle, Secret } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { CountedLimits } from '../limits/limits.ts'
import { type HintDependencies, idTokenHint } from '../tokens/id-token-hint.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import { displayedClient } from '../interact/display.ts'
import {
  findInteraction,
  keptInteraction,
  sealInteraction,
  type SealedInteractionDependencies,
} from '../interact/sealed-interaction.ts'
import { mayRedirect, type RedirectDependencies } from '../interact/unvouched-redirect.ts'
import { type Account, accountsOf, type Visitor } from '../interact/visitor.ts'
import { sidFor, subjectFor } from '../tokens/subject-for.ts'
import {
  endAccountSessions,
  endBrowserSessions,
  type EndedSessions,
  type EndSessionDependencies,
} from './end-sessions.ts'

export type LogoutDependencies = EndSessionDependencies &
  HintDependencies &
  RedirectDependencies &
  SealedInteractionDependencies & {
    readonly limits: CountedLimits
    readonly store: Pick<Store, 'interactions' | 'keys'>
  }

export type LogoutStart =
  /** Without a valid hint the request is worth no more than a click on our own link, and redirects nowhere. */
  { readonly go: 'plain' } | { readonly go: 'hub'; readonly interaction: Secret }

export type LogoutResponse =
  /** The request is finished, or never existed. */
  | { readonly go: 'gone' }
  | {
      readonly go: 'ask'
      readonly client: string
      readonly redirectUri: string | null
      readonly uiLocales: readonly string[]
    }
  | {
      readonly go: 'left'
      readonly left: EndedSessions
      readonly onward: string | null
      /**
       * Set where the person is shown the address instead of being redirected, because nobody vouches for the client of
       * this name.
       */
      readonly unvouched: { readonly client: string; readonly redirectUri: string } | null
    }

/** Logout requested by a client, which sends the person's browser here. */
export interface RpInitiatedLogout {
  begin(form: Form, visitor: Visitor): Promise<Result<LogoutStart, Refusal>>
  /** The state of the interaction for this browser: a question, or the person is signed out already. */
  continue(interaction: Secret, visitor: Visitor): Promise<LogoutResponse>
  confirm(interaction: Secret, visitor: Visitor): Promise<LogoutResponse>
}

export const openRpInitiatedLogout = (deps: LogoutDependencies): RpInitiatedLogout => ({
  begin: (form, visitor) => beginLogout(form, visitor, deps),
  continue: (interaction, visitor) => continueLogout(interaction, visitor, deps),
  confirm: (interaction, visitor) => confirmLogout(interaction, visitor, deps),
})

const gone: LogoutResponse = { go: 'gone' }

async function beginLogout(
  form: Form,
  visitor: Visitor,
  deps: LogoutDependencies,
): Promise<Result<LogoutStart, Refusal>> {
  const { tenant } = visitor
  const catalogue = await deps.directory.servedCatalogue(tenant)
  if (catalogue === null) return err({ reason: 'tenant_unknown' })
  const hint = await idTokenHint(form.get('id_token_hint'), catalogue, deps)
  const client = typeof hint === 'string' ? null : await deps.directory.currentClient(tenant, hint.clientId)
  const request = logoutRequest(form, hint, { client, rules: deps.policy.addresses })
  if (request.kind === 'error') return request
  if (request.value === null) return ok({ go: 'plain' })
  // One ID token would suffice to make requests without end, so they are limited.
  const refused = await interactionLimitReached('logout', visitor, deps.limits)
  if (refused !== null) return refused
  // Bound to no browser: a person who follows a link made with another's hint is asked, as with the hint itself.
  const browser = '' as Handle
  const interaction = sealInteraction({ tenant, kind: 'logout', browser, request: request.value }, deps)
  return interaction === null ? err({ reason: 'request_too_long' }) : ok({ go: 'hub', interaction })
}

async function continueLogout(id: Secret, visitor: Visitor, deps: LogoutDependencies): Promise<LogoutResponse> {
  const request = await waitingRequest(id, visitor, deps)
  const client = request === null ? null : await deps.directory.currentClient(visitor.tenant, request.clientId)
  if (request === null || client === null) return gone
  const accounts = await accountsOf(visitor, deps)
  const meantAccount = await accountMeant(accounts, { request, client }, deps)
  if (accounts.length > 0 && meantAccount === null) {
    const { redirectUri, uiLocales } = request
    return { go: 'ask', client: displayedClient(client, redirectUri ?? '').name, redirectUri, uiLocales }
  }
  const unvouched = await unvouchedClient({ request, client }, accounts, deps)
  // With nobody signed in, nothing can end twice, and requests must not make the server store anything.
  if (accounts.length > 0 && !(await closeRequest(id, visitor, deps))) return gone
  const left =
    meantAccount === null
      ? await endBrowserSessions(visitor, deps)
      : await endAccountSessions([meantAccount], visitor, deps)
  return { go: 'left', left, onward: request.onward, unvouched }
}

/** RFC 9700 §4.11: a hint that a client got for itself must not redirect others from our address to its own. */
async function unvouchedClient(
  { request: { redirectUri }, client }: LogoutOf,
  accounts: readonly Account[],
  deps: LogoutDependencies,
): Promise<{ readonly client: string; readonly redirectUri: string } | null> {
  if (redirectUri === null || (await mayRedirect(client, async () => accounts, deps))) return null
  return { client: displayedClient(client, redirectUri).name, redirectUri }
}

/** The person agreed: signs out every account of this browser, as the page says. A second answer has no effect. */
async function confirmLogout(id: Secret, visitor: Visitor, deps: LogoutDependencies): Promise<LogoutResponse> {
  const request = await waitingRequest(id, visitor, deps)
  const client = request === null ? null : await deps.directory.currentClient(visitor.tenant, request.clientId)
  if (request === null || client === null) return gone
  const unvouched = await unvouchedClient({ request, client }, await accountsOf(visitor, deps), deps)
  if (!(await closeRequest(id, visitor, deps))) return gone
  return { go: 'left', left: await endBrowserSessions(visitor, deps), onward: request.onward, unvouched }
}

interface LogoutOf {
  readonly request: LogoutRequest
  readonly client: Client
}

async function accountMeant(
  accounts: readonly Account[],
  logout: LogoutOf,
  deps: LogoutDependencies,
): Promise<Account | null> {
  for (const account of accounts) if (await isMeant(account, logout, deps)) return account
  return null
}

/** §2: "belongs to the current OP session with the RP": the session itself, or one that it renewed. */
async function isMeant(
  { person, session }: Account,
  { request: { clientId, sub, sid }, client }: LogoutOf,
  { store }: LogoutDependencies,
): Promise<boolean> {
  if (sid === null || (subjectFor(client, person.id, store) ?? person.id) !== sub) return false
  if ((sidFor(client, session.id, store) ?? session.id) === sid) return true
  const parties = await store.sessions.parties(person.tenant, session.id)
  return parties.some((party) => party.clientId === clientId && party.sid === sid)
}

async function waitingRequest(
  id: Secret,
  { tenant }: Visitor,
  deps: LogoutDependencies,
): Promise<LogoutRequest | null> {
  const row = await findInteraction(id, tenant, deps)
  const stands = row?.kind === 'logout' && row.closedAt === null && row.expiresAt > deps.clock.now()
  return stands ? (row.request as unknown as LogoutRequest) : null
}

async function closeRequest(id: Secret, { tenant }: Visitor, deps: LogoutDependencies): Promise<boolean> {
  const row = await findInteraction(id, tenant, deps)
  return row !== null && (await deps.store.interactions.close(keptInteraction(row), deps.clock.now())) === 'closed'
}
