/**
 * Uses the adapters as a stranger would. pack.test.ts checks its types beside the packed packages, with nothing of the
 * workspace, and runs it there: whoever calls is known by type in each framework, and wrong uses do not compile.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collection, resourceServer } from '@grantor/api'
import { expressApi } from '@grantor/api/express'
import { fastifyApi } from '@grantor/api/fastify'
import { fetchHandler } from '@grantor/api/fetch'
import { honoApi } from '@grantor/api/hono'
import { nodeListener } from '@grantor/api/node'
import { type Caller, createValidator, protectedResource } from '@grantor/resource'
import { expressResource, guard as expressGuard } from '@grantor/resource/express'
import { guard as fastifyGuard } from '@grantor/resource/fastify'
import { guardFetch } from '@grantor/resource/fetch'
import { type CallerEnv, guard as honoGuard, guardHandler, honoResource } from '@grantor/resource/hono'
import { protectedListener } from '@grantor/resource/node'
import { createTestIssuer } from '@grantor/resource/testing'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { Type } from 'typebox'

const audience = 'https://api.example'
const issuer = createTestIssuer({ audience })
const validator = createValidator({ audience, issuers: [issuer.trust] })
const options = { validator, audience }
const notes = protectedResource({ ...options, name: 'Notes', issuers: [issuer.issuer], scope: 'notes:read' })
const api = resourceServer({
  name: 'Notes',
  audience,
  issuers: [issuer.issuer],
  validator,
  versions: [
    {
      name: 'v1',
      collections: [
        collection({
          name: 'notes',
          description: 'What is written down',
          schema: Type.Object({ id: Type.String({ readOnly: true }), text: Type.String() }),
          example: { id: 'n-1', text: 'hello' },
          scopes: { read: 'notes:read' },
          handlers: { list: () => [] },
        }),
      ],
    },
  ],
})

const onExpress = express()
onExpress.use(expressApi(api))
onExpress.get('/report', expressGuard(options, 'notes:read'), (request, response) => {
  const caller: Caller | undefined = request.caller
  // @ts-expect-error: a subject is no number
  const wrong: number | undefined = request.caller?.subject
  response.send(caller?.subject ?? wrong)
})
onExpress.use(expressResource(notes))
onExpress.get('/mine', (request, response) => void response.send(request.caller?.subject))

const onFastify = fastify()
onFastify.decorateRequest('caller', null)
await onFastify.register(fastifyApi, { api })
onFastify.get('/report', { onRequest: fastifyGuard(options, 'notes:read') }, async (request) => {
  const caller: Caller | null = request.caller
  // @ts-expect-error: a subject is no number
  const wrong: number | undefined = request.caller?.subject
  return caller?.subject ?? wrong
})

const onHono = new Hono()
onHono.use(honoApi(api))
onHono.get('/report', honoGuard(options, 'notes:read'), (c) => {
  const caller: Caller = c.get('caller')
  // @ts-expect-error: a subject is no number
  const wrong: number = c.var.caller.subject
  return c.text(caller.subject || String(wrong))
})
onHono.get(
  '/report/:day',
  guardHandler(options, 'notes:read', (c) => {
    const caller: Caller = c.get('caller')
    // @ts-expect-error: a subject is no number
    const wrong: number = c.var.caller.subject
    return c.text(caller.subject || String(wrong))
  }),
)
// @ts-expect-error: without a guard nobody is known
onHono.get('/open', (c) => c.text(c.get('caller').subject))
const resourceOnHono = new Hono<CallerEnv>()
resourceOnHono.use(honoResource(notes))
resourceOnHono.get('/mine', (c) => c.text(c.get('caller').subject))

const onFetch = guardFetch(options, 'notes:read', (_request, caller) => {
  // @ts-expect-error: a subject is no number
  const wrong: number = caller.subject
  return new Response(caller.subject || String(wrong))
})
const onNode = protectedListener(notes, (_request, response, caller) => void response.end(caller.subject))

const headers = { authorization: `Bearer ${issuer.mint({ scope: 'notes:read', sub: 'alice' })}` }

async function answersOf(listener: RequestListener, paths: readonly string[]): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const path of paths) {
    const got = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    assert.equal(got.status, 200, path)
    if (!path.startsWith('/v1')) assert.equal(await got.text(), 'alice', path)
    const refused = await fetch(`http://127.0.0.1:${port}${path}`)
    assert.equal(refused.status, 401, path)
    assert.equal(refused.headers.get('content-type'), 'application/problem+json', path)
  }
  server.close()
  server.closeAllConnections()
}

await onFastify.ready()
await answersOf(onExpress, ['/v1/notes', '/report', '/mine'])
await answersOf((request, response) => onFastify.routing(request, response), ['/v1/notes', '/report'])
await answersOf(onNode, ['/report'])
await answersOf(nodeListener(api), ['/v1/notes'])
for (const [path, app] of [
  ['/v1/notes', onHono],
  ['/report', onHono],
  ['/report/monday', onHono],
  ['/mine', resourceOnHono],
] as const) {
  assert.equal((await app.request(path, { headers })).status, 200, path)
  assert.equal((await app.request(path)).status, 401, path)
}
assert.equal(await (await onFetch(new Request(`${audience}/report`, { headers }))).text(), 'alice')
assert.equal((await fetchHandler(api)(new Request(`${audience}/v1/notes`, { headers }))).status, 200)
await onFastify.close()
await validator.close()
