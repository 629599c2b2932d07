/** The pages of an authorization: GET shows the step a person stands at, POST records one fact and comes back here. */
import type { InteractionResponse, InteractionResult, InteractionVisit } from '@grantor/authority'
import { devicePage } from '@grantor/protocol/device'
import type { Refusal } from '@grantor/protocol/oauth'
import { ok, type Result } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { chooseAccountPage } from '../pages/choose-account.ts'
import { scopeField } from '../pages/components/scopes.ts'
import { consentPage } from '../pages/consent.ts'
import { deviceDonePage, type DeviceOutcome } from '../pages/device.ts'
import { pageHeaders } from '../pages/csp.ts'
import type { Html } from '../pages/html.ts'
import { loginPage } from '../pages/login.ts'
import { type SecondFactorError, secondFactorPage } from '../pages/second-factor.ts'
import type { Route } from '../routes/route.ts'
import { answerClient, authorizationPage, goTo, showError, showPage } from './page-answer.ts'
import { consentData } from './consent-data.ts'
import { interactionIdOf, type PageRequest, pageRoute } from './page-route.ts'
import { factorData } from './second-factor-data.ts'
import { rememberLanguage, type Visit } from './visit.ts'

const path = '/interact/:id'

export const hub = pageRoute({ path, methods: ['GET'] }, async (request) => {
  const { responder, reply, browser, visit, method } = request
  const id = interactionIdOf(request)
  if (id === null) return showError(request, { reason: 'interaction_gone' })
  // RFC 9110 §9.3.2: whoever only asks for the head (a link preview, say) must not use up the client's answer.
  if (method === 'HEAD') return responder.send(reply, 200, null, pageHeaders(authorizationPage))
  rememberLanguage(reply, visit)
  return showStep(await browser.continueInteraction(id, visit.visitor), { ...request, id })
})

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

/** A step of ours: guarded, carried out, and back to the hub. */
export const interactionStep = (
  name: string,
  act: (at: InteractionVisit, request: InteractionRequest) => Promise<Result<FastifyReply | null, Refusal>>,
): Route =>
  pageRoute({ path: `${path}/${name}`, methods: ['GET', 'POST'] }, async (request) => {
    const { visit, method } = request
    const id = interactionIdOf(request)
    if (id === null) return showError(request, { reason: 'interaction_gone' })
    // The address of a refused attempt, opened anew: the hub knows where one stands.
    if (method !== 'POST') return goTo(request, `${visit.base}/interact/${id}`)
    const forged = visit.forged(id)
    if (forged !== null) return showError(request, forged)
    const outcome = await act({ interaction: id, visitor: visit.visitor }, { ...request, id })
    if (outcome.kind === 'error') return showError(request, outcome.error)
    return outcome.value ?? goTo(request, `${visit.base}/interact/${id}?from=form`)
  })

export const chooseStep = interactionStep('choose', (at, { browser, visit }) =>
  browser.chooseAccount(at, visit.form.get('account') ?? null),
)

export const decideStep = interactionStep('decide', async (at, { browser, visit }) => {
  if (visit.form.get('switch-account') !== undefined) return browser.switchAccount(at)
  const shown = await browser.currentQuestion(at.interaction, at.visitor)
  if (shown?.go !== 'consent') return ok(null)
  const ticked = new Set([...shown.question.optional].filter((name) => visit.form.get(scopeField(name)) !== undefined))
  // Only the one button says yes; anything else that arrives here is a no.
  return browser.answerConsent(at, {
    allow: visit.form.get('allow') !== undefined && visit.form.get('deny') === undefined,
    ticked,
  })
})
