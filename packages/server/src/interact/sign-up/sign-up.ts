/** /sign-up: asks for the address of a new account. Not found where people may not create accounts themselves. */
import type { SignUpRequestOutcome } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { type SignUpError, signUpPage, signUpRefusedPage, signUpSentPage } from '../../pages/sign-up/sign-up.ts'
import { goTo, showError, showPage } from '../page-answer.ts'
import { type PageRequest, pageRoute } from '../page-route.ts'
import { backField, backIn, signInHref } from '../password/back.ts'
import { rememberLanguage } from '../visit.ts'

const path = '/sign-up'
/** Seconds for `Retry-After` while the sign-up hook cannot be asked. */
const comeAgain = 2
export const signUpPurpose = 'sign-up'

export const signUp = pageRoute({ path, methods: ['GET', 'POST'], needsMail: true }, async (request) => {
  const { browser, reply, visit, method } = request
  if ((await browser.signUp.policy(visit.visitor)) === null) return showError(request, { reason: 'not_found' })
  rememberLanguage(reply, visit)
  if (method !== 'POST') return visit.form.get('done') === undefined ? showSignUp(request, null) : showSent(request)
  const forged = visit.forged(signUpPurpose)
  if (forged !== null) return showError(request, forged)
  const back = backIn(visit)
  const signUpRequest = {
    email: visit.form.get('email') ?? '',
    returnTo: (back[backField] ?? null) as Secret | null,
    language: visit.pageContext().language.tag,
  }
  const outcome = await browser.signUp.request(signUpRequest, visit.visitor)
  if (outcome === 'off') return showError(request, { reason: 'not_found' })
  if (outcome === 'unavailable') return showError(request, { reason: 'unavailable', retryAfter: comeAgain })
  if (typeof outcome === 'object' && outcome.did === 'refused') return showRefused(request, outcome.url)
  if (outcome !== 'asked') return showSignUp(request, errorOf(outcome))
  return goTo(request, `${visit.base}${path}?${new URLSearchParams({ done: 'sent', ...back }).toString()}`)
})

type Correctable = Exclude<SignUpRequestOutcome, 'asked' | 'off' | 'unavailable' | { readonly did: 'refused' }>

const errorOf = (outcome: Correctable): SignUpError =>
  typeof outcome === 'object' ? { throttled: outcome.seconds } : outcome

function showRefused(request: PageRequest, onward: string | null): FastifyReply {
  const { visit } = request
  return showPage(request, signUpRefusedPage(visit.pageContext(), { signIn: signInHref(visit), onward }), {
    status: 403,
  })
}

function showSent(request: PageRequest): FastifyReply {
  const { visit } = request
  const context = visit.repeatablePageContext({}, { ...backIn(visit), done: 'sent' })
  return showPage(request, signUpSentPage(context, { signIn: signInHref(visit) }))
}

function showSignUp(request: PageRequest, error: SignUpError | null): FastifyReply {
  const { visit } = request
  const back = backIn(visit)
  const data = {
    form: { ...ownForm(request, path), hidden: back },
    email: visit.form.get('email') ?? '',
    signIn: signInHref(visit),
    error,
  }
  const wait = typeof error === 'object' && error !== null ? error.throttled : null
  return showPage(request, signUpPage(visit.repeatablePageContext({}, back), data), {
    wait,
    ...(error === null || wait !== null ? {} : { status: 400 }),
  })
}

/** A browser without a secret of its own gets one with the page, on which the form's CSRF token depends. */
export function ownForm({ browser, reply, visit }: PageRequest, to: string) {
  const cookies = browser.nameBrowser(visit.visitor)
  visit.setCookies(reply, cookies)
  return visit.formTarget(to, signUpPurpose, cookies.browser)
}
