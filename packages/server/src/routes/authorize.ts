/** GET and POST /authorize (RFC 6749 §3.1): answers prompt=none; else opens an interaction, and its hub goes on. */
import { endpointPath } from '@grantor/protocol/documents'
import type { Secret } from '@grantor/protocol/types'
import { showStep } from '../interact/interaction-step.ts'
import { authorizationPage } from '../interact/page-answer.ts'
import { pageRoute } from '../interact/page-route.ts'
import { pageHeaders } from '../pages/csp.ts'

export const authorize = pageRoute(
  // Other sites send people here by POST too (OIDC Core §3.1.2.1): no guard of our own forms applies.
  { path: endpointPath.authorization, methods: ['GET', 'POST'] },
  async (request) => {
    const { browser, visit, method, responder, reply } = request
    // RFC 9110 §9.3.2: whoever only asks for the head must not use up an answer.
    if (method === 'HEAD') return responder.send(reply, 200, null, pageHeaders(authorizationPage))
    const { form, visitor } = visit
    // A form of another site comes without the cookies that tell who is signed in.
    const cookieless = method === 'POST' && visitor.sessions.length === 0
    return showStep(await browser.authorize(form, { ...visitor, cookieless }), { ...request, id: '' as Secret })
  },
)
