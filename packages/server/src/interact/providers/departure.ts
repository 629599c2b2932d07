/** Sends a browser to a provider, and names a provider whose sign-in failed in the URL of a page. */
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
 * The redirect follows a form of ours, and Chromium applies its `form-action` to every further hop, also to those of
 * the provider: so a page ends the chain (see pages/continue.ts).
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

/** The query of a redirect back to a page of ours: a word from our own list, and the id of a provider. */
export const problemQuery = (problem: ProviderProblem, provider: string): string =>
  new URLSearchParams({ [problemField]: problem, [providerField]: provider }).toString()

/** The error in the query of such a redirect; null where there is none. A provider no longer offered is not named. */
export function problemIn(form: Form, served: readonly DisplayedProvider[]): ProviderLoginError | null {
  const problem = providerProblems.find((it) => it === form.get(problemField))
  if (problem === undefined) return null
  const name = served.find(({ id }) => id === form.get(providerField))?.name
  return { kind: 'provider', problem: name === undefined ? 'gone' : problem, name: name ?? '' }
}

export type ProviderLoginError = Extract<LoginError, { kind: 'provider' }>
