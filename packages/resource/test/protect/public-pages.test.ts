/** What a plain guard names in its answers (its metadata, the page behind `type`) answers without a token, on each framework. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { guard as expressGuard, guardPages as expressPages } from '../../src/adapters/express.ts'
import { guard as fastifyGuard, guardPages as fastifyPages } from '../../src/adapters/fastify.ts'
import { guardFetch, guardPages as fetchPages } from '../../src/adapters/fetch.ts'
import { type CallerEnv, guard as honoGuard, guardHandler, guardPages as honoPages } from '../../src/adapters/hono.ts'
import { publicPages } from '../../src/protect/public-pages.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { type Send, serve } from '../adapters.ts'

const audience = 'https://notes.example/api'
const dev = createTestIssuer({ audience, issuer: 'https://issuer.example' })
const protect = { validator: createValidator({ audience, issuers: [dev.trust] }), audience }
const pages = { audience, name: 'Notes', issuers: ['https://issuer.example'], scopes: ['notes:read'] } as const

const overHttp = async (listener: Parameters<typeof serve>[0]): Promise<Send> => {
  const origin = await serve(listener)
  return (path, init) => fetch(origin + path, init)
}

/** The guard before everything, which is where its own addresses would be refused. */
const applications: Readonly<Record<string, () => Promise<Send>>> = {
  async fastify() {
    const app = fastify()
    app.decorateRequest('caller', null)
    await app.register(fastifyPages, pages)
    await app.register(async (inner) => {
      inner.addHook('onRequest', fastifyGuard(protect, 'notes:read'))
      inner.get('/notes', (request) => request.caller?.subject)
    })
    await app.ready()
    after(() => app.close())
    return overHttp((request, response) => app.routing(request, response))
  },
  express() {
    const app = express()
    app.use(expressPages(pages), expressGuard(protect, 'notes:read'))
    app.get('/notes', (request, response) => void response.send(request.caller?.subject))
    return overHttp(app)
  },
  hono() {
    const app = new Hono<CallerEnv>()
    app.use(honoPages(pages))
    app.use(honoGuard(protect, 'notes:read'))
    app.get('/notes', (c) => c.text(c.get('caller').subject))
    return overHttp(getRequestListener((request, env) => app.fetch(request, env)))
  },
  async fetch() {
    const page = fetchPages(pages)
    const handler = guardFetch(protect, 'notes:read', (_, caller) => new Response(caller.subject))
    return async (path, init) => {
      const request = new Request(`http://10.0.0.7:3000${path}`, init)
      return page(request) ?? handler(request)
    }
  },
}

for (const [name, open] of Object.entries(applications))
  describe(`the pages of a guard on ${name}`, () => {
    test('RFC 9728 §5.1, RFC 9457 §3.1.1: the addresses in a refusal answer without a token', async () => {
      const send = await open()
      const refused = await send('/notes')
      assert.equal(refused.status, 401)
      const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
      const { type } = (await refused.json()) as { type: string }
      const told = await send(new URL(metadata).pathname)
      const { resource, authorization_servers: servers } = (await told.json()) as Record<string, unknown>
      assert.deepEqual([told.status, resource, servers], [200, audience, ['https://issuer.example']])
      const page = await send(`${new URL(type).pathname}?lang=en`)
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
      assert.match(await page.text(), /<h1>/)
      const head = await send(new URL(type).pathname, { method: 'HEAD' })
      assert.deepEqual([head.status, await head.text()], [200, ''])
    })

    test('they are only read, and everything beside them stays behind the guard', async () => {
      const send = await open()
      const written = await send('/problems/unauthenticated', { method: 'POST' })
      assert.deepEqual([written.status, written.headers.get('allow')], [405, 'GET, HEAD'])
      for (const path of ['/problems/nothing', '/problems/', '/problems/../notes', '/.well-known/other', '/notes'])
        assert.ok([401, 404].includes((await send(path)).status), path)
      const headers = { authorization: `Bearer ${dev.mint({ scope: 'notes:read', sub: 'alice' })}` }
      assert.equal(await (await send('/notes', { headers })).text(), 'alice')
    })
  })

test('RFC 9457 §4.2.1: a guard without pages names none, on each framework', async () => {
  const bare = { ...protect, pages: false }
  const hono = new Hono()
    .get('/middleware', honoGuard(bare, 'notes:read'), (c) => c.text(c.get('caller').subject))
    .get(
      '/handler',
      guardHandler(bare, 'notes:read', (c) => c.text(c.get('caller').subject)),
    )
  const guarded = guardFetch(bare, 'notes:read', (_, caller) => new Response(caller.subject))
  const fromFetch: Send = async (path, init) => guarded(new Request(audience + path, init))
  for (const [send, path] of [
    [async (to, init) => hono.request(to, init), '/middleware'],
    [async (to, init) => hono.request(to, init), '/handler'],
    [fromFetch, '/notes'],
  ] as const satisfies readonly (readonly [Send, string])[]) {
    for (const [scope, code] of [
      [undefined, 'token_missing'],
      ['notes:write', 'insufficient_scope'],
    ] as const) {
      const token = scope === undefined ? {} : { authorization: `Bearer ${dev.mint({ scope })}` }
      const refused = await send(path, { headers: token })
      const problem = (await refused.json()) as Readonly<Record<string, unknown>>
      assert.deepEqual([refused.status, problem['type'], problem['code']], [401, 'about:blank', code], path)
      assert.doesNotMatch(refused.headers.get('www-authenticate') ?? '', /resource_metadata/)
    }
    const accepted = await send(path, {
      headers: { authorization: `Bearer ${dev.mint({ scope: 'notes:read', sub: 'alice' })}` },
    })
    assert.deepEqual([accepted.status, await accepted.text()], [200, 'alice'], path)
  }
})

test('RFC 9112 §3.2.2: they are found by an address in its absolute form, too', () => {
  const statusOf = (target: string) => publicPages(pages).answer('GET', target)?.status
  assert.equal(statusOf('http://127.0.0.1/.well-known/oauth-protected-resource/api'), 200)
  assert.equal(statusOf('http://127.0.0.1/notes'), undefined)
})
