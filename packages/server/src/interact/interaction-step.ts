/** The page of the step that an interaction stands at: sign-in, second factor, account choice, consent, or its end. */
import type { InteractionResponse, InteractionResult } from '@grantor/authority'
import { devicePage } from '@grantor/protocol/device'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { chooseAccountPage } from '../pages/choose-account.ts'
import { consentPage } from '../pages/consent.ts'
import { deviceDonePage, type DeviceOutcome } from '../pages/device.ts'
import type { Html } from '../pages/html.ts'
import { loginPage } from '../pages/login.ts'
import { type SecondFactorError, secondFactorPage } from '../pages/second-factor.ts'
import { consentData } from './consent-data.ts'
import { answerClient, authorizationPage, goTo, showError, showPage } from './page-answer.ts'
import type { PageRequest } from './page-route.ts'
import { factorData } from './second-factor-data.ts'
import type { Visit } from './visit.ts'

export interface InteractionRequest extends PageRequest {
  readonly id: Secret
}

export function showStep(result: InteractionResult, at: InteractionRequest): FastifyReply {
  if (result.kind === 'error') return showError(at, result.error)
  const shown = result.value
  const { reply, visit, id } = at
  const target = (step: string) => visit.formTarget(`/interact/${id}/${step}`, id)
  switch (shown.go) {
    case 'answer':
      return answerClient(at, shown.response, {
        pageContext: visit.leavingPageContext(),
        afterForm: visit.form.get('from') === 'form',
        framed: shown.framed === true,
      })
    case 'hub':
      visit.setCookies(reply, shown.cookies)
      return goTo(at, `${visit.base}/interact/${shown.interaction}`)
    case 'device':
      return showPage(at, deviceDonePage(visit.leavingPageContext(), outcomeOf(shown, visit)), authorizationPage)
    case 'login':
    case 'second-factor':
      return showPage(at, signInPage(shown, at, null), stepNeeds(shown))
    case 'choose': {
      const accounts = shown.accounts.map((it) => ({ ...it, reference: it.subject, signedIn: true }))
      const data = { form: target('choose'), client: shown.client.name, accounts }
      return showPage(at, chooseAccountPage(visit.pageContext(shown.uiLocales), data), stepNeeds(shown))
    }
    case 'consent': {
      const pageContext = visit.pageContext(shown.uiLocales)
      return showPage(
        at,
        consentPage(
          pageContext,
          consentData(shown, pageContext, {
            form: target('decide'),
            accountHref: `${visit.base}/account`,
            base: visit.base,
          }),
        ),
        stepNeeds(shown),
      )
    }
  }
}

type SigningIn = Extract<InteractionResponse, { go: 'login' | 'second-factor' }>

/** The page of a step of the sign-in, as it is first shown or as it comes back. */
export function signInPage(shown: SigningIn, { visit, id }: InteractionRequest, error: SecondFactorError | null): Html {
  const pageContext = visit.pageContext(shown.uiLocales)
  const target = (step: string) => visit.formTarget(`/interact/${id}/${step}`, id)
  if (shown.go === 'second-factor') {
    return secondFactorPage(pageContext, factorData(shown, { form: target('second-factor'), error }))
  }
  const { client, username, again } = shown
  const passkey = shown.passkey === null ? null : { form: target('passkey'), options: shown.passkey }
  return loginPage(pageContext, { form: target('sign-in'), client: client.name, username, again, error, passkey })
}

const outcomeOf = (
  { outcome, client }: Extract<InteractionResponse, { go: 'device' }>,
  { base }: Visit,
): DeviceOutcome =>
  outcome === 'expired' ? { kind: outcome, startOver: `${base}${devicePage}` } : { kind: outcome, client }

/** Browsers hold `form-action` against the whole redirect chain, so every page of the way names where it ends. */
export const stepNeeds = ({ redirectUri }: { readonly redirectUri: string }) =>
  redirectUri === '' ? authorizationPage : { ...authorizationPage, formTargets: [redirectUri] }
