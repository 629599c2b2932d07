/** POST /callback/{provider}/signals (RFC 8935 §2): a provider sends a security event about one of its people. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readRequestHead, defaultSizes } from '@grantor/resource/http'
import { readNodeRequest } from '@grantor/resource/node'
import { setErrorOf, setMediaType } from '@grantor/protocol/ssf'
import type { HttpContext } from '../http/http-context.ts'
import { createResponder } from '../http/responder.ts'
import { type SsfAnswer, ssfAnswer, ssfRefusal, ssfResponder } from './ssf-responder.ts'

const path = '/callback/:provider/signals'
/** Most bytes of a security event token. */
const mostBytes = 65_536

export function mountSignalReceiver(app: FastifyInstance, context: HttpContext): void {
  const responder = ssfResponder(createResponder(context, { path, cors: false }))
  const { authority } = context

  async function answer(request: FastifyRequest): Promise<SsfAnswer> {
    const named = responder.tenant(request)
    if (named.kind === 'error') return ssfRefusal({ status: 404, err: 'not_found', description: 'No such issuer.' })
    const tenant = named.value
    const head = readRequestHead(readNodeRequest(request.raw, request.remote.ip), defaultSizes)
    const bad = (status: number, description: string) => ssfRefusal({ status, err: 'invalid_request', description })
    if (head.kind === 'error') return bad(head.error.status, head.error.detail)
    if (head.value.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() !== setMediaType)
      return bad(415, `A token comes as ${setMediaType}.`)
    const { provider } = request.params as { readonly provider: string }
    const token = Buffer.isBuffer(request.body) ? request.body.toString('latin1').trim() : ''
    const outcome = await authority.receiveSignal({ tenant, provider, token })
    switch (outcome.did) {
      case 'taken':
        if (outcome.ignored.length > 0)
          responder.log.info({ provider, events: outcome.ignored.slice(0, 10) }, 'signals were ignored')
        return ssfAnswer(202, null)
      case 'unknown':
        return ssfRefusal({ status: 404, err: 'not_found', description: 'There is no such provider.' })
      case 'unavailable':
        return ssfRefusal(
          { status: 503, err: 'unavailable', description: 'The keys of the issuer cannot be had now.' },
          { 'retry-after': '5' },
        )
      case 'refused':
        responder.log.info({ provider, check: outcome.problem }, 'a security event token was refused')
        return ssfRefusal({
          status: 400,
          err: setErrorOf(outcome.problem),
          description: 'The token is not good.',
        })
    }
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.began = performance.now()
    const { status, headers, body } = await answer(request)
    return responder.send(reply, status, body, headers)
  }

  // The body is read by Fastify, so that the request is admitted only when it is complete: its sender is unknown
  // before.
  void app.register((inner, _options, done) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, read) =>
      read(null, body),
    )
    const handler = context.tracing.handler(serve)
    for (const url of [path, `/t/:tenant${path}`]) inner.route({ url, method: 'POST', config: { responder }, handler })
    done()
  })
}
