/** Routes that stay open, on every adapter: a stream of events, a long poll, downloads with and without a length. */
import type { RequestListener, ServerResponse } from 'node:http'
import { after } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { guard as expressGuard } from '../src/adapters/express.ts'
import { guard as fastifyGuard } from '../src/adapters/fastify.ts'
import { guardFetch } from '../src/adapters/fetch.ts'
import { type CallerEnv, guard as honoGuard, guardHandler } from '../src/adapters/hono.ts'
import { protectedListener } from '../src/adapters/node.ts'
import { protectedResource } from '../src/protect/protected-resource.ts'
import type { ProtectOptions } from '../src/protect/protection.ts'

/** By the path; `/short` is answered at once, `/poll` never. */
function answerOpen(path: string, response: ServerResponse): void {
  const headers = opening[path]
  if (headers !== undefined) response.writeHead(200, headers).write('data: one\n\n')
  if (path === '/short') response.end('short')
}

const opening: Readonly<Record<string, Record<string, string>>> = {
  '/events': { 'content-type': 'text/event-stream' },
  '/download': { 'content-type': 'text/plain' },
  '/file': { 'content-type': 'text/plain', 'content-length': '1000' },
}

/** The same as a Response; a poll is answered after a second, as one whose time is over. */
async function openResponse(path: string): Promise<Response> {
  if (path === '/short') return new Response('short')
  if (path === '/poll') {
    await new Promise((resolve) => {
      setTimeout(resolve, 1000)
    })
    return new Response('late')
  }
  return new Response(new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode('data: one\n\n')) }), {
    headers: opening[path] ?? {},
  })
}

/** `read`: everything is asked for by GET. */
export const openRoutes: Readonly<
  Record<string, (options: ProtectOptions) => RequestListener | Promise<RequestListener>>
> = {
  node: (options) => {
    const resource = protectedResource({ ...options, name: 'Notes', issuers: ['https://issuer.test'], scope: 'read' })
    return protectedListener(resource, (request, response) => answerOpen(request.url ?? '', response))
  },
  express: (options) =>
    express().use(expressGuard(options, 'read'), (request, response) => answerOpen(request.path, response)),
  async fastify(options) {
    const app = fastify()
    app.decorateRequest('caller', null)
    app.all('/*', { onRequest: fastifyGuard(options, 'read') }, (request, reply) => {
      reply.hijack()
      answerOpen(request.url, reply.raw)
    })
    await app.ready()
    after(() => app.close())
    return (request, response) => app.routing(request, response)
  },
  'hono middleware': (options) =>
    honoListener(new Hono<CallerEnv>().all('/*', honoGuard(options, 'read'), (c) => openResponse(c.req.path))),
  'hono handler': (options) =>
    honoListener(
      new Hono<CallerEnv>().all(
        '/*',
        guardHandler(options, 'read', (c) => openResponse(c.req.path)),
      ),
    ),
  'hono without node': (options) =>
    honoListener(
      new Hono<CallerEnv>().all(
        '/*',
        honoGuard(options, 'read', () => ({})),
        (c) => openResponse(c.req.path),
      ),
      false,
    ),
  fetch: (options) => {
    const guarded = guardFetch(options, 'read', ({ url }) => openResponse(new URL(url).pathname))
    return getRequestListener((request) => guarded(request))
  },
}

const honoListener = (app: Hono<CallerEnv>, bindings = true): RequestListener =>
  getRequestListener((request, env) => app.fetch(request, bindings ? env : {}))
