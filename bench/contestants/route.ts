/**
 * One GET that answers with a small document, on the framework named first. The key set follows, and where the word
 * `guarded` comes after it, the route stands behind the guard of `@grantor/resource` as a busy API would have it: metrics
 * on, and 100 000 revoked tokens to look through. Those are held by both, since what a heap of that size does to the
 * rest of a process (a collection at the wrong moment makes Node's own `nextTick` slow for good) is no cost of a request.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { Instant } from '@grantor/protocol/types'
import { createApiMetrics } from '@grantor/api'
import { createValidator, GivenKeys, type ProtectOptions, RevocationView } from '@grantor/resource'
import { guard as expressGuard } from '@grantor/resource/express'
import { guard as fastifyGuard } from '@grantor/resource/fastify'
import { guard as honoGuard, guardHandler } from '@grantor/resource/hono'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { audience, issuer, scope } from '../tokens.ts'

const [framework = 'fastify', keySet, how] = process.argv.slice(2)
const report = { id: 'report-1', cents: 1290 }
const path = '/v1/report'

function protect(jwks: string): ProtectOptions {
  const view = new RevocationView({ leeway: 60_000, capacity: 250_000, now: Date.now })
  for (let n = 0; n < 100_000; n++) {
    const [at, until] = [Date.now() as Instant, (Date.now() + 600_000) as Instant]
    view.apply({ kind: 'revoke', tenant: null, jti: randomUUID(), at, until }, performance.now())
  }
  const keys = new GivenKeys(JSON.parse(jwks) as ConstructorParameters<typeof GivenKeys>[0])
  const revocation = {
    isRevoked: view.isRevoked.bind(view),
    revision: () => view.revision,
    freshness: () => 'live' as const,
    age: () => 0,
  }
  const metrics = createApiMetrics()
  return { validator: createValidator({ audience, metrics, issuers: [{ issuer, keys, revocation }] }), audience }
}

const held = keySet === undefined ? null : protect(keySet)
const options = how === 'guarded' ? held : null

const servers: Readonly<Record<string, () => Server | Promise<Server>>> = {
  async fastify() {
    const app = fastify()
    app.decorateRequest('caller', null)
    app.get(path, options === null ? {} : { onRequest: fastifyGuard(options, scope) }, async () => report)
    await app.ready()
    return app.server
  },
  express() {
    const app = express()
    const before = options === null ? [] : [expressGuard(options, scope)]
    app.get(path, ...before, (_request: express.Request, response: express.Response) => void response.json(report))
    return createServer(app)
  },
  hono() {
    const app = new Hono()
    if (options === null) app.get(path, (c) => c.json(report))
    else
      app.get(
        path,
        guardHandler(options, scope, (c) => c.json(report)),
      )
    return createAdaptorServer({ fetch: app.fetch })
  },
  'hono middleware'() {
    const app = new Hono()
    const before =
      options === null ? async (_c: unknown, next: () => Promise<void>) => next() : honoGuard(options, scope)
    app.get(path, before, (c) => c.json(report))
    return createAdaptorServer({ fetch: app.fetch })
  },
}

const server = await servers[framework]?.()
if (server === undefined) throw new Error(`there is no route on ${framework}`)
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ event: 'ready', port: (server.address() as AddressInfo).port, pid: process.pid }))
})
process.once('SIGTERM', () => process.exit(0))
