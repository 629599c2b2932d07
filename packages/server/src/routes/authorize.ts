/** GET and POST /authorize (RFC 6749 §3.1): opens an interaction and sends the browser to its hub. */
import { endpointPath } from '@grantor/protocol/documents'
import type { Secret } from '@grantor/protocol/types'
import { showError } from '../interact/page-answer.ts'
import { showStep } from '../interact/hub.ts'
import { visitOf } from '../interact/visit.ts'
import type { Route } from './route.ts'

export const authorize: Route = {
  path: endpointPath.authorization,
  // Other sites send people here by POST too: no guard of our own forms applies (DECISIONS §6).
  methods: ['GET', 'POST'],
  cors: false,
  at: 'every issuer',
  handler: (responder) => async (request, reply) => {
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError({ responder, reply }, read.error)
    const visit = read.value
    const shown = await responder.authority.browser.authorize(visit.form, visit.visitor)
    return showStep(shown, { responder, reply, visit, id: '' as Secret })
  },
}
