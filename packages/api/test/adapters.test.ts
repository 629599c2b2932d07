/** An API beside the routes of an application: only what is its own is answered by it, and bodies are read once. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type RequestListener } from 'node:http'
import { test } from 'node:test'
import { createValidator } from '@grantor/resource'
import { createTestIssuer } from '@grantor/resource/testing'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { expressApi } from '../src/adapters/express.ts'
import { fastifyApi } from '../src/adapters/fastify.ts'
import { honoApi } from '../src/adapters/hono.ts'
import { listening } from './adapters.ts'
import { all, audience, issuer, sample } from './sample.ts'

const dev = createTestIssuer({ audience, issuer })
const validator = createValidator({ audience, issuers: [dev.trust] })
const authorization = `Bearer ${dev.mint({ scope: all })}`
const parcel = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } }

test('Express: other routes stay with the application, with their bodies', async () => {
  const app = express()
    .use(expressApi(sample().api.with(validator)))
    .use(express.json())
    .post('/mine', (request, response) => void response.json(request.body))
  const { port, close } = await listening(app)
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  assert.equal((await ask('/v1/parcels', { headers: { authorization } })).status, 200)
  assert.equal((await ask('/openapi.json')).status, 200)
  assert.deepEqual(await (await ask('/mine', { ...parcel, body: '{"a":1}' })).json(), { a: 1 })
  for (const path of ['/v1', '/v2/parcels', '/openapi.json/x', '/v1%2Fparcels'])
    assert.match(String((await ask(path)).headers.get('content-type')), /^text\/html/, path)
  await close()
})

test('Express: behind what parses bodies a write is a 500 that says why in the log, and does not wait for ever', async () => {
  const { api, faults, rows } = sample()
  const app = express()
    .use(express.json())
    .use(expressApi(api.with(validator)))
  const { port, close } = await listening(app)
  const got = await fetch(`http://127.0.0.1:${port}/v1/parcels`, { ...parcel, body: '{"label":"Tea","weight":1}' })
  assert.equal(got.status, 500)
  assert.equal(got.headers.get('content-type'), 'application/problem+json')
  assert.match(String(faults[0]), /before what parses bodies/)
  assert.equal(rows.size, 0)
  await close()
})

test('RFC 9112 §3.2.2: an address in its absolute form is of the API beside other routes, too', async (t) => {
  const api = sample().api.with(validator)
  const onHono = new Hono().use(honoApi(api))
  for (const listener of [express().use(expressApi(api)), getRequestListener(onHono.fetch) as RequestListener]) {
    const { port, close } = await listening(listener)
    t.after(close)
    const statusOf = async (path: string): Promise<number | undefined> => {
      const [response] = (await once(get({ port, path, headers: { authorization } }), 'response')) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }
    assert.equal(await statusOf(`http://127.0.0.1:${port}/v1/parcels`), 200)
    assert.equal(await statusOf(`http://127.0.0.1:${port}/other`), 404)
  }
})

test('Hono: other routes stay with the application, without a server too', async () => {
  const app = new Hono().use(honoApi(sample().api.with(validator)))
  app.get('/mine', (c) => c.text('mine'))
  assert.equal((await app.request('/v1/parcels', { headers: { authorization } })).status, 200)
  assert.equal(await (await app.request('/mine')).text(), 'mine')
  assert.equal((await app.request('/v2/parcels')).headers.get('content-type'), 'text/plain; charset=UTF-8')
})

test('Fastify: other routes stay with the application, and a method that Fastify does not know is 405 at the API alone', async () => {
  const app = fastify()
  await app.register(fastifyApi, { api: sample().api.with(validator) })
  app.get('/mine', () => 'mine')
  const ask = (method: 'GET' | 'PROPFIND', url: string) =>
    app.inject({ method, url, headers: { authorization } } as never)
  assert.equal((await ask('GET', '/v1/parcels')).statusCode, 200)
  assert.equal((await ask('GET', '/mine')).body, 'mine')
  const { statusCode, headers } = await ask('PROPFIND', '/v1/parcels')
  assert.deepEqual([statusCode, headers['content-type']], [405, 'application/problem+json'])
  assert.match(String(headers['allow']), /GET/)
  assert.equal((await ask('PROPFIND', '/mine')).statusCode, 404)
  await app.close()
})
