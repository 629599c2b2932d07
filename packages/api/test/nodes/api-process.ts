/** A node of an API on PostgreSQL, for tests that kill it: `api-process.ts SCHEMA KEYS`, `die` at the end to die after its write. */
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Type } from 'typebox'
import { createValidator, GivenKeys } from '@grantor/resource'
import { fastifyServer } from '../../src/adapters/fastify.ts'
import { collection } from '../../src/collection/collection.ts'
import { resourceServer } from '../../src/serve/resource-server.ts'
import { postgresIdempotency } from '../../src/stores/postgres-idempotency.ts'

const [schema = '', keys = '', ending] = process.argv.slice(2)
const audience = 'https://api.example'
const issuer = 'https://issuer.example'
const connectionString = process.env['GRANTOR_TEST_DATABASE_URL']
const pool = new pg.Pool({ connectionString, max: 4, options: `-c search_path=${schema}` })

const things = collection({
  name: 'things',
  description: 'Whatever is kept in a table',
  schema: Type.Object({ id: Type.String({ readOnly: true }), label: Type.String({ maxLength: 100 }) }),
  example: { id: 'a', label: 'x' },
  scopes: { read: 'things:read', write: 'things:read' },
  // The intent is the id, so what was written already is found again.
  idempotency: { rerun: true },
  handlers: {
    get: () => null,
    async create({ label }: { readonly label: string }, { intent, tenant }) {
      await pool.query('insert into things (id, label) values ($1, $2) on conflict do nothing', [intent, label])
      if (ending === 'die') process.kill(process.pid, 'SIGKILL')
      return { tenant, version: 1, value: { id: intent, label } }
    },
  },
})

const trust = { issuer, keys: new GivenKeys(JSON.parse(keys) as { keys: [] }), revocation: 'none' } as const
const api = resourceServer({
  name: 'Things',
  audience,
  issuers: [issuer],
  validator: createValidator({ audience, issuers: [trust] }),
  versions: [{ name: 'v1', collections: [things] }],
  idempotency: await postgresIdempotency(pool),
})
const server = fastifyServer(api)
await server.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`)
