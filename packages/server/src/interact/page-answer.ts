/** Answers to a visit: a page with its headers, a redirect, or an error page that reveals no internals. */
import { randomUUID } from 'node:crypto'
import type { InteractionResponse } from '@grantor/authority'
import type { AuthorizationResponse } from '@grantor/protocol/authorize'
import { type Refusal, refusalResponse } from '@grantor/protocol/oauth'
import type { FastifyReply } from 'fastify'
import type { Responder } from '../http/responder.ts'
import { continuePage } from '../pages/continue.ts'
import { pageHeaders, type PageNeeds } from '../pages/csp.ts'
import { type ErrorKind, errorPage } from '../pages/error.ts'
import { formPostPage } from '../pages/form-post.ts'
import type { Html } from '../pages/html.ts'
import type { PageContext } from '../pages/layout.ts'
import { unredirectedPage } from '../pages/unredirected.ts'
import { errorContextOf, isLocal, type Sent, sentBy, sentNames } from './error-context.ts'

export interface PageReply {
  readonly responder: Responder
  readonly reply: FastifyReply
}

/** `wait`: seconds after which a limit allows another try; the answer is then 429 with `Retry-After`. */
export interface PageAnswer extends PageNeeds {
  readonly status?: number
  readonly wait?: number | null
}

export function showPage({ responder, reply }: PageReply, page: Html, answer: PageAnswer = {}): FastifyReply {
  const { wait = null, status = 200 } = answer
  if (wait === null) return responder.send(reply, status, page.text, pageHeaders(answer))
  return responder.send(reply, 429, page.text, { ...pageHeaders(answer), 'retry-after': String(Math.ceil(wait)) })
}

/** 303: whatever the method was, the next request is a GET (RFC 9110 §15.4.4). */
export const goTo = ({ responder, reply }: PageReply, location: string): FastifyReply =>
  responder.send(reply, 303, null, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })

/** Pages of an authorization may be in a popup of the client, and must not cut the popup off from its opener. */
export const authorizationPage: PageNeeds = { opened: true }

/**
 * The answer to the client. Chromium applies the `form-action` of a form's page to every hop of the redirect chain,
 * also to those after the client's redirect URI: so a page that navigates on ends the chain. `afterForm`: a form of
 * ours began the chain. A program that is no browser (it sends no Sec-Fetch-Dest) needs no such page.
 */
export function answerClient(
  at: PageReply,
  response: AuthorizationResponse,
  how: { readonly pageContext: PageContext; readonly afterForm: boolean; readonly framed?: boolean },
): FastifyReply {
  if (response.mode === 'form_post') {
    const page = formPostPage(how.pageContext, { action: response.action, parameters: response.fields })
    return showPage(at, page, { ...authorizationPage, formTargets: 'anywhere', framed: how.framed === true })
  }
  const { location } = response
  const isBrowser = at.reply.request.headers['sec-fetch-dest'] !== undefined
  if (!how.afterForm || !isBrowser || !/^https?:/i.test(location)) return goTo(at, location)
  return showPage(at, continuePage(how.pageContext, { href: location }), authorizationPage)
}

const clientReasons: ReadonlySet<Refusal['reason']> = new Set([
  'client_unknown',
  'client_unfit',
  'client_document_unfetched',
  'client_document_invalid',
])

/** The kind of error that a person is shown; the exact reason goes to the log, its code to the developer. */
function kindOf({ reason }: Refusal, status: number, sent: Sent): ErrorKind {
  if (reason === 'parameter_missing') return 'missing'
  if (reason === 'redirect_uri_unregistered' && sent.redirectUri === null) return 'missing'
  if (reason === 'interaction_gone') return 'expired'
  if (reason === 'interaction_of_another_browser') return 'elsewhere'
  if (reason === 'provider_return_unknown') return 'returned'
  if (reason === 'form_forged') return 'forged'
  if (reason === 'redirect_uri_unregistered') return 'redirect'
  if (clientReasons.has(reason)) return 'client'
  if (status === 503 || status === 429) return 'unavailable'
  return status === 404 ? 'not_found' : 'request'
}

