/** `/health/ready` tells of a disk that is full, by what it says and by its status, and is well again when there is room. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { temporaryDatabase } from '../../interop/database.ts'
import { type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { httpClientOf } from './http-client.ts'
import { requestToken, seed, unlimited } from './service-client.ts'
import { smallDisk } from './small-disk.ts'
import { until } from './until.ts'

interface Readiness {
  readonly status: number
  readonly problems: readonly string[]
}

async function readiness({ managementPort }: Server): Promise<Readiness> {
  const answer = await fetch(`http://127.0.0.1:${managementPort}/health/ready`)
  const { problems = [] } = (await answer.json()) as { readonly problems?: readonly string[] }
  return { status: answer.status, problems }
}

const isReady = ({ status }: Readiness): boolean => status === 200
const isNotReady = ({ status }: Readiness): boolean => status === 503

test('SQLite: a full data volume makes the server not ready, which says so; with room it is ready again', async () => {
  using disk = smallDisk()
  using folder = temporaryFolder()
  await using server = await startServer({ data: disk.path, seed: folder.write('seed.json', seed), env: unlimited })
  using http = httpClientOf(server)
  for (let round = 0; round < 2; round++) {
    await until(() => readiness(server), isReady)
    disk.fill(server.pid)
    const { problems } = await until(() => readiness(server), isNotReady)
    assert.match(problems.join(), /the database cannot be written|the volume of the data folder is full/)
    disk.free(server.pid)
    await until(() => readiness(server), isReady)
    assert.equal((await requestToken(http)).status, 200)
  }
  assert.match(server.output(), /"problems":\[".+"\],"msg":"not ready"/)
  assert.equal(await server.stop(), 0)
})

test('PostgreSQL: a database that has no room for a write makes the server not ready until it has', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const masterKey = 'a-master-key-for-fault-tests-0123456789'
  const env = { ...unlimited, GRANTOR_DATABASE_URL: database.url, GRANTOR_MASTER_KEY: masterKey }
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env })
  await until(() => readiness(server), isReady)
  await execute(
    database.url,
    `create function grantor.full() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
     create trigger full_disk before insert or update on grantor.limits for each row execute function grantor.full()`,
  )
  const { problems } = await until(() => readiness(server), isNotReady)
  assert.deepEqual(problems, ['the database cannot be written'])
  assert.equal((await fetch(`http://127.0.0.1:${server.managementPort}/health/live`)).status, 200)
  await execute(database.url, 'drop trigger full_disk on grantor.limits')
  await until(() => readiness(server), isReady)
  assert.equal(await server.stop(), 0)
})

test('PostgreSQL: a disk that has no room for tokens, but for the row that health changes, makes the server not ready', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const masterKey = 'a-master-key-for-fault-tests-0123456789'
  const env = { ...unlimited, ...database.settings, GRANTOR_MASTER_KEY: masterKey }
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env })
  using http = httpClientOf(server)
  await until(() => readiness(server), isReady)
  const refuse = `begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end`
  await execute(
    database.url,
    `create function grantor.full() returns trigger language plpgsql as $$ ${refuse} $$;
     create trigger full_disk before insert on grantor.events_pending for each row execute function grantor.full();
     create function grantor.no_file() returns event_trigger language plpgsql as $$ ${refuse} $$;
     create event trigger no_file on ddl_command_start when tag in ('CREATE TABLE AS') execute function grantor.no_file()`,
  )
  assert.equal((await requestToken(http)).status, 503)
  const { problems } = await until(() => readiness(server), isNotReady)
  assert.deepEqual(problems, ['the database cannot be written'])
  assert.match(server.output(), /"reasons":\["PostgreSQL: could not extend file: No space left on device"\]/)
  await execute(database.url, 'drop event trigger no_file; drop trigger full_disk on grantor.events_pending')
  await until(() => readiness(server), isReady)
  assert.equal((await requestToken(http)).status, 200)
  assert.equal(await server.stop(), 0)
})

test('PostgreSQL: the log says why no server is taken that answers', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const url = new URL(database.url)
  url.searchParams.set('target_session_attrs', 'read-write')
  const masterKey = 'a-master-key-for-fault-tests-0123456789'
  const env = { ...unlimited, GRANTOR_DATABASE_URL: url.href, GRANTOR_MASTER_KEY: masterKey }
  await using server = await startServer({ data: folder.path, env })
  await until(() => readiness(server), isReady)
  const name = url.pathname.slice(1)
  await execute(database.url, `alter database "${name}" set default_transaction_read_only = on`)
  const { problems } = await until(() => readiness(server), isNotReady)
  assert.deepEqual(problems, ['the database does not answer'])
  assert.match(server.output(), /"reasons":\["PostgreSQL: none of its servers [^"]*: read-only"\],"msg":"not ready"/)
  await execute(
    database.url,
    `set transaction_read_only = off; alter database "${name}" reset default_transaction_read_only`,
  )
  await until(() => readiness(server), isReady)
  assert.equal(await server.stop(), 0)
})

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
