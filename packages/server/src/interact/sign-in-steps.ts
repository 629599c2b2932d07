/** The steps of a sign-in on the way through an authorization: password, passkey, second factor. */
import type { InteractionQuestion, SignInOutcome } from '@grantor/authority'
import type { Refusal } from '@grantor/protocol/oauth'
import { ok, type Result } from '@grantor/protocol/result'
import type { FastifyReply } from 'fastify'
import { passkeyField } from '../pages/components/passkey.ts'
import { showPage } from './page-answer.ts'
import { needs, pageOf, type Scene, step } from './hub.ts'
import { errorOf, factorAnswer, statusOf } from './second-factor-data.ts'

/** Back to the hub, or the same page once more with what went wrong. */
async function concluded(
  result: Result<SignInOutcome, Refusal>,
  asking: 'login' | 'second-factor',
  scene: Scene,
): Promise<Result<FastifyReply | null, Refusal>> {
  if (result.kind === 'error') return result
  const outcome = result.value
  const { responder, reply, visit, id } = scene
  if ('cookies' in outcome) {
    visit.keep(reply, outcome.cookies)
    return ok(null)
  }
  // Looks only: going on from here would give the client its answer on a request that cannot carry it there.
  const shown: InteractionQuestion | null = await responder.authority.browser.currentQuestion(id, visit.visitor)
  if (shown === null || shown.go !== asking) return ok(null)
  const error = errorOf(outcome)
  const typed = visit.form.get('username')
  const again = shown.go === 'login' && typed !== undefined ? { ...shown, username: typed } : shown
  return ok(showPage(scene, pageOf(again, scene, error), { ...needs(shown), status: statusOf(error) }))
}

export const signInStep = step('sign-in', async (at, visit, scene) => {
  const by = { username: visit.form.get('username') ?? '', password: visit.form.get('password') ?? '' }
  return concluded(await scene.responder.authority.browser.signIn(at, by), 'login', scene)
})

export const passkeyStep = step('passkey', async (at, visit, scene) => {
  const text = visit.form.get(passkeyField) ?? ''
  return concluded(await scene.responder.authority.browser.signInWithPasskey(at, text), 'login', scene)
})

export const secondFactorStep = step('second-factor', async (at, visit, scene) => {
  const { browser } = scene.responder.authority
  if (visit.form.get('start-over') === undefined) {
    return concluded(await browser.secondFactor(at, factorAnswer(visit.form)), 'second-factor', scene)
  }
  const outcome = await browser.startOver(at)
  if (outcome.kind === 'error') return outcome
  visit.keep(scene.reply, outcome.value)
  return ok(null)
})
