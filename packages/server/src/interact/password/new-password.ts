/** Choosing a password in place of one set by somebody else, during an authorization or before the account pages. */
import type { Account, NewPasswordOutcome } from '@grantor/authority'
import { ok } from '@grantor/protocol/result'
import type { FastifyReply } from 'fastify'
import { type NewPasswordData, newPasswordPage } from '../../pages/new-password.ts'
import { accountForm, accountFormPurpose, isOfAnother } from '../own-account/account-form.ts'
import { interactionStep } from '../hub.ts'
import { stepNeeds } from '../interaction-step.ts'
import { answeredQuestion, newPasswordStepPage } from '../sign-in-pages.ts'
import { goTo, showError, showPage } from '../page-answer.ts'
import { type PageRequest, pageRoute } from '../page-route.ts'

const errors: Readonly<
  Record<Exclude<NewPasswordOutcome, 'changed' | 'outrun'>, NonNullable<NewPasswordData['error']>>
> = {
  too_short: 'short',
  too_long: 'long',
  is_name: 'common',
  breached: 'common',
  unchanged: 'same',
}

const typedIn = ({ visit }: PageRequest): string => visit.form.get('new-password') ?? ''

export const newPasswordStep = interactionStep('new-password', async (at, request) => {
  const { browser } = request
  const shown = await answeredQuestion('new-password', request)
  if (shown === null) return ok(null)
  const outcome = await browser.chooseNewPassword(at, typedIn(request))
  if (outcome.kind === 'error') return outcome
  // `outrun`: the account was changed at the same time, so the hub loads it and asks again.
  if (outcome.value === 'changed' || outcome.value === 'outrun') return ok(null)
  const page = newPasswordStepPage(shown, request, errors[outcome.value])
  return ok(showPage(request, page, { ...stepNeeds(shown), status: 400 }))
})

const accountPath = '/account/new-password'

/** The page that every account page shows instead while a new password must be chosen. */
export function askForNewPassword(
  request: PageRequest & { readonly account: Account },
  error: NewPasswordData['error'] = null,
): FastifyReply {
  const { browser, visit, account } = request
  const { username } = account.person
  const form = accountForm(request, accountPath)
  const page = newPasswordPage(visit.pageContext(), { form, username, leastLength: browser.leastPasswordLength, error })
  return showPage(request, page, { status: error === null ? 200 : 400 })
}

export const newPassword = pageRoute({ path: accountPath, methods: ['GET', 'POST'] }, async (request) => {
  const { browser, visit, method } = request
  const home = `${visit.base}/account`
  const account = (await browser.accounts(visit.visitor)).at(-1)
  // The URL of a refused attempt, opened again: the account pages know the current step.
  if (method !== 'POST' || account === undefined) return goTo(request, home)
  const forged = visit.forged(accountFormPurpose)
  if (forged !== null) return showError(request, forged)
  if (isOfAnother({ visit, account })) return goTo(request, home)
  const outcome = await browser.account.chooseNewPassword(account, typedIn(request), visit.visitor)
  if (outcome === 'outrun') return goTo(request, home)
  return outcome === 'changed'
    ? goTo(request, `${home}?done=password_changed`)
    : askForNewPassword({ ...request, account }, errors[outcome])
})
