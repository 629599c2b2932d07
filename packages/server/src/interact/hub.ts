/** The pages of an authorization: GET shows the step a person stands at, POST records one fact and comes back here. */
import type { InteractionVisit, InteractionResponse } from '@grantor/authority'
import { devicePage } from '@grantor/protocol/device'
import type { Refusal } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Responder } from '../http/responder.ts'
import { chooseAccountPage } from '../pages/choose-account.ts'
import { scopeField } from '../pages/components/scopes.ts'
import { consentPage } from '../pages/consent.ts'
import { deviceDonePage, type DeviceOutcome } from '../pages/device.ts'
import { pageHeaders } from '../pages/csp.ts'
import type { Html } from '../pages/html.ts'
import { loginPage } from '../pages/login.ts'
import { type SecondFactorError, secondFactorPage } from '../pages/second-factor.ts'
import type { Route } from '../routes/route.ts'
import { answerClient, authorizationPage, type PageReply, goTo, showError, showPage } from './page-answer.ts'
import { consentData } from './consent-data.ts'
import { factorData } from './second-factor-data.ts'
import { rememberLanguage, type Visit, visitOf } from './visit.ts'

const path = '/interact/:id'
const shared = { cors: false, at: 'every issuer' } as const

export const hub: Route = {
  ...shared,
  path,
  methods: ['GET'],
  handler: (responder) => async (request, reply) => {
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError({ responder, reply }, read.error)
    const visit = read.value
    const named = interactionOf(request)
    if (named.kind === 'error') return showError({ responder, reply }, named.error)
    const id = named.value
    // RFC 9110 §9.3.2: whoever only asks for the head (a link preview, say) must not use up the client's answer.
    if (request.method === 'HEAD') return responder.send(reply, 200, null, pageHeaders(authorizationPage))
    rememberLanguage(reply, visit)
    const shown = await responder.authority.browser.continueInteraction(id, visit.visitor)
    return showStep(shown, { responder, reply, visit, id })
  },
}

/** What has not the shape of an interaction is none, and never becomes part of an address or a header of ours. */
function interactionOf(request: FastifyRequest): Result<Secret, Refusal> {
  const { id } = request.params as { readonly id: string }
  return /^gi_[\w-]{43}$/.test(id) ? ok(id as Secret) : err({ reason: 'interaction_gone' })
}

export interface InteractionRequest extends PageReply {
  readonly visit: Visit
  readonly id: Secret
}

export function showStep(
  shown: InteractionResponse,
  { responder, reply, visit, id }: InteractionRequest,
): FastifyReply {
  const at = { responder, reply }
  const target = (step: string) => visit.formTarget(`/interact/${id}/${step}`, id)
  switch (shown.go) {
    case 'error':
      return showError(at, shown.refusal)
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
      return showPage(at, signInPage(shown, { responder, reply, visit, id }, null), stepNeeds(shown))
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
export function interactionStep(
  name: string,
  act: (
    at: InteractionVisit,
    visit: Visit,
    request: InteractionRequest,
  ) => Promise<Result<FastifyReply | null, Refusal>>,
): Route {
  return {
    ...shared,
    path: `${path}/${name}`,
    methods: ['GET', 'POST'],
    handler: (responder: Responder) => async (request, reply) => {
      const read = visitOf(request, responder)
      if (read.kind === 'error') return showError({ responder, reply }, read.error)
      const visit = read.value
      const named = interactionOf(request)
      if (named.kind === 'error') return showError({ responder, reply }, named.error)
      const id = named.value
      // The address of a refused attempt, opened anew: the hub knows where one stands.
      if (request.method !== 'POST') return goTo({ responder, reply }, `${visit.base}/interact/${id}`)
      const forged = visit.forged(id)
      if (forged !== null) return showError({ responder, reply }, forged)
      const outcome = await act({ interaction: id, visitor: visit.visitor }, visit, { responder, reply, visit, id })
      if (outcome.kind === 'error') return showError({ responder, reply }, outcome.error)
      return outcome.value ?? goTo({ responder, reply }, `${visit.base}/interact/${id}?from=form`)
    },
  }
}

export const chooseStep = interactionStep('choose', (at, visit, { responder }) =>
  responder.authority.browser.chooseAccount(at, visit.form.get('account') ?? null),
)

export const decideStep = interactionStep('decide', async (at, visit, { responder }) => {
  const { browser } = responder.authority
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
