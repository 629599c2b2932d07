/** What Hono alone has: bindings of node:http or none, what the platform tells of a connection, and its own way of answering. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { protectedFetch } from '../../src/adapters/fetch.ts'
import {
  type CallerEnv,
  type ConnectionInfo,
  guard,
  guardHandler,
  honoErrors,
  honoResource,
  readHonoRequest,
} from '../../src/adapters/hono.ts'
import type { ApiRequest } from '../../src/http/request.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import type { ValidatorOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { serve } from '../adapters.ts'

const audience = 'https://notes.example'

type Handler = (c: Context<CallerEnv>) => Response | Promise<Response>

/** One route behind each of the three that Hono may have. */
function trusted(handler: Handler, connection?: ConnectionInfo, more: Partial<ValidatorOptions> = {}) {
  const dev = createTestIssuer({ audience })
  const validator = createValidator({ audience, issuers: [dev.trust], ...more })
  const options = { validator, audience }
  const resource = protectedResource({ ...options, name: 'Notes', issuers: [dev.issuer], scope: 'read' })
  const app = new Hono<CallerEnv>()
    .get('/middleware', guard(options, 'read', connection), handler)
    .get('/handler', guardHandler(options, 'read', handler, connection))
    .use('/resource', honoResource(resource, connection))
    .get('/resource', handler)
  app.onError(honoErrors(resource))
  return { app, dev, mint: (claims = {}) => dev.mint({ scope: 'read', sub: 'alice', claims }) }
}

const paths = ['/middleware', '/handler', '/resource'] as const
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

test('RFC 8705 §3: what the platform tells of a connection is what a token can be bound to; without a word there is nothing', async () => {
  const thumbprint = 'A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0'
  const subject: Handler = (c) => c.text(c.get('caller').subject)
  const told = trusted(subject, () => ({ certificateThumbprint: thumbprint }))
  const untold = trusted(subject, () => ({}))
  const silent = trusted(subject)
  for (const path of paths) {
    const bound = { cnf: { 'x5t#S256': thumbprint } }
    const accepted = await told.app.request(path, bearer(told.mint(bound)))
    assert.deepEqual([accepted.status, await accepted.text()], [200, 'alice'], path)
    for (const { app, mint } of [untold, silent]) {
      assert.equal((await app.request(path, bearer(mint(bound)))).status, 401, path)
      assert.equal((await app.request(path, bearer(mint()))).status, 200, path)
    }
  }
})

test('a request of Hono has the address and every line of node:http where these are, and its body from the Request', async () => {
  const read: ApiRequest[] = []
  const bodies: string[] = []
  const app = new Hono().post('/', async (c) => {
    const request = readHonoRequest(c)
    read.push(request)
    const body = await request.body(5)
    bodies.push(body.kind === 'ok' ? Buffer.from(body.value).toString() : body.error)
    return c.text('')
  })
  const origin = await serve(getRequestListener((request, env) => app.fetch(request, env)))
  await fetch(`${origin}/?a=b`, { method: 'POST', body: 'hello' })
  await app.request('/?a=b', { method: 'POST', body: 'hello' })
  assert.deepEqual(bodies, ['hello', 'hello'])
  assert.deepEqual(
    read.map(({ method, target, ip, peer }) => [method, target, ip, peer]),
    [
      ['POST', '/?a=b', '127.0.0.1', '127.0.0.1'],
      ['POST', '/?a=b', null, undefined],
    ],
  )
})

const page = 'https://app.example'

test('Fetch §3.3: an answer that fetch gave back passes with what pages may read of it, and what caches go by already stays', async () => {
  const dev = createTestIssuer({ audience })
  const validator = createValidator({ audience, issuers: [dev.trust] })
  const resource = protectedResource({
    validator,
    audience,
    name: 'Notes',
    issuers: [dev.issuer],
    scope: 'read',
    cors: { origins: [page] },
  })
  const upstream = await serve((_, response) => {
    response.writeHead(203, { vary: 'Accept', 'x-upstream': 'yes' }).end('from afar')
  })
  const forwarded = () => fetch(upstream)
  const app = new Hono<CallerEnv>().use(honoResource(resource)).get('/', forwarded)
  const guarded = protectedFetch(resource, forwarded)
  const asked = { headers: { ...bearer(dev.mint({ scope: 'read' })).headers, origin: page } }
  for (const response of [await app.request('/', asked), await guarded(new Request('http://10.0.0.7/', asked))]) {
    assert.deepEqual([response.status, await response.text()], [203, 'from afar'])
    assert.equal(response.headers.get('vary'), 'Accept, Origin')
    assert.equal(response.headers.get('access-control-allow-origin'), page)
    assert.equal(response.headers.get('x-upstream'), 'yes')
  }
})

/** Answers when it is let, with what nobody may see by then. */
function lateAnswers() {
  const began = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gate = Promise.withResolvers<void>()
  let count = 0
  const handler: Handler = async () => {
    began[count]?.resolve()
    count += 1
    await gate.promise
    return new Response('late', { headers: { 'x-late': 'yes' } })
  }
  return { handler, gate, began: (n: number) => began[n]?.promise }
}

test('a long poll whose token is revoked is answered once and recorded once, also where its handler answers later', async () => {
  const recorded: string[] = []
  const late = lateAnswers()
  const { app, dev, mint } = trusted(late.handler, undefined, { onRejection: ({ code }) => void recorded.push(code) })
  const settled: Promise<Response>[] = []
  const origin = await serve(
    getRequestListener((request, env) => {
      const answer = app.fetch(request, env)
      settled.push(Promise.resolve(answer))
      return answer
    }),
  )
  for (const [n, path] of paths.entries()) {
    const token = mint()
    const answer = fetch(origin + path, bearer(token))
    await late.began(n)
    dev.revoke(token)
    assert.equal((await answer).status, 401, path)
  }
  late.gate.resolve()
  await Promise.all(settled)
  assert.deepEqual(recorded, ['token_revoked', 'token_revoked', 'token_revoked'])
})

test('without node:http a late answer to a revoked token is a refusal, and nothing of the answer is in it', async () => {
  const late = lateAnswers()
  const { app, dev, mint } = trusted(late.handler)
  const asked = paths.map((path) => {
    const token = mint()
    return { token, answer: app.request(path, bearer(token)) }
  })
  await Promise.all(asked.map(async (_, n) => late.began(n)))
  for (const { token } of asked) dev.revoke(token)
  // Longer than what counts as prompt.
  setTimeout(late.gate.resolve, 510)
  for (const { answer } of asked) {
    const response = await answer
    assert.deepEqual([response.status, response.headers.get('x-late')], [401, null])
    assert.match(String(response.headers.get('www-authenticate')), /error="invalid_token"/)
  }
})
