/** /sign-in-link requests a mailed link that signs in, /sign-in-link/finish opens it; where the tenant offers them. */
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { linkGonePage } from '../../pages/reset-password.ts'
import {
  followedLinkPage,
  linkOfAnotherBrowserPage,
  signInLinkPage,
  signInLinkSentPage,
} from '../../pages/sign-in-link/sign-in-link.ts'
import type { Route } from '../../routes/route.ts'
import { onwardFrom, secondFactorPath } from '../account-sign-in.ts'
import { formOfLink, isOfAnotherLink } from '../followed-link.ts'
import { goTo, showError, showPage } from '../page-answer.ts'
import { isInteractionId, type PageRequest, pageRoute } from '../page-route.ts'
import { backField, backIn, signInHref } from '../password/back.ts'
import { rememberLanguage } from '../visit.ts'

const askPath = '/sign-in-link'
const finishPath = '/sign-in-link/finish'
const purpose = 'sign-in-link'

const linkRoute = (path: string, answer: (request: PageRequest) => Promise<FastifyReply> | FastifyReply): Route =>
  pageRoute({ path, methods: ['GET', 'POST'], needsMail: true }, async (request) => {
    const { browser, reply, visit, method } = request
    if (!(await browser.signInLinks.offered(visit.visitor))) return showError(request, { reason: 'not_found' })
    rememberLanguage(reply, visit)
    const forged = method === 'POST' ? visit.forged(purpose) : null
    return forged === null ? answer(request) : showError(request, forged)
  })

export const askForSignInLink = linkRoute(askPath, async (request) => {
  const { browser, visit, method } = request
  if (method !== 'POST' && visit.form.get('done') !== undefined) return showSent(request)
  const named = visit.form.get('username') ?? ''
  if (method !== 'POST' || named.trim() === '') return showAsk(request, null)
  const back = backIn(visit)
  const returnTo = (back[backField] ?? null) as Secret | null
  const linkRequest = { named, returnTo, language: visit.pageContext().language.tag }
  const outcome = await browser.signInLinks.request(linkRequest, visit.visitor)
  if (outcome === 'off') return showError(request, { reason: 'not_found' })
  if (outcome !== 'asked') return showAsk(request, outcome.seconds)
  return goTo(request, `${visit.base}${askPath}?${new URLSearchParams({ done: 'sent', ...back }).toString()}`)
})

function showSent(request: PageRequest): FastifyReply {
  const { visit } = request
  const context = visit.repeatablePageContext({}, { ...backIn(visit), done: 'sent' })
  return showPage(request, signInLinkSentPage(context, { signIn: signInHref(visit) }))
}

function showAsk(request: PageRequest, throttled: number | null): FastifyReply {
  const { visit } = request
  const back = backIn(visit)
  const data = {
    form: { ...ownForm(request, askPath), hidden: back },
    username: visit.form.get('username') ?? visit.lastAccount ?? '',
    signIn: signInHref(visit),
    throttled,
  }
  return showPage(request, signInLinkPage(visit.repeatablePageContext({}, back), data), { wait: throttled })
}

/** A browser without a secret of its own gets one with the page, because the link is valid only for this browser. */
function ownForm({ browser, reply, visit }: PageRequest, path: string) {
  const cookies = browser.nameBrowser(visit.visitor)
  visit.setCookies(reply, cookies)
  return visit.formTarget(path, purpose, cookies.browser)
}

export const finishSignInLink = linkRoute(finishPath, async (request) => {
  const { browser, reply, visit, method } = request
  const token = method === 'POST' ? undefined : visit.form.get('token')
  if (token !== undefined) {
    // Moved out of the URL at once, so that no history has it and nobody can copy it from the screen.
    visit.setLinkCookie(reply, purpose, token as Secret)
    return goTo(request, `${visit.base}${finishPath}`)
  }
  const secret = visit.links[purpose]
  if (secret === null) return showGone(request)
  if (method !== 'POST') return showFollowed(request, secret, null)
  // The form was for another link: nobody is signed in, and the page shows whom the current link signs in.
  if (isOfAnotherLink(visit, secret)) return goTo(request, `${visit.base}${finishPath}`)
  const { outcome, returnTo } = await browser.signInByLink(secret, visit.visitor)
  if (outcome.did === 'throttled') return showFollowed(request, secret, outcome.seconds)
  if (!('cookies' in outcome)) return showGone(request)
  visit.setLinkCookie(reply, purpose, null)
  visit.setCookies(reply, outcome.cookies)
  if (returnTo !== null && isInteractionId(returnTo)) return goTo(request, `${visit.base}/interact/${returnTo}`)
  const pending = outcome.did === 'second-factor-pending'
  return goTo(request, pending ? secondFactorPath(visit, 'apps', false) : onwardFrom(visit, 'apps', false))
})

/** Opening a link does not use it up, because programs that open every link of a mail get this far. */
async function showFollowed(request: PageRequest, secret: Secret, throttled: number | null): Promise<FastifyReply> {
  const { browser, visit } = request
  const offered = await browser.signInLinks.look(secret, visit.visitor)
  if (offered.did === 'gone') return showGone(request)
  if (offered.did === 'elsewhere') {
    const page = linkOfAnotherBrowserPage(visit.repeatablePageContext(), { again: `${visit.base}${askPath}` })
    return showPage(request, page, { status: 400 })
  }
  const form = formOfLink(ownForm(request, finishPath), secret)
  const data = { form, username: offered.username, throttled }
  return showPage(request, followedLinkPage(visit.repeatablePageContext(), data), { wait: throttled })
}

function showGone(request: PageRequest): FastifyReply {
  const { visit, reply } = request
  visit.setLinkCookie(reply, purpose, null)
  return showPage(request, linkGonePage(visit.pageContext(), { again: `${visit.base}${askPath}` }), { status: 400 })
}
