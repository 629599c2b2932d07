/** GET and POST /authorize (RFC 6749 §3.1): answers prompt=none; else opens an interaction, and its hub goes on. */
import { endpointPath } from '@grantor/protocol/documents'
import type { Secret } from '@grantor/protocol/types'
import { showStep } from '../interact/interaction-step.ts'
import { authorizationPage, goTo } from '../interact/page-answer.ts'
import { type PageRequest, pageRoute } from '../interact/page-route.ts'
import { pageHeaders } from '../pages/csp.ts'

export const authorize = pageRoute(
  // Other sites send people here by POST too (OIDC Core §3.1.2.1): no guard of our own forms applies.
  { path: endpointPath.authorization, methods: ['GET', 'POST'] },
  async (request) => {
    const { browser, visit, method, responder, reply } = request
    // RFC 9110 §9.3.2: whoever only asks for the head must not use up an answer.
    if (method === 'HEAD') return responder.send(reply, 200, null, pageHeaders(authorizationPage))
    const repeated = asGet(request)
    if (repeated !== null) return goTo(request, repeated)
    return showStep(await browser.authorize(visit.form, visit.visitor), { ...request, id: '' as Secret })
  },
)

const longestQuery = 7000

/**
 * A form of another site comes without the cookies that tell who is signed in, and prompt=none is answered at once: the
 * same request by GET brings them, where it is not a frame. Null where there is nothing to wait for.
 */
function asGet({ method, visit: { form, visitor, base } }: PageRequest): string | null {
  if (method !== 'POST' || form.get('prompt') !== 'none' || visitor.sessions.length > 0) return null
  const query = form.pairs().map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const text = query.join('&')
  return text.length > longestQuery ? null : `${base}${endpointPath.authorization}?${text}`
}
