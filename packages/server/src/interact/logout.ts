/** GET and POST /logout: asks before signing out, because other sites can send people here. */
import { endpointPath, isRefusal } from '@grantor/protocol'
import { logoutPage } from '../pages/logout.ts'
import { signedOutPage } from '../pages/signed-out.ts'
import type { Route } from '../routes/route.ts'
import { goTo, showError, showPage } from './answer.ts'
import { keepLanguage, visitOf } from './visit.ts'

const purpose = 'logout'

export const logout: Route = {
  path: endpointPath.endSession,
  methods: ['GET', 'POST'],
  cors: false,
  at: 'every issuer',
  handler: (desk) => async (request, reply) => {
    const at = { desk, reply }
    const visit = visitOf(request, desk)
    if (isRefusal(visit)) return showError(at, visit)
    keepLanguage(reply, visit)
    const accounts = await desk.authority.browser.accounts(visit.visitor)
    if (accounts.length === 0) return goTo(at, `${visit.base}/signed-out`)
    // A form of another site also arrives here by POST: without our token it only gets the question.
    if (visit.form.get('stay') !== undefined && visit.forged(purpose) === null) return goTo(at, `${visit.base}/account`)
    if (visit.form.get('sign-out') !== undefined && visit.forged(purpose) === null) {
      visit.keep(reply, await desk.authority.browser.leave(visit.visitor))
      return goTo(at, `${visit.base}/signed-out`)
    }
    return showPage(
      at,
      logoutPage(visit.frame(), { form: visit.target(endpointPath.endSession, purpose), client: null }),
    )
  },
}

export const signedOut: Route = {
  path: '/signed-out',
  methods: ['GET'],
  cors: false,
  at: 'every issuer',
  handler: (desk) => (request, reply) => {
    const visit = visitOf(request, desk)
    if (isRefusal(visit)) return showError({ desk, reply }, visit)
    return showPage({ desk, reply }, signedOutPage(visit.frame(), { back: null, signIn: `${visit.base}/account` }))
  },
}
