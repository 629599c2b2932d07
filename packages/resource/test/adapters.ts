/** Every adapter behind one interface: the guard on a route, and a whole resource, so that each vector passes through all. */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { after } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { fastify, type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import {
  answerWith as answerExpress,
  expressErrors,
  expressResource,
  guard as expressGuard,
} from '../src/adapters/express.ts'
import { fastifyResource, guard as fastifyGuard, sendResponse } from '../src/adapters/fastify.ts'
import { guardFetch, protectedFetch, responseOf } from '../src/adapters/fetch.ts'
import { type CallerEnv, guard as honoGuard, honoErrors, honoResource } from '../src/adapters/hono.ts'
import { answerWith, protectedListener } from '../src/adapters/node.ts'
import type { ApiResponse } from '../src/http/response.ts'
import type { ProtectedResource } from '../src/protect/protected-resource.ts'
import type { ProtectOptions } from '../src/protect/protection.ts'
import type { ScopeNeed } from '../src/protect/scope-need.ts'
import type { Caller } from '../src/validate/caller.ts'

export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** What a handler does: a refusal to send instead of its answer, which is the caller's subject; or it throws. */
export type Judge = (method: string | undefined, caller: Caller) => ApiResponse | null

/** Who is asked: under `/notes` in an application of several routers, whatever the framework calls them. */
export interface Behind {
  readonly path: string
  readonly judge?: Judge
}

export interface ServerKeys {
  readonly key: string
  readonly cert: string
}

/** With keys over TLS, where clients are asked for certificates; the address of what listens. */
export async function serve(listener: RequestListener, keys?: ServerKeys): Promise<string> {
  const server: Server & { closeAllConnections(): void } =
    keys === undefined
      ? createServer(listener)
      : createTlsServer({ ...keys, requestCert: true, rejectUnauthorized: false }, listener)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `${keys === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const all = ['GET', 'POST', 'DELETE'] as const
const admit: Judge = () => null
const session = { 'mcp-session-id': 's1' }

/** Each as a listener of node:http; Fetch has none, and is asked directly. */
type Framework = 'fastify' | 'express' | 'hono'
type OpenListener<T> = (protect: T, behind: Behind) => RequestListener | Promise<RequestListener>

const expressHandler =
  (judge: Judge): express.RequestHandler =>
  (request, response) => {
    const { caller } = request
    if (caller === undefined) throw new Error('no caller')
    const refused = judge(request.method, caller)
    if (refused !== null) return answerExpress(response, refused)
    response.set(session).type('text').send(caller.subject)
  }

function expressApp(build: (router: express.Router) => void): RequestListener {
  const app = express().set('x-powered-by', false)
  build(app)
  return app
}

function fastifyHandlers(
  app: FastifyInstance,
  path: string,
  judge: Judge,
  onRequest?: ReturnType<typeof fastifyGuard>,
): void {
  app.route({
    method: [...all],
    url: path,
    ...(onRequest === undefined ? {} : { onRequest }),
    handler(request, reply) {
      const caller = request.caller as Caller
      const refused = judge(request.method, caller)
      if (refused !== null) return sendResponse(reply, refused)
      return reply.headers(session).send(caller.subject)
    },
  })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

async function fastifyApp(build: (app: FastifyInstance) => unknown): Promise<RequestListener> {
  const app = fastify()
  await build(app)
  await app.ready()
  after(() => app.close())
  return (request, response) => app.routing(request, response)
}

const honoListener = (app: Hono<CallerEnv>): RequestListener =>
  getRequestListener((request, env) => app.fetch(request, env))

const honoHandler =
  (judge: Judge) => (c: { readonly req: { readonly method: string }; get(name: 'caller'): Caller }) => {
    const caller = c.get('caller')
    const refused = judge(c.req.method, caller)
    return refused === null ? new Response(caller.subject, { headers: session }) : responseOf(refused)
  }

/** A resource behind each adapter that has a server. */
export const resourceListeners: Record<Framework | 'node', OpenListener<ProtectedResource>> = {
  node: (resource, { judge = admit }) =>
    protectedListener(resource, (request, response, caller) => {
      const refused = judge(request.method, caller)
      if (refused !== null) return answerWith(response, refused)
      response.writeHead(200, session).end(caller.subject)
    }),
  fastify: (resource, { path, judge = admit }) =>
    fastifyApp((app) =>
      app.register(fastifyResource, { resource, routes: (inner) => fastifyHandlers(inner, path, judge) }),
    ),
  express: (resource, { path, judge = admit }) =>
    expressApp((app) => {
      app.use(expressResource(resource))
      app.use(path, express.Router().all('/', expressHandler(judge)))
      app.use(expressErrors(resource))
    }),
  hono: (resource, { path, judge = admit }) => {
    const app = new Hono<CallerEnv>()
    app.use(honoResource(resource))
    app.route(path, new Hono<CallerEnv>().all('/', honoHandler(judge)))
    app.onError(honoErrors(resource))
    return honoListener(app)
  },
}

export interface GuardPlan {
  readonly options: ProtectOptions
  readonly need: ScopeNeed
}

/** The guard on a route of each framework, mounted where the framework mounts. */
export const guardListeners: Record<Framework, OpenListener<GuardPlan>> = {
  fastify: ({ options, need }, { path, judge = admit }) =>
    fastifyApp((app) => {
      app.decorateRequest('caller', null)
      fastifyHandlers(app, path, judge, fastifyGuard(options, need))
    }),
  express: ({ options, need }, { path, judge = admit }) =>
    expressApp((app) => app.use(path, express.Router().all('/', expressGuard(options, need), expressHandler(judge)))),
  hono: ({ options, need }, { path, judge = admit }) =>
    honoListener(
      new Hono<CallerEnv>().route(path, new Hono<CallerEnv>().all('/', honoGuard(options, need), honoHandler(judge))),
    ),
}

const overHttp =
  <T>(open: OpenListener<T>) =>
  async (protect: T, behind: Behind): Promise<Send> => {
    const origin = await serve(await open(protect, behind))
    return (path, init) => fetch(origin + path, init)
  }

const answered = (judge: Judge) => (request: Request, caller: Caller) => {
  const refused = judge(request.method, caller)
  return refused === null ? new Response(caller.subject, { headers: session }) : responseOf(refused)
}

type Open<T> = (protect: T, behind: Behind) => Promise<Send>
const opened = <T>(table: Readonly<Record<string, OpenListener<T>>>): Record<string, Open<T>> =>
  Object.fromEntries(Object.entries(table).map(([name, open]) => [name, overHttp(open)]))

/** Whatever the address that a Fetch handler is reached at: a proxy is in between. */
const inside = 'http://10.0.0.7:3000'

export const resources: Readonly<Record<string, Open<ProtectedResource>>> = {
  ...opened(resourceListeners),
  fetch: async (resource, { judge = admit }) => {
    const handler = protectedFetch(resource, answered(judge))
    return (path, init) => handler(new Request(inside + path, init))
  },
}

export const guards: Readonly<Record<string, Open<GuardPlan>>> = {
  ...opened(guardListeners),
  fetch: async ({ options, need }, { judge = admit }) => {
    const handler = guardFetch(options, need, answered(judge))
    return (path, init) => handler(new Request(inside + path, init))
  },
}
