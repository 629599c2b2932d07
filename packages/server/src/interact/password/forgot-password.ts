/** /forgot-password and /reset-password: a new password by a mailed link. Not found where mail cannot be sent. */
import { type AccountMail, type ResetOutcome } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { forgotPasswordPage, linkSentPage } from '../../pages/forgot-password.ts'
import { resetPasswordPage } from '../../pages/new-password.ts'
import { linkGonePage, passwordResetPage } from '../../pages/reset-password.ts'
import type { Route } from '../../routes/route.ts'
import { formOfLink, isOfAnotherLink } from '../followed-link.ts'
import { goTo, showError, showPage } from '../page-answer.ts'
import { mailOf, type PageRequest, pageRoute } from '../page-route.ts'
import { rememberLanguage } from '../visit.ts'
import { backIn, signInHref } from './back.ts'

interface MailPageRequest extends PageRequest {
  readonly mail: AccountMail
  readonly posted: boolean
}

const forgotPath = '/forgot-password'
const resetPath = '/reset-password'
const purpose = 'reset'

/** A page that needs mail, whose forms are checked for CSRF. */
const mailRoute = (path: string, answer: (request: MailPageRequest) => Promise<FastifyReply>): Route =>
  pageRoute({ path, methods: ['GET', 'POST'], needsMail: true }, async (request) => {
    const { reply, visit, method } = request
    rememberLanguage(reply, visit)
    const posted = method === 'POST'
    const forged = posted ? visit.forged(purpose) : null
    return forged === null ? answer({ ...request, mail: mailOf(request), posted }) : showError(request, forged)
  })

export const forgotPassword = mailRoute(forgotPath, async (request) => {
  const { visit, mail, posted } = request
  const signIn = signInHref(visit)
  if (!posted && visit.form.get('done') !== undefined)
    return showPage(
      request,
      linkSentPage(visit.repeatablePageContext({}, { ...backIn(visit), done: 'sent' }), { signIn }),
    )
  const username = visit.form.get('username') ?? ''
  if (!posted || username.trim() === '') return showForgotPassword(request, null)
  const answer = await mail.requestReset({ named: username, language: visit.pageContext().language.tag }, visit.visitor)
  if (answer.did === 'throttled') return showForgotPassword(request, answer.seconds)
  const query = new URLSearchParams({ done: 'sent', ...backIn(visit) })
  return goTo(request, `${visit.base}${forgotPath}?${query.toString()}`)
})

function showForgotPassword(request: MailPageRequest, throttled: number | null): FastifyReply {
  const { visit } = request
  const back = backIn(visit)
  const data = {
    form: { ...formTarget(request, forgotPath), hidden: back },
    username: visit.form.get('username') ?? '',
    signIn: signInHref(visit),
    throttled,
  }
  return showPage(request, forgotPasswordPage(visit.repeatablePageContext({}, back), data), { wait: throttled })
}

/** A browser without a secret of its own gets one with the page, on which the form's CSRF token depends. */
function formTarget({ browser, reply, visit }: MailPageRequest, path: string) {
  const cookies = browser.nameBrowser(visit.visitor)
  visit.setCookies(reply, cookies)
  return visit.formTarget(path, purpose, cookies.browser)
}

export const resetPassword = mailRoute(resetPath, async (request) => {
  const { visit, mail, posted, reply } = request
  const token = visit.form.get('token')
  if (!posted && token !== undefined) {
    // Moved out of the URL at once, so that no history has it and nobody can copy it from the screen.
    visit.setLinkCookie(reply, 'reset', token as Secret)
    return goTo(request, `${visit.base}${resetPath}`)
  }
  if (!posted && visit.form.get('done') !== undefined)
    return showPage(request, passwordResetPage(visit.pageContext(), { signIn: `${visit.base}/account` }))
  const secret = visit.links.reset
  if (!posted || secret === null) return showResetPassword(request, null)
  // The form was for another link: nothing is set, and the page shows whose password the current link resets.
  if (isOfAnotherLink(visit, secret)) return goTo(request, `${visit.base}${resetPath}`)
  const outcome = await mail.resetPassword({ secret, next: visit.form.get('new-password') ?? '' }, visit.visitor)
  if (outcome !== 'reset') return showResetPassword(request, outcome)
  visit.setLinkCookie(reply, 'reset', null)
  return goTo(request, `${visit.base}${resetPath}?done=changed`)
})

const errors: Readonly<Record<Exclude<ResetOutcome, 'reset' | 'gone'>, 'short' | 'long' | 'common'>> = {
  too_short: 'short',
  too_long: 'long',
  is_name: 'common',
  breached: 'common',
}

/** Opening a link does not use it up, because programs that open every link of a mail get this far. */
async function showResetPassword(
  request: MailPageRequest,
  outcome: Exclude<ResetOutcome, 'reset'> | null,
): Promise<FastifyReply> {
  const { browser, visit, mail, reply } = request
  const secret = visit.links.reset
  const username = secret === null ? null : await mail.resettableUsername(secret, visit.visitor)
  if (secret === null || username === null || outcome === 'gone') {
    visit.setLinkCookie(reply, 'reset', null)
    return showPage(request, linkGonePage(visit.pageContext(), { again: `${visit.base}${forgotPath}` }), {
      status: 400,
    })
  }
  const error = outcome === null ? null : errors[outcome]
  const form = formOfLink(formTarget(request, resetPath), secret)
  const data = { form, username, leastLength: browser.leastPasswordLength, error }
  return showPage(request, resetPasswordPage(visit.repeatablePageContext(), data), {
    status: error === null ? 200 : 400,
  })
}
