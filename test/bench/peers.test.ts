/** The bench of peers: what the load generator reads of them, what better-auth answers, and what the report makes of it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { audience } from '../../bench/contestants/client.ts'
import { applyLoad } from '../../bench/load.ts'
import { startBetterAuth } from '../../bench/peers/better-auth.ts'
import { redemption, refreshing } from '../../bench/contestants/web-client.ts'
import { type Compared, startDurableFloor } from '../../bench/peers/contestants.ts'
import { comparedOperations } from '../../bench/peers/operations.ts'
import { type ComparedCost, multiplesTable, peersTable, targetsOf, tokenMultiples } from '../../bench/peers/report.ts'

test('an answer in chunks is read whole, and the next one is another', async () => {
  await using server = createServer((request, response) => {
    response.write(`{"path":"${request.url}",`)
    setImmediate(() => response.end('"word":"Grüße"}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const bodies: string[] = []
  const { failures } = await applyLoad({
    port,
    connections: 1,
    requests: 2,
    request: () => Buffer.from(`GET /${bodies.length} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    answered: (_status, body) => void bodies.push(body),
  })
  assert.equal(failures, 0)
  assert.deepEqual(bodies, ['{"path":"/0","word":"Grüße"}', '{"path":"/1","word":"Grüße"}'])
})

/** The second answer of each operation that it offers; the operations themselves refuse what is no answer. */
async function answersOf(compared: Compared): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>()
  for (const { name, prepare } of comparedOperations.filter((it) => compared.lacks?.includes(it.name) !== true)) {
    const batch = await prepare(compared)
    const { failures } = await applyLoad({
      ...batch,
      port: compared.contestant.port,
      connections: 1,
      requests: 2,
      answered(status, body) {
        found.set(name, JSON.parse(body) as Record<string, unknown>)
        batch.answered?.(status, body)
      },
    })
    assert.equal(failures, 0, `${name}: ${JSON.stringify(found.get(name))}`)
  }
  return found
}

const partOf = (token: unknown, part: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(token).split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>

test('better-auth answers all that it is measured at, with the same tokens as the others', async () => {
  await using stack = new AsyncDisposableStack()
  const answers = await answersOf(await startBetterAuth(stack))
  assert.deepEqual(
    [...answers.keys()],
    ['token', 'refresh', 'introspection', 'code redemption', 'sign-in without the hash', 'device poll'],
  )
  const token = answers.get('token')?.['access_token']
  assert.equal(partOf(token, 0)['alg'], 'ES256')
  assert.equal(partOf(token, 1)['aud'], audience)
  assert.match(String(answers.get('sign-in without the hash')?.['url']), /[?&]code=/)
})

test('the durable floor spends a code and a refresh token once each, and answers with the same tokens as the others', async () => {
  await using stack = new AsyncDisposableStack()
  const floor = await startDurableFloor(stack)
  const answers = await answersOf(floor)
  assert.deepEqual([...answers.keys()], ['refresh', 'code redemption'])
  const { access_token, id_token, refresh_token } = answers.get('refresh') ?? {}
  assert.equal(partOf(access_token, 1)['aud'], audience)
  assert.equal(partOf(id_token, 0)['alg'], 'ES256')
  const [code = ''] = await floor.codes(1)
  assert.deepEqual(await statusesOf(floor, redemption(code)), [200, 400])
  assert.deepEqual(await statusesOf(floor, refreshing(String(refresh_token))), [200, 400])
})

/** Of the same request, sent twice at once. */
async function statusesOf({ contestant: { port } }: Compared, request: Buffer): Promise<readonly number[]> {
  const statuses: number[] = []
  const answered = (status: number): void => void statuses.push(status)
  await applyLoad({ port, connections: 2, requests: 2, request: () => request, answered })
  return statuses.toSorted((one, other) => one - other)
}

const cost = (name: string, server: number, database = 0, operation = 'token'): ComparedCost => ({
  operation,
  name,
  server_cpu_us: server * 100,
  server_to_peer: server,
  database_cpu_us: database * 100,
  database_to_peer: database,
})
const costs = [
  cost('Grantor, SQLite', 0.5),
  cost('Grantor, PostgreSQL', 0.5, 0.25),
  cost('oidc-provider', 1),
  cost('Keycloak', 6),
  cost('better-auth', 9),
  cost('Grantor, SQLite', 0.8, 0, 'exchange'),
  cost('Keycloak', 7, 0, 'exchange'),
]

test('what others take for a token is told in times of ours, with the database counted in', () => {
  assert.deepEqual(tokenMultiples(costs), [
    { name: 'Keycloak', sqlite: 12, postgres: 8 },
    { name: 'better-auth', sqlite: 18, postgres: 12 },
  ])
  assert.match(multiplesTable(tokenMultiples(costs)), /^\| better-auth \| 18 \| 12 \|$/m)
})

test('a multiple below twelve is a target missed', () => {
  const targets = targetsOf(costs, {})
  assert.equal(targets['token: Keycloak at least 12 × Grantor on SQLite'], true)
  assert.equal(targets['token: Keycloak at least 12 × Grantor on PostgreSQL and its database'], false)
  assert.equal(targets['token: better-auth at least 12 × Grantor on PostgreSQL and its database'], true)
})

test('the table says of whoever does not offer a request that there is nothing', () => {
  const row = peersTable(costs)
    .split('\n')
    .find((it) => it.startsWith('| exchange |'))
  assert.equal(row, '| exchange | 80 µs (0.8 ×) | – | – | 700 µs (7 ×) | – |')
})

test('whoever takes no part has no multiple and no target', () => {
  const alone = costs.filter(({ name }) => name !== 'Keycloak' && name !== 'better-auth')
  assert.deepEqual(tokenMultiples(alone), [])
  assert.ok(Object.keys(targetsOf(alone, {})).every((target) => !target.includes('× Grantor')))
})
