/** How a browser is sent to a provider, and how a page names the one that did not let somebody in. */
import { type Departure, type DisplayedProvider, type ProviderProblem, providerProblems } from '@grantor/authority'
import type { Form } from '@grantor/protocol/oauth'
import type { FastifyReply } from 'fastify'
import { continuePage } from '../../pages/continue.ts'
import type { LoginError } from '../../pages/login.ts'
import { authorizationPage, goTo, showPage } from '../page-answer.ts'
import type { PageRequest } from '../page-route.ts'

/** The field of the buttons; its value is the provider's id. */
export const providerField = 'provider'

/**
 * The way out begins with a form of ours, and Chromium holds its `form-action` against every hop that follows, also
 * those that the provider adds: there a page ends the chain (see pages/continue.ts).
 */
export function sendToProvider(
  request: PageRequest,
  { location, cookies }: Extract<Departure, { did: 'left' }>,
): FastifyReply {
  const { visit, reply } = request
  visit.setCookies(reply, cookies)
  const isBrowser = reply.request.headers['sec-fetch-dest'] !== undefined
  if (!isBrowser) return goTo(request, location)
  return showPage(request, continuePage(visit.leavingPageContext(), { href: location }), authorizationPage)
}

const problemField = 'problem'

/** In the address that leads back to a page of ours: words from our own lists, and the id of a provider. */
export const problemQuery = (problem: ProviderProblem, provider: string): string =>
  new URLSearchParams({ [problemField]: problem, [providerField]: provider }).toString()

/** What a page that was led back to has to say; null for most. A provider that is served no more is not named. */
export function problemIn(form: Form, served: readonly DisplayedProvider[]): ProviderLoginError | null {
  const problem = providerProblems.find((it) => it === form.get(problemField))
  if (problem === undefined) return null
  const name = served.find(({ id }) => id === form.get(providerField))?.name
  return { kind: 'provider', problem: name === undefined ? 'gone' : problem, name: name ?? '' }
}

export type ProviderLoginError = Extract<LoginError, { kind: 'provider' }>
