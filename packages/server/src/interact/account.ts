/** The routes of the account pages. Every POST is checked for CSRF, carried out, and answered with a redirect. */
import type { Account, Browser } from '@grantor/authority'
import type { FastifyReply } from 'fastify'
import { type AccountPageContext, sectionPaths, type Section } from '../pages/account/layout.ts'
import type { Method, Route } from '../routes/route.ts'
import { goTo, showError } from './page-answer.ts'
import { type PageRequest, pageRoute } from './page-route.ts'
import { answerSignOut } from './logout.ts'
import { accountFormPurpose, isOfAnother } from './own-account/account-form.ts'
import { askToSignIn } from './account-sign-in.ts'
import { askForTerms } from './sign-up/terms.ts'
import { askForNewPassword } from './password/new-password.ts'
import { rememberLanguage, type Visit } from './visit.ts'

export interface AccountRequest extends PageRequest {
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
  'user_code_saved',
  'user_code_removed',
  'request_gone',
  'check_sent',
  'address_confirmed',
  'profile_saved',
  'provider_linked',
  'provider_unlinked',
] as const

interface AccountSection {
  readonly section: Section
  /** The path of a page below its section. */
  readonly below?: string
  readonly needsMail?: boolean
  /** May answer before the account is looked up; null goes on. */
  before?(request: PageRequest): FastifyReply | null
  show(request: AccountRequest): Promise<FastifyReply> | FastifyReply
  act?(request: AccountRequest): Promise<(typeof notices)[number] | FastifyReply>
}

export function accountRoute({ section, below = '', needsMail = false, before, show, act }: AccountSection): Route {
  const methods: readonly Method[] = act === undefined ? ['GET'] : ['GET', 'POST']
  const home = `/account${sectionPaths[section]}`
  return pageRoute({ path: `${home}${below}`, methods, needsMail }, async (request) => {
    const { reply, visit, browser, method } = request
    const answered = before?.(request) ?? null
    if (answered !== null) return answered
    rememberLanguage(reply, visit)
    // The most recent sign-in counts.
    const account = (await browser.accounts(visit.visitor)).at(-1)
    if (account === undefined) return askToSignIn(request, section)
    if (account.person.mustChangePassword) return askForNewPassword({ ...request, account })
    const terms = await browser.signUp.termsFor(account)
    if (terms !== null) return askForTerms({ ...request, account }, terms)
    const accountRequest: AccountRequest = { ...request, account, pageContext: pageContextOf(visit, account, browser) }
    if (method !== 'POST' || act === undefined) return show(await withReceipt(accountRequest))
    const forged = visit.forged(accountFormPurpose)
    if (forged !== null) return showError(request, forged)
    // The form belongs to another account than is signed in now: nothing is changed, and the page shows whose it is.
    if (isOfAnother(accountRequest)) return goTo(request, `${visit.base}${home}`)
    const outcome = await act(accountRequest)
    if (typeof outcome !== 'string') return outcome
    await browser.untilDurable()
    return goTo(request, `${visit.base}${home}?done=${outcome}`)
  })
}

const revoking: ReadonlySet<string> = new Set<(typeof notices)[number]>([
  'access_removed',
  'all_access_removed',
  'session_ended',
  'other_sessions_ended',
  'password_changed',
])

/** After a revocation, the page tells how soon it takes effect everywhere. */
async function withReceipt(request: AccountRequest): Promise<AccountRequest> {
  const { pageContext, browser, account } = request
  if (pageContext.notice === null || !revoking.has(pageContext.notice)) return request
  const receipt = await browser.account.newestReceipt(account)
  if (receipt === null || receipt.validators === 0) return request
  return { ...request, pageContext: { ...pageContext, stopsWithin: receipt.stopsWithin } }
}

function pageContextOf(
  visit: Visit,
  { person }: Account,
  { servesBackchannel }: Pick<Browser, 'servesBackchannel'>,
): AccountPageContext {
  const { name } = person.claims
  return {
    ...visit.pageContext(),
    account: { name: typeof name === 'string' ? name : person.username, username: person.username },
    requests: servesBackchannel,
    home: `${visit.base}/account`,
    signOut: visit.formTarget('/account/sign-out', accountFormPurpose),
    notice: notices.find((it) => it === visit.form.get('done')) ?? null,
  }
}

export const accountSignOut = pageRoute({ path: '/account/sign-out', methods: ['POST'] }, async (request) => {
  const forged = request.visit.forged(accountFormPurpose)
  if (forged !== null) return showError(request, forged)
  return answerSignOut(request)
})
