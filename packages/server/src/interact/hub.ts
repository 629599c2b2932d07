/** The hub of an authorization: GET shows the current step, a POST to a step records one fact and comes back here. */
import type { InteractionVisit } from '@grantor/authority'
import type { Refusal } from '@grantor/protocol/oauth'
import { ok, type Result } from '@grantor/protocol/result'
import type { FastifyReply } from 'fastify'
import { scopeField } from '../pages/components/scopes.ts'
import { pageHeaders } from '../pages/csp.ts'
import type { Route } from '../routes/route.ts'
import { showStep } from './interaction-step.ts'
import { answeredQuestion, type InteractionRequest } from './sign-in-pages.ts'
import { authorizationPage, goTo, showError } from './page-answer.ts'
import { interactionIdOf, pageRoute } from './page-route.ts'
import { rememberLanguage } from './visit.ts'

const path = '/interact/:id'

export const hub = pageRoute({ path, methods: ['GET'] }, async (request) => {
  const { responder, reply, browser, visit, method } = request
  const id = interactionIdOf(request)
  if (id === null) return showError(request, { reason: 'interaction_gone' })
  // RFC 9110 §9.3.2: a HEAD request (of a link preview, say) must not use up the client's answer.
  if (method === 'HEAD') return responder.send(reply, 200, null, pageHeaders(authorizationPage))
  rememberLanguage(reply, visit)
  return showStep(await browser.continueInteraction(id, visit.visitor), { ...request, id })
})

/** A step: checked for CSRF, carried out, and redirected back to the hub. */
export const interactionStep = (
  name: string,
  act: (at: InteractionVisit, request: InteractionRequest) => Promise<Result<FastifyReply | null, Refusal>>,
): Route =>
  pageRoute({ path: `${path}/${name}`, methods: ['GET', 'POST'] }, async (request) => {
    const { visit, method } = request
    const id = interactionIdOf(request)
    if (id === null) return showError(request, { reason: 'interaction_gone' })
    // The URL of a refused attempt was loaded again: the hub shows the current step.
    if (method !== 'POST') {
      rememberLanguage(request.reply, visit)
      return goTo(request, `${visit.base}/interact/${id}`)
    }
    const forged = visit.forged(id)
    if (forged !== null) return showError(request, forged)
    const outcome = await act({ interaction: id, visitor: visit.visitor }, { ...request, id })
    if (outcome.kind === 'error') return showError(request, outcome.error)
    return outcome.value ?? goTo(request, `${visit.base}/interact/${id}?from=form`)
  })

export const chooseStep = interactionStep('choose', (at, { browser, visit }) =>
  browser.chooseAccount(at, visit.form.get('account') ?? null),
)

export const decideStep = interactionStep('decide', async (at, request) => {
  const { browser, visit } = request
  if (visit.form.get('switch-account') !== undefined) return browser.switchAccount(at)
  const consent = await answeredQuestion('consent', request)
  if (consent === null) return ok(null)
  const { optional } = consent.question
  const ticked = new Set([...optional].filter((name) => visit.form.get(scopeField(name)) !== undefined))
  // Only the Allow button allows; any other form that arrives here denies.
  return browser.answerConsent(at, {
    allow: visit.form.get('allow') !== undefined && visit.form.get('deny') === undefined,
    ticked,
  })
})
