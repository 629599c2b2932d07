/** The primary is lost while a command's commit waits for the standby: the command says so, and run again it does the rest. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  type CommandResult,
  type Environment,
  type Folder,
  runCommand,
  type ServerOptions,
  startServer,
  temporaryFolder,
} from '../../interop/server.ts'
import { requestIntrospection, requestToken, seed, tokenIn, unlimited } from '../faults/service-client.ts'
import { until } from '../faults/until.ts'
import { masterKey, nodeOver } from '../fleet/fleet.ts'
import { type PostgresPair, promote, startPair } from './postgres-server.ts'

interface CutOff {
  readonly args: readonly string[]
  readonly env?: Environment
}

interface Deployed extends AsyncDisposable {
  readonly folder: Folder
  readonly pair: PostgresPair
  run(args: readonly string[], env?: Environment): Promise<CommandResult>
  /** Runs them up to where the commit of one waits, and takes the primary away there. */
  cutOff(...commands: readonly CutOff[]): Promise<void>
  readonly options: ServerOptions
}

async function deploy(t: TestContext): Promise<Deployed> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const pair = stack.use(await startPair())
  const options = {
    data: folder.path,
    env: {
      ...unlimited,
      GRANTOR_DATABASE_URL: pair.url,
      GRANTOR_DATABASE_TIMEOUT: '20s',
      GRANTOR_MASTER_KEY: masterKey,
      GRANTOR_ISSUER: 'https://localhost:8443',
    },
  }
  const run: Deployed['run'] = (args, env = {}) => runCommand(args, { ...options, env: { ...options.env, ...env } })
  const applied = await run(['apply', folder.write('seed.json', seed)])
  assert.equal(applied.code, 0, applied.stderr)
  const owned = stack.move()
  return {
    folder,
    pair,
    run,
    options,
    async cutOff(...commands) {
      const { primary, standby } = pair
      const silent = await standby.processes()
      for (const pid of silent) process.kill(pid, 'SIGSTOP')
      const running = commands.map(({ args, env }) => run(args, env))
      const waiting = `select query from pg_stat_activity where wait_event = 'SyncRep'`
      const [row] = await until(
        () => primary.ask<{ query: string }>(waiting),
        ({ length }) => length > 0,
      )
      t.diagnostic(`cut off at ${row?.query.replaceAll(/\s+/g, ' ').slice(0, 80)}`)
      await primary.kill()
      for (const pid of silent) process.kill(pid, 'SIGCONT')
      await promote(standby)
      for (const { code, stderr } of await Promise.all(running)) assert.ok(code === 5 || code === 0, stderr)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('key rotate and key rewrap: run again both end, what was signed before is still good, and nothing needs the old master key', async (t) => {
  await using it = await deploy(t)
  await using node = nodeOver(await startServer(it.options))
  const before = tokenIn(await requestToken(node))
  const [next, previous] = ['another-master-key-for-tests-0123456789', masterKey]
  const both = { GRANTOR_MASTER_KEY: next, GRANTOR_MASTER_KEY_PREVIOUS: previous }
  const older = { GRANTOR_MASTER_KEY: previous, GRANTOR_MASTER_KEY_PREVIOUS: next }
  await it.cutOff({ args: ['key', 'rotate', '--now'], env: older }, { args: ['key', 'rewrap'], env: both })
  for (const command of ['rotate --now', 'rewrap']) {
    const again = await it.run(['key', ...command.split(' ')], both)
    assert.equal(again.code, 0, again.stderr)
  }
  const nothing = await it.run(['key', 'rewrap', '--json'], both)
  assert.deepEqual(JSON.parse(nothing.stdout), { rewrapped: 0 })
  assert.equal(await node.server.stop(), 0)

  const only = { GRANTOR_MASTER_KEY: next }
  const verified = await it.run(['audit', 'verify'], only)
  assert.equal(verified.code, 0, verified.stdout)
  await using again = nodeOver(await startServer({ ...it.options, env: { ...it.options.env, ...only } }))
  for (const token of [before, tokenIn(await requestToken(again))])
    assert.equal((JSON.parse((await requestIntrospection(again, token)).body) as { active: boolean }).active, true)
})

test('restore: what was issued before is void after the next run, whether the first one had begun the epoch or not', async (t) => {
  await using it = await deploy(t)
  await using node = nodeOver(await startServer(it.options))
  const before = tokenIn(await requestToken(node))
  await node.server.stop()
  await it.cutOff({ args: ['restore', '--yes'] })
  const again = await it.run(['restore', '--yes'])
  assert.equal(again.code, 0, again.stderr)
  await using after = nodeOver(await startServer(it.options))
  assert.deepEqual(JSON.parse((await requestIntrospection(after, before)).body), { active: false })
  const verified = await it.run(['audit', 'verify'])
  assert.equal(verified.code, 0, verified.stdout)
})
