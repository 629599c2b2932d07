/** PostgreSQL put back to a point in time from a base backup and an archive of its log, as docs/high-availability.md says. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { claimsOf } from '../faults/http-client.ts'
import { requestIntrospection, requestRevocation, requestToken, tokenIn, unlimited } from '../faults/service-client.ts'
import { until } from '../faults/until.ts'
import { eventually, seed, startValidator } from '../feed/validators.ts'
import { masterKey, type Node, nodeOver } from '../fleet/fleet.ts'
import { codesOf, declared, grantOf, type Holder, refresh } from './clients.ts'
import { makePostgres, type PostgresServer } from './postgres-server.ts'

const objects = { ...declared, clients: [...declared.clients, ...seed.clients.slice(-1)] }

test('what was issued after the point is void, though the database has forgotten it: for introspection and for validators', async () => {
  using folder = temporaryFolder()
  await using servers = await makePostgres()
  const archive = servers.shared('archive')
  const primary = servers.first
  const archiving = { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` }
  await primary.start(archiving)
  const optionsOver = (server: PostgresServer): ServerOptions => ({
    data: folder.path,
    env: {
      ...unlimited,
      GRANTOR_DATABASE_URL: server.url,
      GRANTOR_DATABASE_TIMEOUT: '60s',
      GRANTOR_MASTER_KEY: masterKey,
    },
  })
  const applied = await runCommand(['apply', folder.write('seed.json', objects)], optionsOver(primary))
  assert.equal(applied.code, 0, applied.stderr)
  // The base backup: the files of a server that was shut down.
  await primary.kill('SIGINT')
  const restored = await servers.copy(primary, 'restored')
  await primary.start(archiving)

  const first = nodeOver(await startServer(optionsOver(primary)))
  await using follower = startValidator(first.server.issuer, first.server.ca)
  await follower.validator.whenReady()
  const before = await issue(first)
  const spentAfter = await grant(first)
  const revokedAfter = tokenIn(await requestToken(first))
  await primary.ask(`select pg_create_restore_point('the-point')`)
  const after = await issue(first)
  spentAfter.successor = await refreshedToken(first, spentAfter.token)
  await requestRevocation(first, revokedAfter)
  for (const { token } of [before, after]) assert.equal(await follower.verdict(token), 'accepted')
  await eventually(async () => (await follower.verdict(revokedAfter)) === 'token_revoked', 'the revocation is heard')
  assert.equal(await first.server.stop(), 0)
  await archiveAll(primary, archive)
  await primary.kill()

  await recover(restored, { restore_command: `cp ${archive}/%f %p`, recovery_target_name: 'the-point' })
  assert.deepEqual(await knownOf(restored, [before.token, after.token]), [true, false], 'it stopped at the point')

  const options = optionsOver(restored)
  const epoch = await runCommand(['restore', '--yes'], options)
  assert.equal(epoch.code, 0, epoch.stderr)
  const verified = await runCommand(['audit', 'verify'], options)
  assert.equal(verified.code, 0, verified.stdout)
  const env = { ...options.env, GRANTOR_PORT: String(first.server.port) }
  await using second = nodeOver(await startServer({ ...options, env }))
  for (const token of [before.token, after.token, revokedAfter])
    assert.deepEqual(JSON.parse((await requestIntrospection(second, token)).body), { active: false })
  for (const token of [before.refreshToken, after.refreshToken, spentAfter.token, spentAfter.successor])
    assert.equal((await refresh(second, token)).status, 400)

  await using late = startValidator(second.server.issuer, second.server.ca)
  await late.validator.whenReady()
  for (const { verdict } of [follower, late]) {
    for (const token of [before.token, after.token, revokedAfter])
      await eventually(async () => (await verdict(token)) === 'token_revoked', 'what was before the restore is void')
    // Tokens count whole seconds, and one of the second of the restore is taken for an older one.
    await until(
      async () => verdict(tokenIn(await requestToken(second))),
      (it) => it === 'accepted',
    )
  }
})

interface Issued {
  readonly token: string
  readonly refreshToken: string
}

async function issue(node: Node): Promise<Issued> {
  return { token: tokenIn(await requestToken(node)), refreshToken: (await grant(node)).token }
}

async function grant(node: Node): Promise<Holder & { successor: string }> {
  const codes = codesOf(node)
  const holder = await grantOf(node, (await codes.next()) ?? '')
  await codes.close()
  return { ...holder, successor: '' }
}

async function refreshedToken(node: Node, token: string): Promise<string> {
  const { status, body } = await refresh(node, token)
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { refresh_token: string }).refresh_token
}

/** Only whole segments are archived: the present one is closed, and waited for. */
async function archiveAll(server: PostgresServer, archive: string): Promise<void> {
  const [row] = await server.ask<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
  await until(
    async () => existsSync(join(archive, row?.segment ?? '')),
    (is) => is,
  )
}

/** Replays the archive up to the target, and takes writes from there on. */
async function recover(server: PostgresServer, target: Readonly<Record<string, string>>): Promise<void> {
  writeFileSync(join(server.folder, 'recovery.signal'), '', { mode: 0o644 })
  await server.start({ ...target, recovery_target_action: 'promote' })
  await until(
    () => server.ask<{ recovering: boolean }>('select pg_is_in_recovery() as recovering'),
    ([row]) => row?.recovering === false,
  )
}

async function knownOf(server: PostgresServer, tokens: readonly string[]): Promise<readonly boolean[]> {
  const bodies = await server.ask<{ body: string }>(
    'select body from grantor.events union all select body from grantor.events_pending',
  )
  return tokens.map((token) => bodies.some(({ body }) => body.includes(claimsOf(token).jti)))
}
