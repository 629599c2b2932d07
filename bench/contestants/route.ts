/**
 * One GET on Fastify that answers with a small document; with a key set as argument, behind the guard of
 * `@grantor/resource` as a busy API would have it: metrics on, and 100 000 revoked tokens to look through.
 */
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Instant } from '@grantor/protocol/types'
import { createApiMetrics } from '@grantor/api'
import { createValidator, GivenKeys, RevocationView } from '@grantor/resource'
import { guard } from '@grantor/resource/fastify'
import { fastify } from 'fastify'
import { audience, issuer, scope } from '../tokens.ts'

const keySet = process.argv[2]
const app = fastify()
app.decorateRequest('caller', null)

function guarded(jwks: string) {
  const view = new RevocationView({ leeway: 60_000, capacity: 250_000, now: Date.now })
  for (let n = 0; n < 100_000; n++) {
    const [at, until] = [Date.now() as Instant, (Date.now() + 600_000) as Instant]
    view.apply({ kind: 'revoke', tenant: null, jti: randomUUID(), at, until }, performance.now())
  }
  const keys = new GivenKeys(JSON.parse(jwks) as ConstructorParameters<typeof GivenKeys>[0])
  const revocation = { isRevoked: view.isRevoked.bind(view), freshness: () => 'live' as const, age: () => 0 }
  const metrics = createApiMetrics()
  const validator = createValidator({ audience, metrics, issuers: [{ issuer, keys, revocation }] })
  return { onRequest: guard({ validator, audience }, scope) }
}

app.get('/v1/report', keySet === undefined ? {} : guarded(keySet), async () => ({ id: 'report-1', cents: 1290 }))
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ event: 'ready', port: (app.server.address() as AddressInfo).port, pid: process.pid }))
process.once('SIGTERM', () => process.exit(0))
