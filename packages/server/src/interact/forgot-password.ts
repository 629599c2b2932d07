/** /forgot-password and /reset-password: a new password by a mailed link. Where nothing can be mailed, there is nothing here. */
import { minPasswordLength, type AccountMail, type ResetOutcome } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { forgotPasswordPage, linkSentPage } from '../pages/forgot-password.ts'
import { linkGonePage, passwordResetPage, resetPasswordPage } from '../pages/reset-password.ts'
import type { Responder } from '../http/responder.ts'
import type { Route } from '../routes/route.ts'
import { type Counter, goTo, showError, showPage } from './page-answer.ts'
import { keepLanguage, type Visit, visitOf } from './visit.ts'

interface Scene extends Counter {
  readonly visit: Visit
  readonly mail: AccountMail
  readonly posted: boolean
}

const forgotPath = '/forgot-password'
const resetPath = '/reset-password'
const purpose = 'reset'

/** A page of the mail: 404 without mail, and no form but one of ours. */
const mailRoute = (path: string, answer: (scene: Scene) => Promise<FastifyReply>): Route => ({
  path,
  methods: ['GET', 'POST'],
  cors: false,
  at: 'every issuer',
  handler: (responder: Responder) => async (request, reply) => {
    const at = { responder, reply }
    const { mail } = responder.authority.browser
    if (mail === null) return showError(at, { reason: 'not_found' })
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError(at, read.error)
    const visit = read.value
    keepLanguage(reply, visit)
    const posted = request.method === 'POST'
    const forged = posted ? visit.forged(purpose) : null
    return forged === null ? answer({ ...at, visit, mail, posted }) : showError(at, forged)
  },
})

export const forgotPassword = mailRoute(forgotPath, async (scene) => {
  const { visit, mail, posted } = scene
  const signIn = `${visit.base}/account`
  if (!posted && visit.form.get('done') !== undefined)
    return showPage(scene, linkSentPage(visit.pageContext(), { signIn }))
  const username = visit.form.get('username') ?? ''
  if (!posted || username.trim() === '') return askWho(scene, null)
  const answer = await mail.requestReset({ named: username, language: visit.pageContext().language.tag }, visit.visitor)
  if (answer.did === 'throttled') return askWho(scene, answer.seconds)
  return goTo(scene, `${visit.base}${forgotPath}?done=sent`)
})

function askWho(scene: Scene, throttled: number | null): FastifyReply {
  const { visit } = scene
  const data = { form: target(scene, forgotPath), username: visit.form.get('username') ?? '', throttled }
  return showPage(scene, forgotPasswordPage(visit.pageContext(), data), { status: throttled === null ? 200 : 429 })
}

/** A browser that has no name yet gets one with the page, so that the form can be told from a forged one. */
function target({ responder, reply, visit }: Scene, path: string) {
  const keep = responder.authority.browser.nameBrowser(visit.visitor)
  visit.keep(reply, keep)
  return visit.target(path, purpose, keep.browser)
}

export const resetPassword = mailRoute(resetPath, async (scene) => {
  const { visit, mail, posted, reply } = scene
  const token = visit.form.get('token')
  if (!posted && token !== undefined) {
    // Out of the address at once: it stands in no history, and nobody who looks over a shoulder copies it.
    visit.keepLink(reply, 'reset', token as Secret)
    return goTo(scene, `${visit.base}${resetPath}`)
  }
  if (!posted && visit.form.get('done') !== undefined)
    return showPage(scene, passwordResetPage(visit.pageContext(), { signIn: `${visit.base}/account` }))
  const secret = visit.links.reset
  if (!posted || secret === null) return askForPassword(scene, null)
  const outcome = await mail.resetPassword({ secret, next: visit.form.get('new-password') ?? '' }, visit.visitor)
  if (outcome !== 'reset') return askForPassword(scene, outcome)
  visit.keepLink(reply, 'reset', null)
  return goTo(scene, `${visit.base}${resetPath}?done=changed`)
})

const errors: Readonly<Record<Exclude<ResetOutcome, 'reset' | 'gone'>, 'short' | 'long' | 'common'>> = {
  too_short: 'short',
  too_long: 'long',
  is_name: 'common',
}

/** Looking at a link uses nothing up: the programs that open every link of a mail get as far as this page. */
async function askForPassword(scene: Scene, outcome: Exclude<ResetOutcome, 'reset'> | null): Promise<FastifyReply> {
  const { visit, mail, reply } = scene
  const secret = visit.links.reset
  const username = secret === null ? null : await mail.resettableUsername(secret, visit.visitor)
  if (username === null || outcome === 'gone') {
    visit.keepLink(reply, 'reset', null)
    return showPage(scene, linkGonePage(visit.pageContext(), { again: `${visit.base}${forgotPath}` }), { status: 400 })
  }
  const error = outcome === null ? null : errors[outcome]
  const data = { form: target(scene, resetPath), username, leastLength: minPasswordLength, error }
  return showPage(scene, resetPasswordPage(visit.pageContext(), data), { status: error === null ? 200 : 400 })
}
