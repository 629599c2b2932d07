/** GET and POST /authorize (RFC 6749 §3.1): opens an interaction and sends the browser to its hub. */
import { endpointPath } from '@grantor/protocol/documents'
import type { Secret } from '@grantor/protocol/types'
import { showStep } from '../interact/interaction-step.ts'
import { pageRoute } from '../interact/page-route.ts'

export const authorize = pageRoute(
  // Other sites send people here by POST too (OIDC Core §3.1.2.1): no guard of our own forms applies.
  { path: endpointPath.authorization, methods: ['GET', 'POST'] },
  async (request) => {
    const { browser, visit } = request
    return showStep(await browser.authorize(visit.form, visit.visitor), { ...request, id: '' as Secret })
  },
)
