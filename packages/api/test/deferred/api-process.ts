/** An API in a process of its own, for tests that kill it: `api-process.ts sqlite FILE KEYS` or `postgres SCHEMA KEYS`, then `hang`, `rerun`. */
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { Type } from 'typebox'
import { createValidator, GivenKeys } from '@grantor/resource'
import { fastifyServer } from '../../src/adapters/fastify.ts'
import { collection } from '../../src/collection/collection.ts'
import type { RequestContext } from '../../src/collection/handlers.ts'
import { resourceServer } from '../../src/serve/resource-server.ts'
import { postgresIdempotency } from '../../src/stores/postgres-idempotency.ts'
import { postgresOperations } from '../../src/stores/postgres-operations.ts'
import { sqliteIdempotency } from '../../src/stores/sqlite-idempotency.ts'
import { sqliteOperations } from '../../src/stores/sqlite-operations.ts'

const [kind = '', where = '', keys = '', ...how] = process.argv.slice(2)
const audience = 'https://api.example'
const issuer = 'https://issuer.example'

async function openStores() {
  if (kind === 'sqlite') {
    const database = new DatabaseSync(where)
    return { operations: sqliteOperations(database), idempotency: sqliteIdempotency(database) }
  }
  const connectionString = process.env['GRANTOR_TEST_DATABASE_URL']
  const pool = new pg.Pool({ connectionString, max: 2, options: `-c search_path=${where}` })
  return { operations: await postgresOperations(pool), idempotency: await postgresIdempotency(pool) }
}

const things = collection({
  name: 'things',
  description: 'Whatever',
  schema: Type.Object({ id: Type.String({ readOnly: true }) }),
  example: { id: 'a' },
  scopes: { read: 'things:read' },
  idempotency: { rerun: how.includes('rerun') },
  handlers: { get: () => null },
  actions: {
    count: {
      on: 'collection',
      scope: 'things:read',
      summary: 'Count',
      body: Type.Object({}),
      example: {},
      deferred: 'always',
      async run(_body: never, { intent, progress }: RequestContext) {
        progress(1, 2)
        if (how.includes('hang')) await new Promise(() => setInterval(() => {}, 1000))
        return { intent, pid: process.pid }
      },
    },
  },
})

const api = resourceServer({
  name: 'Things',
  audience,
  issuers: [issuer],
  validator: createValidator({
    audience,
    issuers: [{ issuer, keys: new GivenKeys(JSON.parse(keys) as { keys: [] }), revocation: 'none' }],
  }),
  versions: [{ name: 'v1', collections: [things] }],
  ...(await openStores()),
  // Short, so that a test does not wait long for the lease of a process that it killed.
  workTiming: { lease: 1500, renew: 200, poll: 100 },
})
const server = fastifyServer(api)
await server.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`)
