/** Agreeing to the terms of use, during an authorization and before the account pages. */
import type { Account } from '@grantor/authority'
import type { Terms } from '@grantor/protocol/people'
import { ok } from '@grantor/protocol/result'
import type { FastifyReply } from 'fastify'
import { termsField, termsPage } from '../../pages/sign-up/terms.ts'
import { accountForm, accountFormPurpose, isOfAnother } from '../own-account/account-form.ts'
import { interactionStep } from '../hub.ts'
import { stepNeeds } from '../interaction-step.ts'
import { goTo, showError, showPage } from '../page-answer.ts'
import { type PageRequest, pageRoute } from '../page-route.ts'
import { answeredQuestion, termsStepPage } from '../sign-in-pages.ts'

const agreedTo = ({ visit }: PageRequest): string | null => visit.form.get(termsField) ?? null

export const termsStep = interactionStep('terms', async (at, request) => {
  const { browser } = request
  const shown = await answeredQuestion('terms', request)
  if (shown === null) return ok(null)
  const version = agreedTo(request)
  if (version !== null) return browser.acceptTerms(at, version)
  return ok(showPage(request, termsStepPage(shown, request, true), { ...stepNeeds(shown), status: 400 }))
})

const accountPath = '/account/terms'

/** The page that every account page shows instead until the person has agreed. */
export function askForTerms(
  request: PageRequest & { readonly account: Account },
  terms: Terms,
  missing = false,
): FastifyReply {
  const page = termsPage(request.visit.pageContext(), { form: accountForm(request, accountPath), terms, missing })
  return showPage(request, page, { status: missing ? 400 : 200 })
}

export const agreeToTerms = pageRoute({ path: accountPath, methods: ['GET', 'POST'] }, async (request) => {
  const { browser, visit, method } = request
  const home = `${visit.base}/account`
  const account = (await browser.accounts(visit.visitor)).at(-1)
  // The URL of a refused attempt, opened again: the account pages know the current step.
  if (method !== 'POST' || account === undefined) return goTo(request, home)
  const forged = visit.forged(accountFormPurpose)
  if (forged !== null) return showError(request, forged)
  if (isOfAnother({ visit, account })) return goTo(request, home)
  const version = agreedTo(request)
  const terms = await browser.signUp.termsFor(account)
  if (version === null && terms !== null) return askForTerms({ ...request, account }, terms, true)
  if (version !== null) await browser.signUp.agreeToTerms(account, version, visit.visitor)
  return goTo(request, home)
})
