/** GET and POST /authorize (RFC 6749 §3.1): answers prompt=none; otherwise opens an interaction and goes to its hub. */
import { endpointPath } from '@grantor/protocol/documents'
import type { Secret } from '@grantor/protocol/types'
import { showStep } from '../interact/interaction-step.ts'
import { authorizationPage } from '../interact/page-answer.ts'
import { pageRoute } from '../interact/page-route.ts'
import { pageHeaders } from '../pages/csp.ts'

export const authorize = pageRoute(
  // Other sites may send people here by POST (OIDC Core §3.1.2.1), so the CSRF check of our forms does not apply.
  { path: endpointPath.authorization, methods: ['GET', 'POST'] },
  async (request) => {
    const { browser, visit, method, responder, reply } = request
    // RFC 9110 §9.3.2: a HEAD request must not use up an answer.
    if (method === 'HEAD') return responder.send(reply, 200, null, pageHeaders(authorizationPage))
    const { form, visitor } = visit
    // A form of another site arrives without the cookies of signed-in sessions.
    const cookieless = method === 'POST' && visitor.sessions.length === 0
    return showStep(await browser.authorize(form, { ...visitor, cookieless }), { ...request, id: '' as Secret })
  },
)
