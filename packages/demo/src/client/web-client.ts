/** The demo web client at /client/: signs a person in, calls Orders on their behalf, and shows the answers. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { exportScript } from './export-script.ts'
import {
  exportSection,
  failedPage,
  type ShownExport,
  type ShownOrder,
  signedInPage,
  signedOutPage,
  style,
} from './page.ts'
import { RelyingParty, type RelyingPartyOptions } from './relying-party.ts'
import { type SignedIn, type Visitor, Visitors } from './visitors.ts'

export type WebClientOptions = RelyingPartyOptions

/** The sign-out form redirects to the issuer, and browsers apply `form-action` to redirects, too. */
const headersFor = (issuer: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self' ${new URL(issuer).origin}; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

/** Our forms have no fields, so the body that a browser sends with a form is not read. */
export const webClient: FastifyPluginAsync<WebClientOptions> = async (fastify, options) => {
  const party = new RelyingParty(options)
  const visitors = new Visitors()
  const headers = headersFor(options.issuer)
  const show = (reply: FastifyReply, html: string, status = 200) => reply.code(status).headers(headers).send(html)
  const home = (reply: FastifyReply) => reply.redirect('/client/', 303)

  /** null if there is no export, or no longer. */
  const lookAtExport = async (visitor: Visitor, signedIn: SignedIn): Promise<ShownExport | null> => {
    if (visitor.exporting === null) return null
    const answer = await party.call(visitor.exporting, signedIn)
    if (isGone(answer)) visitor.exporting = null
    if (answer.ok) return (await answer.json()) as ShownExport
    return isGone(answer) ? null : { status: 'unknown', progress: null }
  }

  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    (_request, _body, done) => done(null, null),
  )
  fastify.setErrorHandler((_error, _request, reply) =>
    show(reply, failedPage('Something failed. Please start over.'), 502),
  )

  for (const path of ['/', '/client']) fastify.get(path, (_request, reply) => home(reply))
  const file = (path: string, type: string, content: string) =>
    fastify.get(path, (_request, reply) =>
      reply.headers({ 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=300' }).send(content),
    )
  file('/client/style.css', 'text/css', style)
  file('/client/export.js', 'text/javascript', exportScript)

  fastify.get('/client/', async (request, reply) => {
    const visitor = visitors.of(request, reply)
    const { signedIn, notice } = visitor
    visitor.notice = null
    if (signedIn === null) return show(reply, signedOutPage(notice))
    const answer = await party.call('/v2/orders?limit=20', signedIn)
    const seen = await readOrders(answer)
    const account = `${options.issuer}/account`
    const work = await lookAtExport(visitor, signedIn)
    return show(reply, signedInPage({ visitor: signedIn, account, notice, status: answer.status, work, ...seen }))
  })

  /**
   * OIDC Core §4: a third party starts a sign-in. Only our own issuer may; its target_link_uri is ignored, and state
   * and nonce are made here as for every other sign-in.
   */
  fastify.get('/client/login', async (request, reply) => {
    const { iss } = request.query as { readonly iss?: unknown }
    if (iss !== options.issuer) return show(reply, failedPage('This sign-in was asked for by an unknown service.'), 400)
    return reply.redirect('/client/sign-in', 303)
  })

  fastify.get('/client/sign-in', async (request, reply) => {
    const visitor = visitors.of(request, reply)
    const { location, pending } = await party.begin()
    visitor.pending = pending
    return reply.redirect(location, 303)
  })

  fastify.get('/client/callback', async (request, reply) => {
    const visitor = visitors.of(request, reply)
    const { pending } = visitor
    visitor.pending = null
    // A redirect without a sign-in that was begun here is a CSRF attempt.
    if (pending === null) return show(reply, failedPage('This sign-in was not begun here, or is over already.'), 400)
    try {
      visitor.signedIn = await party.finish((request.raw.url ?? '').split('?')[1] ?? '', pending)
    } catch (error) {
      return show(reply, failedPage(whyNot(error)), 400)
    }
    visitors.renew(visitor, reply)
    return home(reply)
  })

  fastify.post('/client/sign-out', async (request, reply) => {
    const visitor = visitors.of(request, reply)
    if (visitor.signedIn === null) return home(reply)
    const { location, state } = await party.leave(visitor.signedIn)
    visitor.signedIn = null
    visitor.leaving = state
    return reply.redirect(location, 303)
  })

  fastify.get('/client/signed-out', async (request, reply) => {
    const visitor = visitors.of(request, reply)
    const { leaving } = visitor
    const { state } = request.query as { readonly state?: unknown }
    // Without our state this redirect does not belong to a sign-out that was begun here.
    if (leaving === null || state !== leaving)
      return show(reply, failedPage('This sign-out was not begun here, or is over already.'), 400)
    visitor.leaving = null
    visitor.notice = 'You are signed out, here and at Grantor.'
    return home(reply)
  })

  const act = (path: string, work: (signedIn: SignedIn, visitor: Visitor) => Promise<string>) =>
    fastify.post(`/client/${path}`, async (request: FastifyRequest, reply) => {
      const visitor = visitors.of(request, reply)
      if (visitor.signedIn !== null) visitor.notice = await work(visitor.signedIn, visitor)
      return home(reply)
    })

  act('order', async (signedIn) => {
    const order = { status: 'open', items: [{ sku: 'tea-earl-grey', qty: 2 }], total_cents: 1290 }
    const answer = await party.call('/v2/orders', signedIn, { method: 'POST', body: JSON.stringify(order) })
    return answer.status === 201 ? 'Your order was placed.' : `Orders refused the order with ${answer.status}.`
  })
  act('export', async (signedIn, visitor) => {
    const answer = await party.call('/v2/orders/export', signedIn, { method: 'POST', body: '{}' })
    if (answer.status !== 202) return `Orders refused the export with ${answer.status}.`
    visitor.exporting = answer.headers.get('location')
    return 'The export has begun.'
  })
  act('cancel-export', async (signedIn, visitor) => {
    if (visitor.exporting === null) return 'There is no export.'
    const answer = await party.call(visitor.exporting, signedIn, { method: 'DELETE' })
    if (answer.status === 409) return 'The export had ended already.'
    if (answer.ok || isGone(answer)) visitor.exporting = null
    return answer.ok ? 'The export was canceled.' : `Orders refused to cancel the export with ${answer.status}.`
  })
  /** The progress of the export, for the page's script. */
  fastify.get('/client/export', async (request, reply) => {
    const visitor = visitors.of(request, reply)
    const work = visitor.signedIn === null ? null : await lookAtExport(visitor, visitor.signedIn)
    return work === null || work.status === 'unknown'
      ? show(reply, failedPage('How far the export is cannot be seen now.'), 404)
      : show(reply, exportSection(work))
  })
  fastify.get('/client/orders.json', async (request, reply) => {
    const { signedIn, exporting } = visitors.of(request, reply)
    if (signedIn === null || exporting === null) return home(reply)
    const answer = await party.call(`${exporting}/result`, signedIn)
    if (!answer.ok) return show(reply, failedPage('The export is not there, or not there any more.'), 404)
    const file = { 'content-type': 'application/json', 'content-disposition': 'attachment; filename="orders.json"' }
    return reply.headers({ ...headers, ...file }).send(await answer.text())
  })
  act('refresh', async (signedIn, visitor) => {
    visitor.signedIn = await party.refresh(signedIn)
    return 'The tokens are fresh.'
  })
  act('forget', async (signedIn, visitor) => {
    await party.revoke(signedIn)
    visitor.signedIn = null
    return 'The access was given back, and its tokens are dead everywhere.'
  })
}

const isGone = ({ status }: Response): boolean => status === 404 || status === 410

async function readOrders(answer: Response): Promise<{ orders: readonly ShownOrder[] | null; problem: string | null }> {
  const body = (await answer.json()) as { items?: readonly ShownOrder[]; detail?: string; title?: string }
  return {
    orders: answer.ok ? (body.items ?? []) : null,
    problem: answer.ok ? null : (body.detail ?? body.title ?? null),
  }
}

/** The text of the server's refusal; all other errors (state, iss, nonce, signature) get one common sentence. */
function whyNot(error: unknown): string {
  const { error: code, error_description: description } = error as { error?: unknown; error_description?: unknown }
  if (code === 'access_denied') return 'You did not allow it. Nothing was shared.'
  if (typeof code === 'string') return typeof description === 'string' ? description : code
  return 'The answer did not belong to the question: state, issuer or signature was not the expected one.'
}
