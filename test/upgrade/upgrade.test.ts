/** An earlier version and this one on one database, forwards and back, under load: nothing valid is refused, nothing revoked lives. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { migrationsOf } from '@grantor/store'
import { temporaryDatabase } from '../../interop/database.ts'
import { runCommand, type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { History } from '../faults/history.ts'
import { unlimited } from '../faults/service-client.ts'
import { issuer, masterKey, type Node, nodeOver } from '../fleet/fleet.ts'
import { assertDead, Balancer, type Clients, clientsOf, type Dead, declared, grantOf, refreshed } from './clients.ts'
import { unpackEarlierVersion } from './earlier-version.ts'

const env = { ...unlimited, GRANTOR_MASTER_KEY: masterKey, GRANTOR_ISSUER: issuer }

/** So much is done with one set of nodes before the next is changed. */
const roundsBetween = 15

async function moreRounds({ rounds }: Clients, working: Promise<void>): Promise<void> {
  const enough = rounds.count + roundsBetween
  // A failure of a client ends the wait for it.
  const failed = working.then(() => assert.fail('the clients stopped'))
  while (rounds.count < enough) await Promise.race([setTimeout(20), failed])
}

async function assertRun(args: readonly string[], options: ServerOptions): Promise<void> {
  const { code, stdout, stderr } = await runCommand(args, options)
  assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
}

test('PostgreSQL: nodes of both versions serve together, are replaced one by one, go back, and go forward again', async (t) => {
  using earlier = unpackEarlierVersion('beside')
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const now: ServerOptions = { data: folder.path, env: { ...env, ...database.settings } }
  const before: ServerOptions = { ...now, command: earlier.command }
  await assertRun(['apply', folder.write('seed.json', declared)], before)
  await using stack = new AsyncDisposableStack()
  const balancer = new Balancer()
  const start = async (options: ServerOptions): Promise<Node> => {
    const node = stack.use(nodeOver(await startServer(options)))
    balancer.add(node)
    return node
  }
  const stop = async (node: Node): Promise<void> => {
    await balancer.remove(node)
    assert.equal(await node.server.stop(), 0)
  }
  let nodes = [await start(before), await start(before)]
  const [history, dead]: [History, Dead] = [new History(), { tokens: [], refreshTokens: [] }]
  const clients = clientsOf(balancer, history, dead)
  const over = new AbortController()
  const working = clients.work(over.signal)
  await moreRounds(clients, working)
  const left = migrationsOf('postgres').length - earlier.schema
  assert.equal((await runCommand(['migrate', 'status'], now)).code, left === 0 ? 0 : 4)
  t.diagnostic(`${left} migrations between the two`)

  for (const options of [now, before, now]) {
    for (const old of nodes.splice(0)) {
      nodes = [...nodes, await start(options)]
      await moreRounds(clients, working)
      await stop(old)
      await moreRounds(clients, working)
    }
    t.diagnostic(`${options === now ? 'this' : 'the earlier'} version alone after ${clients.rounds.count} rounds`)
    await assertDead(nodes, dead, 40)
    await assertRun(['audit', 'verify'], options === now ? before : now)
  }
  over.abort()
  await working
  await assertDead(nodes, dead)
  await assertRun(['migrate', 'status'], now)
  for (const node of nodes) await stop(node)
  await history.assertKept(now)
})

test('SQLite: the earlier version, this one, and the earlier one again on one file, by the lines of docs/upgrade.md', async () => {
  using earlier = unpackEarlierVersion('before')
  using folder = temporaryFolder()
  const now: ServerOptions = { data: folder.path, env }
  const before: ServerOptions = { ...now, command: earlier.command }
  await assertRun(['apply', folder.write('seed.json', declared)], before)
  const dead: Dead = { tokens: [], refreshTokens: [] }
  const history = new History()
  let held: string | null = null
  const serve = async (options: ServerOptions): Promise<void> => {
    await using node = nodeOver(await startServer(options))
    const balancer = new Balancer()
    balancer.add(node)
    // What was granted by the other version is good here.
    held = held === null ? await grantOf(balancer) : await refreshed(balancer, held)
    const over = new AbortController()
    const clients = clientsOf(balancer, history, dead)
    const working = clients.work(over.signal)
    await moreRounds(clients, working)
    over.abort()
    await working
    await assertDead([node], dead)
    assert.equal(await node.server.stop(), 0)
    await assertRun(['audit', 'verify'], options)
  }
  await serve(before)
  await followPage('Before', now)
  await serve(now)
  await followPage('After', now)
  await serve(before)
  await serve(now)
  await history.assertKept(now)
})

/** Runs the lines of that section that begin with `grantor`, as they stand there. */
async function followPage(section: string, options: ServerOptions): Promise<void> {
  const page = readFileSync(new URL('../../docs/upgrade.md', import.meta.url), 'utf8')
  const part = page.split(/^## /m).find((text) => text.startsWith(`${section}\n`)) ?? ''
  const lines = [...part.matchAll(/^grantor ([^#>\n]+?)(?: > (\S+))?(?: +#.*)?$/gm)]
  assert.ok(lines.length > 2, `${section} has lines`)
  for (const [line, args = '', file] of lines) {
    const { code, stdout, stderr } = await runCommand(args.trim().split(/\s+/), options)
    // Something is to be done before the upgrade, and the doctor finds no server that answers.
    const expected = args.startsWith('migrate status') && section === 'Before' ? 4 : 0
    if (!args.startsWith('doctor')) assert.equal(code, expected, `${line}: ${stdout}${stderr}`)
    if (file !== undefined) writeFileSync(join(options.data, file), stdout)
  }
}
