/** The account pages: what a person can see and take back. Every POST is guarded, done, and answered by a way back. */
import type { Account } from '@grantor/authority'
import type { FastifyReply } from 'fastify'
import type { Responder } from '../http/responder.ts'
import { type AccountPageContext, sectionPaths, type Section } from '../pages/account/layout.ts'
import type { Method, Route } from '../routes/route.ts'
import { type PageReply, goTo, showError } from './page-answer.ts'
import { answerSignedOut } from './logout.ts'
import { askToSignIn, accountFormPurpose } from './account-sign-in.ts'
import { rememberLanguage, type Visit, visitOf } from './visit.ts'

export interface AccountRequest extends PageReply {
  readonly responder: Responder
  readonly visit: Visit
  readonly account: Account
  readonly pageContext: AccountPageContext
}

const notices = [
  'access_removed',
  'all_access_removed',
  'session_ended',
  'other_sessions_ended',
  'password_changed',
  'passkey_added',
  'passkey_removed',
  'authenticator_added',
  'authenticator_removed',
  'browser_forgotten',
  'check_sent',
  'address_confirmed',
] as const

interface AccountSection {
  readonly section: Section
  /** Where a page stands below its section. */
  readonly below?: string
  show(request: AccountRequest): Promise<FastifyReply> | FastifyReply
  act?(request: AccountRequest): Promise<(typeof notices)[number] | FastifyReply>
}

export function accountRoute({ section, below = '', show, act }: AccountSection): Route {
  const methods: readonly Method[] = act === undefined ? ['GET'] : ['GET', 'POST']
  return {
    path: `/account${sectionPaths[section]}${below}`,
    methods,
    cors: false,
    at: 'every issuer',
    handler: (responder) => async (request, reply) => {
      const read = visitOf(request, responder)
      if (read.kind === 'error') return showError({ responder, reply }, read.error)
      const visit = read.value
      rememberLanguage(reply, visit)
      // The most recent sign-in is the one that is meant.
      const account = (await responder.authority.browser.accounts(visit.visitor)).at(-1)
      if (account === undefined) return askToSignIn({ responder, reply }, visit)
      const accountRequest: AccountRequest = {
        responder,
        reply,
        visit,
        account,
        pageContext: pageContextOf(visit, account),
      }
      if (request.method !== 'POST' || act === undefined) return show(accountRequest)
      const forged = visit.forged(accountFormPurpose)
      if (forged !== null) return showError(accountRequest, forged)
      const outcome = await act(accountRequest)
      return typeof outcome === 'string'
        ? goTo(accountRequest, `${visit.base}/account${sectionPaths[section]}?done=${outcome}`)
        : outcome
    },
  }
}

function pageContextOf(visit: Visit, { person }: Account): AccountPageContext {
  const { name } = person.claims
  return {
    ...visit.pageContext(),
    account: { name: typeof name === 'string' ? name : person.username, username: person.username },
    home: `${visit.base}/account`,
    signOut: visit.formTarget('/account/sign-out', accountFormPurpose),
    notice: notices.find((it) => it === visit.form.get('done')) ?? null,
  }
}

export const accountSignOut: Route = {
  path: '/account/sign-out',
  methods: ['POST'],
  cors: false,
  at: 'every issuer',
  handler: (responder) => async (request, reply) => {
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError({ responder, reply }, read.error)
    const visit = read.value
    const forged = visit.forged(accountFormPurpose)
    if (forged !== null) return showError({ responder, reply }, forged)
    return answerSignedOut({ responder, reply }, visit, {
      left: await responder.authority.browser.signOut(visit.visitor),
      onward: null,
    })
  },
}
