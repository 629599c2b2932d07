/** A route that answers with a page: the request is read first, and one that cannot be read gets an error page. */
import { type AccountMail, type Authority, longestInteraction } from '@grantor/authority'
import type { Catalogue } from '@grantor/protocol/oauth'
import type { Secret } from '@grantor/protocol/types'
import type { FastifyReply } from 'fastify'
import { tenantPages } from '../pages/theme/page-theme.ts'
import type { Route } from '../routes/route.ts'
import { type PageReply, showError } from './page-answer.ts'
import { type Visit, visitOf } from './visit.ts'

export interface PageRequest extends PageReply {
  readonly method: string
  readonly visit: Visit
  readonly browser: Authority['browser']
  /** The catalogue of the tenant, as it was when the request began. */
  catalogue(): Promise<Catalogue | null>
}

interface PageRoute extends Pick<Route, 'path' | 'methods'> {
  /** Whether the route is not found where the server cannot send mail. */
  readonly needsMail?: boolean
}

export const pageRoute = (
  { path, methods, needsMail = false }: PageRoute,
  answer: (request: PageRequest) => FastifyReply | Promise<FastifyReply>,
): Route => ({
  path,
  methods,
  cors: false,
  at: 'every issuer',
  handler:
    ({ responder, issuer, theme, authority: { browser } }) =>
    async (request, reply) => {
      const named = responder.tenant(request)
      if (named.kind === 'error') return showError({ responder, reply }, named.error)
      const pages = await tenantPages(named.value, browser, theme)
      request.theme = pages?.theme ?? null
      if (pages === null) return showError({ responder, reply }, { reason: 'tenant_unknown' })
      if (needsMail && browser.mail === null) return showError({ responder, reply }, { reason: 'not_found' })
      const read = visitOf(request, { responder, issuer, browser, pages })
      if (read.kind === 'error') return showError({ responder, reply }, read.error)
      // Usually read for the page already. Where that failed, the read is repeated, so that its failure is not hidden.
      const catalogue = async (): Promise<Catalogue | null> =>
        pages.catalogue ?? browser.catalogue({ tenant: named.value })
      return answer({ responder, reply, browser, catalogue, visit: read.value, method: request.method })
    },
})

/** For routes with `needsMail`, which answered already where there is none. */
export function mailOf({ browser: { mail } }: PageRequest): AccountMail {
  if (mail === null) throw new Error('no mail')
  return mail
}

const interactionShape = new RegExp(`^gi_[\\w-]{43,${longestInteraction}}$`)

/** Checked before an id becomes part of a URL or a header of ours. */
export const isInteractionId = (id: string): boolean => interactionShape.test(id)

export function interactionIdOf({ reply }: PageReply): Secret | null {
  const { id } = reply.request.params as { readonly id: string }
  return isInteractionId(id) ? (id as Secret) : null
}
