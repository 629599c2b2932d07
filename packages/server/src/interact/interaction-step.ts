/** The page of an interaction's current step: sign-in, second factor, account choice, consent, or its end. */
import type { InteractionResponse, InteractionResult } from '@grantor/authority'
import { devicePage } from '@grantor/protocol/device'
import type { FastifyReply } from 'fastify'
import { chooseAccountPage } from '../pages/choose-account.ts'
import { consentPage } from '../pages/consent.ts'
import { deviceDonePage, type DeviceOutcome } from '../pages/device.ts'
import { consentData } from './consent-data.ts'
import { answerClient, authorizationPage, goTo, showError, showPage, showUnredirected } from './page-answer.ts'
import { problemIn } from './providers/departure.ts'
import { errorAnswer } from './second-factor-data.ts'
import { formFor, type InteractionRequest, newPasswordStepPage, signInPage, termsStepPage } from './sign-in-pages.ts'
import type { Visit } from './visit.ts'

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
    case 'unredirected':
      return showUnredirected(at, shown, visit.leavingPageContext())
    case 'hub':
      visit.setCookies(reply, shown.cookies)
      return goTo(at, `${visit.base}/interact/${shown.interaction}`)
    case 'device':
      return showPage(at, deviceDonePage(visit.leavingPageContext(), outcomeOf(shown, visit)), authorizationPage)
    case 'login': {
      const error = problemIn(visit.form, shown.providers)
      return showPage(at, signInPage(shown, at, error), { ...stepNeeds(shown), ...errorAnswer(error) })
    }
    case 'second-factor':
      return showPage(at, signInPage(shown, at, null), stepNeeds(shown))
    case 'new-password':
      return showPage(at, newPasswordStepPage(shown, at, null), stepNeeds(shown))
    case 'terms':
      return showPage(at, termsStepPage(shown, at, false), stepNeeds(shown))
    case 'choose': {
      const accounts = shown.accounts.map((account) => ({ ...account, reference: account.subject, signedIn: true }))
      const data = { form: target('choose'), client: shown.client.name, accounts }
      return showPage(at, chooseAccountPage(visit.pageContext(shown), data), stepNeeds(shown))
    }
    case 'consent': {
      const pageContext = visit.pageContext(shown)
      return showPage(
        at,
        consentPage(
          pageContext,
          consentData(shown, pageContext, {
            form: formFor(shown.account, 'decide', at),
            accountHref: `${visit.base}/account`,
            base: visit.base,
          }),
        ),
        stepNeeds(shown),
      )
    }
  }
}

function outcomeOf(
  { outcome, client, backchannel }: Extract<InteractionResponse, { go: 'device' }>,
  { base }: Visit,
): DeviceOutcome {
  if (!backchannel)
    return outcome === 'expired'
      ? { kind: outcome, startOver: `${base}${devicePage}` }
      : { kind: outcome, client, account: `${base}/account` }
  const allRequests = `${base}/account/requests`
  if (outcome === 'expired') return { kind: 'requestExpired', allRequests }
  return { kind: outcome === 'approved' ? 'requestApproved' : 'requestDenied', client, allRequests }
}

/** Browsers apply `form-action` to the whole redirect chain, so every page on the way names the final redirect URI. */
export const stepNeeds = ({ redirectUri }: { readonly redirectUri: string }) =>
  redirectUri === '' ? authorizationPage : { ...authorizationPage, formTargets: [redirectUri] }
