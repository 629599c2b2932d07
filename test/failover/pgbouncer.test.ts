/** A server behind PgBouncer in transaction mode, with LISTEN and migrations past it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { temporaryDatabase } from '../../interop/database.ts'
import { hasPgBouncer, startPgBouncer } from '../../interop/pgbouncer.ts'
import { startServer, temporaryFolder } from '../../interop/server.ts'
import { requestIntrospection, requestRevocation, requestToken, tokenIn, unlimited } from '../faults/service-client.ts'
import { masterKey, nodeOver } from '../fleet/fleet.ts'
import { assertOneSuccessor, codesOf, declared, grantOf } from './clients.ts'

const skip = hasPgBouncer() ? false : 'PgBouncer is not here; `npm test` installs it where it can'

test('behind PgBouncer in transaction mode tokens are issued, refreshed once and revoked', { skip }, async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const role = new URL(database.url).pathname.slice(1)
  await ask(database.url, `create role ${role} login password '${role}'`)
  await ask(database.url, `grant create on database ${role} to ${role}`)
  await ask(database.url, `alter role ${role} in database ${role} set search_path = grantor`)
  await using pooler = await startPgBouncer(database.url, [role])
  const direct = new URL(database.url)
  direct.username = direct.password = role
  const env = {
    ...unlimited,
    GRANTOR_MASTER_KEY: masterKey,
    GRANTOR_DATABASE_URL: pooler.urlOf(role),
    GRANTOR_DATABASE_TIMEOUT: '60s',
    GRANTOR_DATABASE_PREPARED_STATEMENTS: 'off',
    GRANTOR_DATABASE_DIRECT_URL: direct.href,
  }
  {
    await using node = nodeOver(
      await startServer({ data: folder.path, seed: folder.write('seed.json', declared), env }),
    )
    // More at once than the pooler has connections.
    const tokens = await Promise.all(Array.from({ length: 40 }, async () => tokenIn(await requestToken(node))))
    assert.deepEqual(
      new Set(await Promise.all(tokens.map(async (it) => (await requestRevocation(node, it)).status))),
      new Set([200]),
    )
    for (const token of tokens.slice(0, 5))
      assert.deepEqual(JSON.parse((await requestIntrospection(node, token)).body), { active: false })
    const codes = codesOf(node)
    const holder = await grantOf(node, (await codes.next()) ?? '')
    await codes.close()
    for (let n = 0; n < 3; n++) await assertOneSuccessor([node, node], holder)
    const listening = await ask(
      database.url,
      // What it asked last: to listen, or whether anybody still answers there.
      `select 1 from pg_stat_activity where usename = '${role}' and (query like 'listen %' or query like '% as heard')`,
    )
    assert.equal(listening.length, 1, 'it listens past the pooler')
    assert.equal(await node.server.stop(), 0)
  }
  await pooler[Symbol.asyncDispose]()
  await ask(database.url, `drop owned by ${role}`)
})

async function ask(url: string, text: string): Promise<readonly object[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<object>(text)).rows
  } finally {
    await client.end()
  }
}
