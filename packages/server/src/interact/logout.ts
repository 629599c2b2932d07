/** GET and POST /logout: asks before signing out, because other sites can send people here; a client with a hint goes on. */
import type { EndedSessions } from '@grantor/authority'
import { endpointPath } from '@grantor/protocol/documents'
import type { Form } from '@grantor/protocol/oauth'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { pageHeaders } from '../pages/csp.ts'
import { frontChannelLogoutPage } from '../pages/front-channel-logout.ts'
import { logoutPage } from '../pages/logout.ts'
import { signedOutPage } from '../pages/signed-out.ts'
import type { Route } from '../routes/route.ts'
import { answerClient, type PageReply, goTo, showError, showPage } from './page-answer.ts'
import { rememberLanguage, type Visit, visitOf } from './visit.ts'

const purpose = 'logout'
const shared = { cors: false, at: 'every issuer' } as const

/** RP-Initiated Logout 1.0 §2. */
const clientParameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'logout_hint']
const isFromClient = (form: Form): boolean => clientParameters.some((name) => form.get(name) !== undefined)

export const logout: Route = {
  ...shared,
  path: endpointPath.endSession,
  methods: ['GET', 'POST'],
  handler: (responder) => async (request, reply) => {
    const at = { responder, reply }
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError(at, read.error)
    const visit = read.value
    const { browser } = responder.authority
    if (isFromClient(visit.form)) {
      const begun = await browser.logout.begin(visit.form, visit.visitor)
      if (begun.go === 'error') return showError(at, begun.refusal)
      // What was sent stays out of the address of the page that follows.
      const rest = begun.go === 'hub' ? `/${begun.interaction}` : localesQuery(visit.form)
      return goTo(at, `${visit.base}${endpointPath.endSession}${rest}`)
    }
    rememberLanguage(reply, visit)
    // A form of another site also arrives here by POST: without our token it only gets the question, as GET does.
    const pressed = visit.forged(purpose) === null ? pressedButton(visit) : null
    if (pressed === 'stay') return goTo(at, `${visit.base}/account`)
    if (pressed === 'sign-out')
      return answerSignedOut(at, visit, { left: await browser.signOut(visit.visitor), onward: null })
    const accounts = await browser.accounts(visit.visitor)
    // A form of another site comes without the cookies that would tell: the way back here brings them.
    const nobody = request.method === 'POST' ? endpointPath.endSession : '/signed-out'
    if (accounts.length === 0) return goTo(at, `${visit.base}${nobody}`)
    const form = visit.formTarget(endpointPath.endSession, purpose)
    return showPage(at, logoutPage(visit.pageContext(localesIn(visit.form)), { form, client: null }))
  },
}

const localesIn = (form: Form): readonly string[] => (form.get('ui_locales') ?? '').split(' ').slice(0, 20)

const localesQuery = (form: Form): string => {
  const wanted = form.get('ui_locales') ?? ''
  return /^[\w -]{1,100}$/.test(wanted) ? `?ui_locales=${encodeURIComponent(wanted)}` : ''
}

/** A client's request, on a page of ours whose address tells nothing of it. */
export const clientLogout: Route = {
  ...shared,
  path: `${endpointPath.endSession}/:id`,
  methods: ['GET', 'POST'],
  handler: (responder) => async (request, reply) => {
    const at = { responder, reply }
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError(at, read.error)
    const visit = read.value
    const { id } = request.params as { readonly id: string }
    if (!/^gi_[\w-]{43}$/.test(id)) return showError(at, { reason: 'interaction_gone' })
    const { browser } = responder.authority
    const path = `${endpointPath.endSession}/${id}`
    // RFC 9110 §9.3.2: whoever only asks for the head signs nobody out.
    if (request.method === 'HEAD') return responder.send(reply, 200, null, pageHeaders())
    const byForm = request.method === 'POST'
    if (byForm && visit.forged(id) !== null) return showError(at, { reason: 'form_forged' })
    if (byForm && pressedButton(visit) !== 'sign-out') return goTo(at, `${visit.base}/account`)
    rememberLanguage(reply, visit)
    const shown = byForm
      ? await browser.logout.confirm(id as Secret, visit.visitor)
      : await browser.logout.continue(id as Secret, visit.visitor)
    // Loaded again, or too late: our own question, or the news that nobody is signed in.
    if (shown.go === 'gone') return goTo(at, `${visit.base}${endpointPath.endSession}`)
    if (shown.go === 'left') return answerSignedOut(at, visit, shown)
    const page = logoutPage(visit.pageContext(shown.uiLocales), {
      form: visit.formTarget(path, id),
      client: shown.client,
    })
    return showPage(at, page, { formTargets: shown.redirectUri === null ? [] : [shown.redirectUri] })
  },
}

/** Only the one button says yes. */
function pressedButton({ form }: Visit): 'sign-out' | 'stay' | null {
  if (form.get('stay') !== undefined) return 'stay'
  return form.get('sign-out') === undefined ? null : 'sign-out'
}

/** Signed out: the clients that listen in frames hear of it, and then the person goes on. */
export function answerSignedOut(
  at: PageReply,
  visit: Visit,
  how: { readonly left: EndedSessions; readonly onward: string | null },
): FastifyReply {
  const { frames, ...cookies } = how.left
  visit.setCookies(at.reply, cookies)
  const onward = how.onward ?? `${visit.base}/signed-out`
  if (frames.length > 0)
    return showPage(at, frontChannelLogoutPage(visit.leavingPageContext(), { frames, onward }), { frames })
  if (how.onward === null) return goTo(at, onward)
  const afterForm = at.reply.request.method === 'POST'
  return answerClient(
    at,
    { mode: 'redirect', location: onward },
    { pageContext: visit.leavingPageContext(), afterForm },
  )
}

export const signedOut: Route = {
  ...shared,
  path: '/signed-out',
  methods: ['GET'],
  handler: (responder) => (request, reply) => {
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError({ responder, reply }, read.error)
    const visit = read.value
    return showPage(
      { responder, reply },
      signedOutPage(visit.pageContext(), { back: null, signIn: `${visit.base}/account` }),
    )
  },
}
