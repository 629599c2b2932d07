/** The account pages: what a person can see and take back. Every POST is guarded, done, and answered by a way back. */
import type { Account } from '@grantor/authority'
import { isRefusal } from '@grantor/protocol'
import type { FastifyReply } from 'fastify'
import type { Desk } from '../desk.ts'
import { type AccountFrame, sectionPaths, type Section } from '../pages/account/frame.ts'
import { loginPage } from '../pages/login.ts'
import type { Method, Route } from '../routes/route.ts'
import { type Counter, goTo, showError, showPage } from './answer.ts'
import { keepLanguage, type Visit, visitOf } from './visit.ts'

export interface AccountScene extends Counter {
  readonly desk: Desk
  readonly visit: Visit
  readonly account: Account
  readonly frame: AccountFrame
}

export const purpose = 'account'
const notices = [
  'access_removed',
  'all_access_removed',
  'session_ended',
  'other_sessions_ended',
  'password_changed',
  'check_sent',
  'address_confirmed',
] as const

interface Page {
  readonly section: Section
  show(scene: AccountScene): Promise<FastifyReply> | FastifyReply
  act?(scene: AccountScene): Promise<(typeof notices)[number] | FastifyReply>
}

export function accountRoute({ section, show, act }: Page): Route {
  const methods: readonly Method[] = act === undefined ? ['GET'] : ['GET', 'POST']
  return {
    path: `/account${sectionPaths[section]}`,
    methods,
    cors: false,
    at: 'every issuer',
    handler: (desk) => async (request, reply) => {
      const visit = visitOf(request, desk)
      if (isRefusal(visit)) return showError({ desk, reply }, visit)
      keepLanguage(reply, visit)
      // The most recent sign-in is the one that is meant.
      const account = (await desk.authority.browser.accounts(visit.visitor)).at(-1)
      if (account === undefined) return askToSignIn({ desk, reply }, visit, null)
      const scene: AccountScene = { desk, reply, visit, account, frame: frameOf(visit, account) }
      if (request.method !== 'POST' || act === undefined) return show(scene)
      const forged = visit.forged(purpose)
      if (forged !== null) return showError(scene, forged)
      const outcome = await act(scene)
      return typeof outcome === 'string'
        ? goTo(scene, `${visit.base}/account${sectionPaths[section]}?done=${outcome}`)
        : outcome
    },
  }
}

function frameOf(visit: Visit, { person }: Account): AccountFrame {
  const { name } = person.claims
  return {
    ...visit.frame(),
    account: { name: typeof name === 'string' ? name : person.username, username: person.username },
    home: `${visit.base}/account`,
    signOut: visit.target('/account/sign-out', purpose),
    notice: notices.find((it) => it === visit.form.get('done')) ?? null,
  }
}

type LoginError = Parameters<typeof loginPage>[1]['error']

/** A browser that has no name yet gets one with the page, so that the form can be told from a forged one. */
function askToSignIn(at: Counter, visit: Visit, error: LoginError): FastifyReply {
  const keep = at.desk.authority.browser.meet(visit.visitor)
  visit.keep(at.reply, keep)
  const form = visit.target('/account/enter', purpose, keep.browser)
  const data = { form, client: null, username: visit.form.get('username') ?? '', again: false, error }
  const status = error === null ? 200 : error.kind === 'throttled' ? 429 : 401
  return showPage(at, loginPage(visit.frame(), data), { status })
}

export const enter: Route = {
  path: '/account/enter',
  methods: ['GET', 'POST'],
  cors: false,
  at: 'every issuer',
  handler: (desk) => async (request, reply) => {
    const visit = visitOf(request, desk)
    if (isRefusal(visit)) return showError({ desk, reply }, visit)
    // The address of a refused sign-in, opened anew.
    if (request.method !== 'POST') return goTo({ desk, reply }, `${visit.base}/account`)
    const forged = visit.forged(purpose)
    if (forged !== null) return showError({ desk, reply }, forged)
    const by = { username: visit.form.get('username') ?? '', password: visit.form.get('password') ?? '' }
    const outcome = await desk.authority.browser.enter(by, visit.visitor)
    if (outcome.did === 'throttled')
      return askToSignIn({ desk, reply }, visit, { kind: 'throttled', seconds: outcome.seconds })
    if (outcome.did === 'rejected') return askToSignIn({ desk, reply }, visit, { kind: 'rejected' })
    visit.keep(reply, outcome.keep)
    // Whoever came by the link of a check goes on with it.
    return goTo({ desk, reply }, `${visit.base}/account${visit.links.address === null ? '' : sectionPaths.address}`)
  },
}

export const accountSignOut: Route = {
  path: '/account/sign-out',
  methods: ['POST'],
  cors: false,
  at: 'every issuer',
  handler: (desk) => async (request, reply) => {
    const visit = visitOf(request, desk)
    if (isRefusal(visit)) return showError({ desk, reply }, visit)
    const forged = visit.forged(purpose)
    if (forged !== null) return showError({ desk, reply }, forged)
    visit.keep(reply, await desk.authority.browser.leave(visit.visitor))
    return goTo({ desk, reply }, `${visit.base}/signed-out`)
  },
}
