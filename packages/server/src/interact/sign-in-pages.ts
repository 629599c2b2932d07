/** The pages of a sign-in during an authorization, shown first or again with an error. */
import type { DisplayedAccount, InteractionQuestion, InteractionResponse } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { FormTarget } from '../pages/components/form.ts'
import type { Html } from '../pages/html.ts'
import { type LoginError, loginPage } from '../pages/login.ts'
import { type NewPasswordData, newPasswordPage } from '../pages/new-password.ts'
import { secondFactorPage } from '../pages/second-factor.ts'
import { termsPage } from '../pages/sign-up/terms.ts'
import { logoAddress } from '../routes/logos.ts'
import type { PageContext } from '../pages/layout.ts'
import { backField } from './password/back.ts'
import type { PageRequest } from './page-route.ts'
import { factorData, factorError } from './second-factor-data.ts'

export interface InteractionRequest extends PageRequest {
  readonly id: Secret
}

const askedField = 'account'

/** A form for one account, which it names, because somebody else may sign in here before it is sent. */
export const formFor = ({ subject }: DisplayedAccount, step: string, at: InteractionRequest): FormTarget => ({
  ...at.visit.formTarget(`/interact/${at.id}/${step}`, at.id),
  hidden: { [askedField]: subject },
})

type AccountQuestion = Extract<InteractionQuestion, { go: 'new-password' | 'terms' | 'consent' }>

/** The question that a form answers. Null where it is not the current one, or was for another account. */
export async function answeredQuestion<Go extends AccountQuestion['go']>(
  go: Go,
  { browser, visit, id }: InteractionRequest,
): Promise<Extract<AccountQuestion, { go: Go }> | null> {
  const isAsked = (it: InteractionQuestion): it is Extract<AccountQuestion, { go: Go }> => it.go === go
  const shown = await browser.currentQuestion(id, visit.visitor)
  if (shown === null || !isAsked(shown)) return null
  const { subject } = shown.account
  return (visit.form.get(askedField) ?? subject) === subject ? shown : null
}

type SigningIn = Extract<InteractionResponse, { go: 'login' | 'second-factor' }>

/** The page of a sign-in step, shown first or again with an error. */
export function signInPage(shown: SigningIn, { visit, id }: InteractionRequest, error: LoginError | null): Html {
  const pageContext = visit.repeatablePageContext(shown)
  const target = (step: string) => visit.formTarget(`/interact/${id}/${step}`, id)
  if (shown.go === 'second-factor') {
    return secondFactorPage(
      pageContext,
      factorData(shown, { form: target('second-factor'), error: factorError(error), sent: visit.form }),
    )
  }
  const { client, username, again } = shown
  const passkey = shown.passkey === null ? null : { form: target('passkey'), options: shown.passkey }
  const shownClient = {
    name: client.name,
    logo: logoAddress(visit.base, client.id, shown.logo),
    policyUri: client.policyUri,
    termsUri: client.termsUri,
  }
  return loginPage(withWayBack(pageContext, id), {
    form: target('sign-in'),
    client: shownClient,
    username: username === '' ? (visit.lastAccount ?? '') : username,
    again,
    error,
    passkey,
    providers: { form: target('provider'), list: shown.providers, byAddress: shown.byAddress },
  })
}

export const termsStepPage = (
  shown: Extract<InteractionResponse, { go: 'terms' }>,
  at: InteractionRequest,
  missing: boolean,
): Html =>
  termsPage(at.visit.repeatablePageContext(shown), {
    form: formFor(shown.account, 'terms', at),
    terms: shown.terms,
    missing,
  })

/** Lets a person who resets a password or signs up come back to this authorization. */
function withWayBack(context: PageContext, id: Secret): PageContext {
  if (context.mail === undefined) return context
  const hrefs = Object.entries(context.mail).map(([name, href]) => [name, `${href}?${backField}=${id}`])
  return { ...context, mail: Object.fromEntries(hrefs) as NonNullable<PageContext['mail']> }
}

export const newPasswordStepPage = (
  shown: Extract<InteractionResponse, { go: 'new-password' }>,
  at: InteractionRequest,
  error: NewPasswordData['error'],
): Html =>
  newPasswordPage(at.visit.repeatablePageContext(shown), {
    form: formFor(shown.account, 'new-password', at),
    username: shown.account.username,
    leastLength: at.browser.leastPasswordLength,
    error,
  })
