/** The CIBA requests that wait for a person (CIBA §8): listed and answered on their own account page, by them alone. */
import {
  approvedScope,
  backchannelInteraction,
  type BackchannelTerms,
  consentQuestion,
  noInteractionProgress,
  type RequestedAccess,
} from '@grantor/protocol/authorize'
import type { AskingDevice } from '@grantor/protocol/device'
import { servesBackchannel } from '@grantor/protocol/grants'
import { personalScope } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { BackchannelRequestRow, InteractionRow, Store } from '@grantor/store'
import { newEvent } from '../events.ts'
import { type InteractionState, interactionState } from '../interact/interaction.ts'
import { questionAt, type QuestionDependencies } from '../interact/question.ts'
import type { InteractionQuestion } from '../interact/response.ts'
import type { Account, CookieChanges, Visitor } from '../interact/visitor.ts'
import { hashPassword } from '../people/password.ts'
import type { Ids } from '../ports/environment.ts'
import { subjectFor } from '../tokens/subject-for.ts'

export type WaitingRequestDependencies = QuestionDependencies & {
  readonly ids: Ids
  readonly store: Pick<Store, 'backchannel' | 'keys'>
}

export interface WaitingRequest {
  /** Identifies the request in an answer. */
  readonly reference: string
  readonly expiresAt: Instant
  readonly question: Extract<InteractionQuestion, { go: 'consent' }>
}

export interface RequestAnswer {
  readonly reference: string
  readonly allow: boolean
  /** The optional scopes that stayed ticked. */
  readonly ticked: ReadonlySet<string>
}

export interface WaitingRequests {
  /** The oldest first. */
  list(account: Account, visitor: Visitor): Promise<readonly WaitingRequest[]>
  /**
   * The interaction in which the answer continues, since more may be asked of the person; null if the request no longer
   * waits.
   */
  answer(
    by: RequestAnswer,
    account: Account,
    visitor: Visitor,
  ): Promise<{ readonly interaction: Secret; readonly cookies: CookieChanges } | null>
  hasUserCode(account: Account): Promise<boolean>
  /** Null removes the code. */
  setUserCode(code: string | null, account: Account, visitor: Visitor): Promise<'set' | 'malformed'>
}

/** The code may be short, because guesses are limited. */
const userCode = /^[\x21-\x7e]{4,64}$/

export function openWaitingRequests(deps: WaitingRequestDependencies): WaitingRequests {
  const { clock, ids, store } = deps

  async function waiting({ person }: Account): Promise<readonly BackchannelRequestRow[]> {
    if (!servesBackchannel(deps.served)) return []
    return store.backchannel.waitingFor(person.tenant, person.id, clock.now())
  }

  /** The state of the person in a request, before they answer it; null where its client is gone. */
  async function begun(row: BackchannelRequestRow, account: Account, visitor: Visitor): Promise<BegunAnswer | null> {
    const client = await deps.directory.currentClient(row.tenant, row.clientId)
    if (client === null) return null
    const secret = ids.secret('gi_')
    const browser = visitor.browser ?? ids.secret('gb_')
    const interaction = interactionOf(row, { client, secret, browser, person: account.person.id }, deps)
    const state = await interactionState(interaction, visitor, deps)
    return state.kind === 'error' ? null : { secret, browser, interaction, state: state.value }
  }

  return {
    async list(account, visitor) {
      const requests: WaitingRequest[] = []
      for (const row of await waiting(account)) {
        const begin = await begun(row, account, visitor)
        if (begin === null) continue
        const step = stepOf(begin.state, account)
        const question = await questionAt(begin.state, step, deps)
        if (question.go === 'consent') requests.push({ reference: row.handle, expiresAt: row.expiresAt, question })
      }
      return requests
    },

    async answer({ reference, allow, ticked }, account, visitor) {
      const row = (await waiting(account)).find(({ handle }) => handle === reference)
      const begin = row === undefined ? null : await begun(row, account, visitor)
      if (row === undefined || begin === null) return null
      const { question } = stepOf(begin.state, account)
      const { id: subject } = account.person
      const scope = [...approvedScope(question, ticked)].toSorted()
      const progress = { ...noInteractionProgress, ...(allow ? { approval: { subject, scope } } : { denied: true }) }
      const claimed = await store.backchannel.claim(row.handle, subject, { ...begin.interaction, progress })
      if (claimed === 'gone') return null
      return { interaction: begin.secret, cookies: visitor.browser === null ? { browser: begin.browser } : {} }
    },

    hasUserCode: async ({ person }) => (await store.backchannel.userCodeHash(person.tenant, person.id)) !== null,

    async setUserCode(code, { person }, visitor) {
      if (code !== null && !userCode.test(code)) return 'malformed'
      const { tenant, id: subject } = person
      const hash = code === null ? null : await hashPassword(code)
      const about = { actor: { kind: 'user' as const, id: subject }, subject, data: { removed: code === null } }
      const event = newEvent(deps, visitor, 'backchannel.user_code_changed', about)
      await store.backchannel.setUserCode({ tenant, subject, hash, at: clock.now() }, [event])
      return 'set'
    },
  }
}

interface BegunAnswer {
  readonly secret: Secret
  readonly browser: Secret
  readonly interaction: InteractionRow
  readonly state: InteractionState
}

interface Answering {
  readonly client: Client
  readonly secret: Secret
  readonly browser: Secret
  readonly person: string
}

function interactionOf(
  row: BackchannelRequestRow,
  { client, secret, browser, person }: Answering,
  { clock, ids, policy, store }: WaitingRequestDependencies,
): InteractionRow {
  const now = clock.now()
  const access = row.request as unknown as RequestedAccess
  const terms = row.terms as unknown as BackchannelTerms
  const subject = subjectFor(client, person, store) ?? person
  return {
    tenant: row.tenant,
    handle: ids.handleOf(secret),
    browser: ids.handleOf(browser),
    kind: 'device',
    request: { ...backchannelInteraction(client, { access, terms, subject }), device: askingClient(row, terms) },
    progress: noInteractionProgress,
    openedAt: now,
    expiresAt: Math.min(now + policy.interactionTtl * 1000, row.expiresAt) as Instant,
    closedAt: null,
    version: 1,
  }
}

const askingClient = (
  { handle, ip, userAgent, askedAt }: BackchannelRequestRow,
  { bindingMessage }: BackchannelTerms,
): AskingDevice => ({ handle, userCode: null, backchannel: { bindingMessage }, ip, userAgent, askedAt })

/**
 * The consent step with all scopes, whatever was allowed before; the hub asks for a stronger sign-in if the request
 * needs one.
 */
function stepOf({ request, catalogue }: InteractionState, { authentication, person }: Account) {
  const scope = [...personalScope(new Set(request.scope), person, catalogue)]
  const asked = { request: { ...request, scope }, remembered: null, eachTime: true, firstParty: false, catalogue }
  const question = consentQuestion(asked)
  if (question === null) throw new Error('what was never allowed is asked')
  return { go: 'consent' as const, account: authentication, question }
}
