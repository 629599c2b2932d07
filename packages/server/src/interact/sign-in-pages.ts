/** The pages of a sign-in on the way through an authorization, as they are first shown or as they come back. */
import { type InteractionResponse } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { Html } from '../pages/html.ts'
import { type LoginError, loginPage } from '../pages/login.ts'
import { type NewPasswordData, newPasswordPage } from '../pages/new-password.ts'
import { secondFactorPage } from '../pages/second-factor.ts'
import { termsPage } from '../pages/sign-up/terms.ts'
import { logoAddress } from '../routes/logos.ts'
import type { PageContext } from '../pages/layout.ts'
import { backField } from './password/back.ts'
import type { PageRequest } from './page-route.ts'
import { factorData, factorError, typedIn } from './second-factor-data.ts'

export interface InteractionRequest extends PageRequest {
  readonly id: Secret
}

type SigningIn = Extract<InteractionResponse, { go: 'login' | 'second-factor' }>

/** The page of a step of the sign-in, as it is first shown or as it comes back. */
export function signInPage(shown: SigningIn, { visit, id }: InteractionRequest, error: LoginError | null): Html {
  const pageContext = visit.repeatablePageContext(shown)
  const target = (step: string) => visit.formTarget(`/interact/${id}/${step}`, id)
  if (shown.go === 'second-factor') {
    return secondFactorPage(
      pageContext,
      factorData(shown, { form: target('second-factor'), error: factorError(error), typed: typedIn(visit.form) }),
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
  { visit, id }: InteractionRequest,
  missing: boolean,
): Html =>
  termsPage(visit.repeatablePageContext(shown), {
    form: visit.formTarget(`/interact/${id}/terms`, id),
    terms: shown.terms,
    missing,
  })

/** Whoever forgot their password, or makes an account, comes back to what they were about to do. */
function withWayBack(context: PageContext, id: Secret): PageContext {
  if (context.mail === undefined) return context
  const hrefs = Object.entries(context.mail).map(([name, href]) => [name, `${href}?${backField}=${id}`])
  return { ...context, mail: Object.fromEntries(hrefs) as NonNullable<PageContext['mail']> }
}

export const newPasswordStepPage = (
  shown: Extract<InteractionResponse, { go: 'new-password' }>,
  { browser, visit, id }: InteractionRequest,
  error: NewPasswordData['error'],
): Html =>
  newPasswordPage(visit.repeatablePageContext(shown), {
    form: visit.formTarget(`/interact/${id}/new-password`, id),
    username: shown.account.username,
    leastLength: browser.leastPasswordLength,
    error,
  })
