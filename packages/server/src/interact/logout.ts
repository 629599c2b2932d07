/** GET and POST /logout: asks before signing out, as other sites can link here; not for a client with a hint. */
import type { EndedSessions, LogoutResponse } from '@grantor/authority'
import { endpointPath } from '@grantor/protocol/documents'
import type { Form } from '@grantor/protocol/oauth'
import type { FastifyReply } from 'fastify'
import { pageHeaders } from '../pages/csp.ts'
import { frontChannelLogoutPage } from '../pages/front-channel-logout.ts'
import { logoutPage } from '../pages/logout.ts'
import { signedOutPage } from '../pages/signed-out.ts'
import { answerClient, goTo, showError, showPage, showUnredirectedSignOut } from './page-answer.ts'
import { interactionIdOf, type PageRequest, pageRoute } from './page-route.ts'
import { rememberLanguage, type Visit } from './visit.ts'

const purpose = 'logout'

/** RP-Initiated Logout 1.0 §2. */
const clientParameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'logout_hint']
const isFromClient = (form: Form): boolean => clientParameters.some((name) => form.get(name) !== undefined)

export const logout = pageRoute({ path: endpointPath.endSession, methods: ['GET', 'POST'] }, async (request) => {
  const { browser, visit, reply, method } = request
  if (isFromClient(visit.form)) {
    const begun = await browser.logout.begin(visit.form, visit.visitor)
    if (begun.kind === 'error') return showError(request, begun.error)
    // The parameters stay out of the URL of the page that follows.
    const rest = begun.value.go === 'hub' ? `/${begun.value.interaction}` : localesQuery(visit.form)
    return goTo(request, `${visit.base}${endpointPath.endSession}${rest}`)
  }
  rememberLanguage(reply, visit)
  // A form of another site may also arrive here by POST: without our CSRF token it only gets the question, like a GET.
  const pressed = visit.forged(purpose) === null ? pressedButton(visit) : null
  if (pressed === 'stay') return goTo(request, `${visit.base}/account`)
  if (pressed === 'sign-out') return answerSignOut(request)
  const accounts = await browser.accounts(visit.visitor)
  // A form of another site arrives without our cookies: a redirect back here brings them.
  const nobody = method === 'POST' ? endpointPath.endSession : '/signed-out'
  if (accounts.length === 0) return goTo(request, `${visit.base}${nobody}`)
  const form = visit.formTarget(endpointPath.endSession, purpose)
  return showPage(request, logoutPage(visit.pageContext({ uiLocales: localesIn(visit.form) }), { form, client: null }))
})

const localesIn = (form: Form): readonly string[] => (form.get('ui_locales') ?? '').split(' ').slice(0, 20)

const localesQuery = (form: Form): string => {
  const wanted = form.get('ui_locales') ?? ''
  return /^[\w -]{1,100}$/.test(wanted) ? `?ui_locales=${encodeURIComponent(wanted)}` : ''
}

/** A client's request, on a page of ours whose URL does not contain the parameters. */
export const clientLogout = pageRoute(
  { path: `${endpointPath.endSession}/:id`, methods: ['GET', 'POST'] },
  async (request) => {
    const { browser, responder, visit, reply, method } = request
    const id = interactionIdOf(request)
    if (id === null) return showError(request, { reason: 'interaction_gone' })
    const path = `${endpointPath.endSession}/${id}`
    // RFC 9110 §9.3.2: a HEAD request signs nobody out.
    if (method === 'HEAD') return responder.send(reply, 200, null, pageHeaders())
    const byForm = method === 'POST'
    if (byForm && visit.forged(id) !== null) return showError(request, { reason: 'form_forged' })
    if (byForm && pressedButton(visit) !== 'sign-out') return goTo(request, `${visit.base}/account`)
    rememberLanguage(reply, visit)
    const shown = byForm
      ? await browser.logout.confirm(id, visit.visitor)
      : await browser.logout.continue(id, visit.visitor)
    // Loaded again, or too late: shows our own question, or that nobody is signed in.
    if (shown.go === 'gone') return goTo(request, `${visit.base}${endpointPath.endSession}`)
    if (shown.go === 'left') return answerSignedOut(request, shown)
    const page = logoutPage(visit.pageContext({ uiLocales: shown.uiLocales }), {
      form: visit.formTarget(path, id),
      client: shown.client,
    })
    return showPage(request, page, { formTargets: shown.redirectUri === null ? [] : [shown.redirectUri] })
  },
)

/** Only the button `sign-out` confirms. */
function pressedButton({ form }: Visit): 'sign-out' | 'stay' | null {
  if (form.get('stay') !== undefined) return 'stay'
  return form.get('sign-out') === undefined ? null : 'sign-out'
}

interface SignedOut {
  readonly left: EndedSessions
  readonly onward: string | null
  readonly unvouched?: Extract<LogoutResponse, { go: 'left' }>['unvouched']
}

/** Ends every session of the browser, and answers once their end is durable. */
export async function answerSignOut(at: PageRequest): Promise<FastifyReply> {
  const { browser, visit } = at
  const left = await browser.signOut(visit.visitor)
  await browser.untilDurable()
  return answerSignedOut(at, { left, onward: null })
}

/** Signed out: the clients that listen in frames hear of it, and then the person goes on. */
function answerSignedOut(at: PageRequest, how: SignedOut): FastifyReply {
  const { visit, reply, method } = at
  const { frames, ...cookies } = how.left
  visit.setCookies(reply, cookies)
  const { unvouched = null } = how
  if (how.onward !== null && unvouched !== null)
    return showUnredirectedSignOut(at, { ...unvouched, onward: how.onward, frames }, visit.leavingPageContext())
  const onward = how.onward ?? `${visit.base}/signed-out`
  if (frames.length > 0)
    return showPage(at, frontChannelLogoutPage(visit.leavingPageContext(), { frames, onward }), { frames })
  if (how.onward === null) return goTo(at, onward)
  const afterForm = method === 'POST'
  return answerClient(
    at,
    { mode: 'redirect', location: onward },
    { pageContext: visit.leavingPageContext(), afterForm },
  )
}

export const signedOut = pageRoute({ path: '/signed-out', methods: ['GET'] }, (request) => {
  const { visit } = request
  return showPage(request, signedOutPage(visit.pageContext(), { back: null, signIn: `${visit.base}/account` }))
})