/** Errors for which a developer must compare the client id and redirect URI with the app's settings. */
const appKinds: ReadonlySet<ErrorKind> = new Set(['client', 'redirect', 'missing'])

export function showError(at: PageReply, refusal: Refusal): FastifyReply {
  const { responder, reply } = at
  const { status, error, headers = {} } = refusalResponse(refusal)
  const traceId = randomUUID()
  const sent = sentBy(reply)
  const kind = kindOf(refusal, status, sent)
  const isDeveloper = isLocal(reply)
  responder.meter.refused(refusal.reason)
  const line = { id: traceId, reason: refusal.reason }
  // Parameters may hold secrets, so no log has them; only the terminal of a local developer shows client and redirect
  // URI.
  if (isDeveloper && appKinds.has(kind))
    responder.log.warn({ ...line, sent: sentNames(sent) }, 'an app of this machine was refused')
  else responder.log.info(line, 'a person was shown an error')
  const page = errorPage(errorContextOf(reply), { kind, code: error, traceId, sent: isDeveloper ? sent : null })
  return responder.send(reply, status, page.text, { ...pageHeaders(authorizationPage), ...headers })
}

type Unredirected = Extract<InteractionResponse, { go: 'unredirected' }>

/**
 * RFC 9700 §4.11: the page shown instead of a redirect to a client that nobody vouches for; the error keeps its status.
 */
export function showUnredirected(
  at: PageReply,
  { response, refusal, redirectUri, client }: Unredirected,
  pageContext: PageContext,
): FastifyReply {
  const { status, error: code, headers = {} } = refusalResponse(refusal)
  const traceId = randomUUID()
  at.responder.meter.refused(refusal.reason)
  at.responder.log.info({ id: traceId, reason: refusal.reason, client: client.id }, 'a person was shown an error')
  const page = unredirectedPage(pageContext, {
    kind: refusal.reason === 'access_denied' ? 'denied' : 'refused',
    client: client.name,
    address: redirectUri,
    answer: response.mode === 'form_post' ? response : { href: response.location },
    code,
    traceId,
    frames: [],
  })
  for (const [name, value] of Object.entries(headers)) at.reply.header(name, value)
  return showPage(at, page, {
    ...authorizationPage,
    status,
    // The only form of the page is the one for the client.
    ...(response.mode === 'form_post' ? { formTargets: 'anywhere' } : {}),
  })
}

interface UnvouchedSignOut {
  readonly client: string
  readonly redirectUri: string
  /** The redirect URI with the client's state. */
  readonly onward: string
  readonly frames: readonly string[]
}

export const showUnredirectedSignOut = (
  at: PageReply,
  { client, redirectUri, onward, frames }: UnvouchedSignOut,
  pageContext: PageContext,
): FastifyReply =>
  showPage(
    at,
    unredirectedPage(pageContext, {
      kind: 'signedOut',
      client,
      address: redirectUri,
      answer: { href: onward },
      code: null,
      traceId: null,
      frames,
    }),
    { frames },
  )

/** An error of the server: the page has only the id under which it was logged. */
export function showFailure({ responder, reply }: PageReply, traceId: string): FastifyReply {
  const page = errorPage(errorContextOf(reply), { kind: 'internal', code: null, traceId })
  return responder.send(reply, 500, page.text, pageHeaders(authorizationPage))
}

/** A page for a person, JSON for a program. */
export const refusePageOrJson = (at: PageReply, refusal: Refusal): FastifyReply =>
  wantsPage(at) ? showError(at, refusal) : at.responder.refuse(at.reply, refusal)

/** Whether a person will see the answer: a browser that navigates accepts text/html, and OAuth clients do not. */
export const wantsPage = ({ responder, reply }: PageReply): boolean =>
  responder.tells === 'oauth' && reply.request.headers.accept?.includes('text/html') === true
