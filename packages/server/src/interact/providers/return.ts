/** GET and POST /callback/{provider}: a browser returns from a provider, and goes on with its sign-in. */
import type { ProviderArrival, VisitPurpose } from '@grantor/authority'
import type { FastifyReply } from 'fastify'
import { type Section, sectionPaths } from '../../pages/account/layout.ts'
import { confirmPath, onwardFrom, secondFactorPath } from '../account-sign-in.ts'
import { formPostPage } from '../../pages/form-post.ts'
import { authorizationPage, goTo, showError, showPage } from '../page-answer.ts'
import { type PageRequest, pageRoute } from '../page-route.ts'
import { problemQuery } from './departure.ts'

const path = '/callback/:provider'
/** RFC 6749 §4.1.2, RFC 9207: all other parameters of an answer are ignored. */
const answerFields = ['code', 'state', 'iss', 'error']
/** SAML Bindings §3.5.3. */
const samlFields = ['SAMLResponse', 'RelayState']
/** Marks a form that a page of ours sends. */
const resentField = 'resent'
/** The answer must fit into a URL of ours. */
const longestAnswer = 6000

export const providerReturn = pageRoute({ path, methods: ['GET', 'POST'] }, async (request) => {
  const { visit, browser, method, reply, responder } = request
  const { provider } = reply.request.params as { readonly provider: string }
  // RFC 9110 §9.3.2: a HEAD request (of a link preview, say) must not use up the answer.
  if (method === 'HEAD') return responder.send(reply, 200, null, { 'cache-control': 'no-store' })
  // A form of another site (form_post) arrives without our cookies; a redirect with the same answer brings them.
  if (method === 'POST' && visit.form.get('SAMLResponse') === undefined) return askAnew(request, provider)
  if (method === 'POST' && visit.form.get(resentField) === undefined) return sendAnew(request, provider)
  const arrived = await browser.arriveFromProvider({ provider, form: visit.form }, visit.visitor)
  return arrived.kind === 'error' ? showError(request, arrived.error) : goOn(request, arrived.value)
})

function askAnew(request: PageRequest, provider: string): FastifyReply {
  const { visit } = request
  const fields = answerFields.flatMap((name) => {
    const value = visit.form.get(name)
    return value === undefined ? [] : [[name, value] as [string, string]]
  })
  const query = new URLSearchParams(fields).toString()
  if (query.length > longestAnswer || !/^[a-z0-9-]{1,40}$/.test(provider))
    return showError(request, { reason: 'provider_return_unknown' })
  return goTo(request, `${visit.base}/callback/${provider}?${query}`)
}

/** The same for SAML, whose answers are too long for a URL: a page of ours sends the form again, with our cookies. */
function sendAnew(request: PageRequest, provider: string): FastifyReply {
  const { visit } = request
  if (!/^[a-z0-9-]{1,40}$/.test(provider)) return showError(request, { reason: 'provider_return_unknown' })
  const fields = samlFields.map((name) => [name, visit.form.get(name) ?? ''] as const)
  const data = {
    action: `${visit.origin}${visit.base}/callback/${provider}`,
    parameters: [...fields, [resentField, 'yes'] as const],
  }
  const page = formPostPage(visit.leavingPageContext(), data)
  // `anywhere`, because redirects to the app follow; the form holds only the provider's own answer.
  return showPage(request, page, { ...authorizationPage, formTargets: 'anywhere' })
}

function goOn(request: PageRequest, arrival: ProviderArrival): FastifyReply {
  const { visit, reply } = request
  switch (arrival.did) {
    case 'late':
      return showError(request, arrival.refusal)
    case 'strayed':
      return showError(request, { reason: 'provider_return_unknown' })
    case 'linked':
      return goTo(request, `${visit.base}/account${sectionPaths.methods}?done=provider_linked`)
    case 'failed':
      return goTo(request, `${backTo(request, arrival.purpose)}?${problemQuery(arrival.problem, arrival.provider)}`)
    case 'came': {
      const { signIn, purpose } = arrival
      if ('cookies' in signIn) visit.setCookies(reply, signIn.cookies)
      const pending = signIn.did === 'second-factor-pending'
      return goTo(request, pending ? secondFactorAt(request, purpose) : onward(request, purpose))
    }
  }
}

/** Only names from our own lists and interactions of our own decide where the browser goes next. */
const sectionOf = (name: string): Section => (Object.hasOwn(sectionPaths, name) ? (name as Section) : 'apps')

function backTo({ visit: { base } }: PageRequest, purpose: VisitPurpose): string {
  if (purpose.kind === 'interaction') return `${base}/interact/${purpose.interaction}`
  if (purpose.kind === 'link') return `${base}/account${sectionPaths.methods}`
  return purpose.confirming ? `${base}${confirmPath}` : `${base}/account${sectionPaths[sectionOf(purpose.section)]}`
}

function onward({ visit }: PageRequest, purpose: VisitPurpose): string {
  if (purpose.kind === 'interaction') return `${visit.base}/interact/${purpose.interaction}`
  if (purpose.kind === 'link') return `${visit.base}/account${sectionPaths.methods}`
  return onwardFrom(visit, sectionOf(purpose.section), purpose.confirming)
}

const secondFactorAt = ({ visit }: PageRequest, purpose: VisitPurpose): string =>
  purpose.kind === 'account'
    ? secondFactorPath(visit, sectionOf(purpose.section), purpose.confirming)
    : onward({ visit } as PageRequest, purpose)
