/** The primary of a replicated PostgreSQL is killed under load and its standby promoted: two real nodes, a real pair. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand, type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { History } from '../faults/history.ts'
import { requestIntrospection, requestToken, unlimited } from '../faults/service-client.ts'
import { until } from '../faults/until.ts'
import { masterKey, type Node, nodeOver } from '../fleet/fleet.ts'
import {
  assertOneSuccessor,
  codesOf,
  declared,
  grantOf,
  type Holder,
  issueAndRevoke,
  keepRefreshing,
  type Load,
  redeemTwice,
} from './clients.ts'
import { type PostgresServer, promote, startPair } from './postgres-server.ts'

const holders = 6

test('the primary is killed under load: nothing acknowledged is lost, nothing is spent twice, the log has no gap', async (t) => {
  using folder = temporaryFolder()
  await using pair = await startPair()
  const { primary, standby } = pair
  const env = {
    ...unlimited,
    GRANTOR_DATABASE_URL: pair.url,
    GRANTOR_DATABASE_TIMEOUT: '5s',
    GRANTOR_MASTER_KEY: masterKey,
    GRANTOR_ISSUER: 'https://localhost:8443',
  }
  const options: ServerOptions = { data: folder.path, env }
  const applied = await runCommand(['apply', folder.write('seed.json', declared)], options)
  assert.equal(applied.code, 0, applied.stderr)
  await using one = nodeOver(await startServer(options))
  await using two = nodeOver(await startServer(options))
  const nodes = [one, two]
  const codes = codesOf(one)
  const held: Holder[] = []
  while (held.length < holders) held.push(await grantOf(one, (await codes.next()) ?? ''))

  const history = new History()
  const stop = new AbortController()
  const answered = { count: 0 }
  const load: Load = { nodes, signal: stop.signal, heard: () => (answered.count += 1) }
  const more = (count: number): Promise<unknown> => {
    const enough = answered.count + count
    return until(
      () => new Promise<number>((tell) => setTimeout(tell, 20, answered.count)),
      (n) => n >= enough,
      120_000,
    )
  }
  const working = Promise.all([
    ...Array.from({ length: 4 }, () => issueAndRevoke(load, history)),
    ...held.map((holder) => keepRefreshing(load, holder)),
    redeemTwice(load, codes),
  ])
  // A failure of a client ends the wait for it.
  await Promise.race([more(150), working])
  const killedAt = performance.now()
  await primary.kill()
  const promoting = promote(standby).then(() => performance.now())
  const resumedAt = until(
    () => requestToken(one),
    ({ status }) => status === 200,
    120_000,
  ).then(() => performance.now())
  const promotedAt = await promoting
  t.diagnostic(`promoted ${Math.round(promotedAt - killedAt)} ms after the kill`)
  t.diagnostic(`served again ${Math.round((await resumedAt) - promotedAt)} ms after that`)
  await Promise.race([more(150), working])

  // It comes back as one that would take everything.
  await primary.start()
  const left = await stateOf(primary)
  await Promise.race([more(150), working])
  await using three = nodeOver(await startServer(options))
  assert.equal((await requestToken(three)).status, 200)
  stop.abort()
  await working
  await codes.close()
  assert.deepEqual(await stateOf(primary), left, 'the old primary is not written to')

  for (const holder of held) await assertOneSuccessor(nodes, holder)
  await assertDead(two, history)
  for (const node of [one, two, three]) assert.equal(await node.server.stop(), 0)
  await history.assertKept(options)
  const forks = `select grant_id from grantor.refresh_tokens where spent_at is null group by grant_id having count(*) > 1`
  assert.deepEqual(await standby.ask(forks), [])
})

async function assertDead(node: Node, history: History): Promise<void> {
  for (const token of history.revoked.values())
    assert.deepEqual(JSON.parse((await requestIntrospection(node, token)).body), { active: false })
}

const stateOf = (server: PostgresServer): Promise<readonly object[]> =>
  server.ask(`select (select pos from grantor.log_position) as pos, (select count(*) from grantor.events_pending) as waiting,
    (select count(*) from grantor.refresh_tokens) as refreshed`)
