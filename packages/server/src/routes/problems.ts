/** GET /problems and /problems/{code}: the pages that `error_uri` and a problem's `type` point at. */
import type { FastifyReply } from 'fastify'
import type { Responder } from '../http/responder.ts'
import { publicPageHeaders } from '../pages/csp.ts'
import type { Html } from '../pages/html.ts'
import { acceptedLanguages, chooseLanguage } from '../pages/language/index.ts'
import type { PageContext } from '../pages/layout.ts'
import { problemIndexPage, problemPage, unknownProblemPage } from '../pages/problems/page.ts'
import { problemOf } from '../pages/problems/list.ts'
import type { Route } from './route.ts'

const headers = { ...publicPageHeaders(), vary: 'Accept-Language' }

const pageContextFor = (reply: FastifyReply): PageContext => {
  const preferred = acceptedLanguages(reply.request.headers['accept-language'] ?? '')
  return { base: '', theme: reply.server.theme, language: chooseLanguage(preferred), languageLinks: [] }
}
const show = (responder: Responder, reply: FastifyReply, status: number, page: Html): FastifyReply =>
  // An unknown code may exist tomorrow, so its page is not cached.
  responder.send(reply, status, page.text, status === 404 ? { ...headers, 'cache-control': 'no-store' } : headers)

const shared = { methods: ['GET'], cors: false, at: 'root' } as const

export const problemIndex: Route = {
  ...shared,
  path: '/problems',
  handler:
    ({ responder }) =>
    (_request, reply) =>
      show(responder, reply, 200, problemIndexPage(pageContextFor(reply))),
}

export const problem: Route = {
  ...shared,
  path: '/problems/:code',
  handler:
    ({ responder }) =>
    (request, reply) => {
      const found = problemOf((request.params as { code: string }).code)
      const pageContext = pageContextFor(reply)
      return found
        ? show(responder, reply, 200, problemPage(pageContext, found))
        : show(responder, reply, 404, unknownProblemPage(pageContext))
    },
}
