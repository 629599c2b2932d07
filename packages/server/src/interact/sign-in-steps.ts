/** The steps of a sign-in during an authorization: password, passkey, second factor. */
import { type InteractionQuestion, type InteractionVisit, providerFor, type SignInOutcome } from '@grantor/authority'
import type { Refusal } from '@grantor/protocol/oauth'
import { ok, type Result } from '@grantor/protocol/result'
import type { FastifyReply } from 'fastify'
import { passkeyField } from '../pages/components/passkey.ts'
import { goTo, showPage } from './page-answer.ts'
import { problemQuery, providerField, sendToProvider } from './providers/departure.ts'
import { interactionStep } from './hub.ts'
import { stepNeeds } from './interaction-step.ts'
import { errorAnswer, factorAnswer, signInError } from './second-factor-data.ts'
import { type InteractionRequest, signInPage } from './sign-in-pages.ts'

/** Back to the hub, or the same page again with the error. */
async function afterAttempt(
  result: Result<SignInOutcome, Refusal>,
  asking: 'login' | 'second-factor',
  request: InteractionRequest,
): Promise<Result<FastifyReply | null, Refusal>> {
  if (result.kind === 'error') return result
  const outcome = result.value
  const { browser, reply, visit, id } = request
  if ('cookies' in outcome) {
    visit.setCookies(reply, outcome.cookies)
    visit.rememberAccount(reply)
    return ok(null)
  }
  // Only looks at the step: to continue the interaction here could use up the client's answer without sending it.
  const question: InteractionQuestion | null = await browser.currentQuestion(id, visit.visitor)
  if (question === null || question.go !== asking) return ok(null)
  const error = signInError(outcome)
  const typed = visit.form.get('username')
  const retyped = question.go === 'login' && typed !== undefined ? { ...question, username: typed } : question
  return ok(showPage(request, signInPage(retyped, request, error), { ...stepNeeds(question), ...errorAnswer(error) }))
}

export const signInStep = interactionStep('sign-in', async (at, request) => {
  const { browser, visit } = request
  const credentials = { username: visit.form.get('username') ?? '', password: visit.form.get('password') ?? '' }
  // An email address in a provider's domain signs in at that provider, and has no password here.
  const provider = providerFor(credentials.username, await request.catalogue())
  if (provider !== null) return toProvider(at, { provider, loginHint: credentials.username.trim() }, request)
  return afterAttempt(await browser.signIn(at, credentials), 'login', request)
})

export const providerStep = interactionStep('provider', (at, request) =>
  toProvider(at, { provider: request.visit.form.get(providerField) ?? '', loginHint: null }, request),
)

async function toProvider(
  at: InteractionVisit,
  chosen: { readonly provider: string; readonly loginHint: string | null },
  request: InteractionRequest,
): Promise<Result<FastifyReply | null, Refusal>> {
  const { browser, visit, id } = request
  const result = await browser.leaveForProvider(at, chosen)
  if (result.kind === 'error') return result
  const departure = result.value
  if (departure === null) return ok(null)
  if (departure.did === 'left') return ok(sendToProvider(request, departure))
  if (departure.did === 'throttled') return afterAttempt(ok(departure), 'login', request)
  return ok(goTo(request, `${visit.base}/interact/${id}?${problemQuery('unavailable', chosen.provider)}`))
}

export const passkeyStep = interactionStep('passkey', async (at, request) => {
  const { browser, visit } = request
  const text = visit.form.get(passkeyField) ?? ''
  return afterAttempt(await browser.signInWithPasskey(at, text), 'login', request)
})

export const secondFactorStep = interactionStep('second-factor', async (at, request) => {
  const { browser, visit } = request
  if (visit.form.get('start-over') === undefined) {
    return afterAttempt(await browser.secondFactor(at, factorAnswer(visit.form)), 'second-factor', request)
  }
  const outcome = await browser.startOver(at)
  if (outcome.kind === 'error') return outcome
  visit.setCookies(request.reply, outcome.value)
  return ok(null)
})
