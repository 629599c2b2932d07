/** Commands on a volume that fills up: one clear line, the exit code as documented, and nothing half-written taken for whole. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { type CommandResult, runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { smallDisk, type SmallDisk } from './small-disk.ts'

const anyPorts = { GRANTOR_PORT: '0', GRANTOR_MANAGEMENT_PORT: '0' }
/** From nothing to more than a page of the database: what fails is another step each time. */
const rooms = [0, 8_192, 65_536, 196_608, 524_288]

/** Every process must meet it, so a limit on one process will not do. */
function volume(t: TestContext): SmallDisk | null {
  const disk = smallDisk()
  t.after(() => disk[Symbol.dispose]())
  if (!disk.mounted) t.skip('no volume of its own can be mounted here')
  return disk.mounted ? disk : null
}

/** 1 where a file could not be written, 5 where the database said it. */
function assertToldFull({ code, stdout, stderr }: CommandResult, when: string): void {
  assert.ok(code === 1 || code === 5, `${when}: ${code} ${stderr}`)
  assert.equal(stdout, '', when)
  const [first = '', ...more] = stderr.trimEnd().split('\n')
  assert.match(first, /full|ENOSPC|cannot be written|cannot be used|disk I\/O/, when)
  assert.doesNotMatch(stderr, /defect|^\s+at /m, when)
  assert.ok(more.length <= 1 && more.every((line) => line.includes('fix:')), `${when}: ${stderr}`)
}

function assertWhole(file: string): void {
  using database = new DatabaseSync(file)
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
}

const data = (path: string, env: Readonly<Record<string, string>> = {}) => ({
  data: path,
  env: { ...anyPorts, ...env },
})

async function begun(path: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const made = await runCommand(['client', 'create', 'kept', '--grant-type', 'client_credentials'], data(path, env))
  assert.equal(made.code, 0, made.stderr)
}

test('a backup onto a full volume leaves no file, neither whole nor partial', async (t) => {
  const disk = volume(t)
  if (disk === null) return
  using folder = temporaryFolder()
  await begun(folder.path)
  const file = join(disk.path, 'backup')
  for (const room of rooms.slice(0, 4)) {
    disk.fill(0, room)
    assertToldFull(await runCommand(['backup', file], data(folder.path)), `${room} bytes`)
    disk.free()
    assert.deepEqual(readdirSync(disk.path), [], `${room} bytes`)
  }
  assert.equal((await runCommand(['backup', file], data(folder.path))).code, 0)
  assertWhole(file)
})

test('a restore onto a full volume leaves no database, and works when there is room', async (t) => {
  const disk = volume(t)
  if (disk === null) return
  using folder = temporaryFolder()
  const env = { GRANTOR_MASTER_KEY: 'a master key of the test, long enough' }
  await begun(folder.path, env)
  const backup = join(folder.path, 'backup')
  assert.equal((await runCommand(['backup', backup], data(folder.path, env))).code, 0)
  for (const room of rooms) {
    disk.fill(0, room)
    assertToldFull(await runCommand(['restore', backup, '--yes'], data(disk.path, env)), `${room} bytes`)
    disk.free()
    assert.ok(!existsSync(join(disk.path, 'grantor.db')), `${room} bytes`)
    assert.deepEqual(
      readdirSync(disk.path).filter((name) => name.startsWith('restore-')),
      [],
    )
  }
  const restored = await runCommand(['restore', backup, '--yes'], data(disk.path, env))
  assert.equal(restored.code, 0, restored.stderr)
  assertWhole(join(disk.path, 'grantor.db'))
  const shown = await runCommand(['client', 'show', 'kept'], data(disk.path, env))
  assert.equal(shown.code, 0, shown.stderr)
})

test('rewrapping on a full volume changes all or nothing: one of the two keys still opens everything', async (t) => {
  const disk = volume(t)
  if (disk === null) return
  const [old, fresh] = ['the old master key of the test, long', 'the new master key of the test, long']
  await begun(disk.path, { GRANTOR_MASTER_KEY: old })
  // The first start makes what is sealed.
  const server = await startServer(data(disk.path, { GRANTOR_MASTER_KEY: old }))
  assert.equal(await server.stop(), 0)
  const both = { GRANTOR_MASTER_KEY: fresh, GRANTOR_MASTER_KEY_PREVIOUS: old }
  let failures = 0
  for (const room of rooms) {
    disk.fill(0, room)
    const answer = await runCommand(['key', 'rewrap'], data(disk.path, both))
    disk.free()
    if (answer.code === 0) break
    failures += 1
    assertToldFull(answer, `${room} bytes`)
    const listed = await runCommand(['key', 'list'], data(disk.path, { GRANTOR_MASTER_KEY: old }))
    assert.equal(listed.code, 0, `${room} bytes: ${listed.stderr}`)
  }
  assert.ok(failures > 0)
  assert.equal((await runCommand(['key', 'rewrap'], data(disk.path, both))).code, 0)
  assert.equal((await runCommand(['key', 'list'], data(disk.path, { GRANTOR_MASTER_KEY: fresh }))).code, 0)
  const verified = await runCommand(['audit', 'verify'], data(disk.path, { GRANTOR_MASTER_KEY: fresh }))
  assert.equal(verified.code, 0, verified.stderr)
})

test('a first start on a full volume makes nothing that the next one stumbles over', async (t) => {
  const disk = volume(t)
  if (disk === null) return
  for (const room of rooms) {
    disk.fill(0, room)
    assertToldFull(await runCommand(['client', 'list'], data(disk.path)), `${room} bytes`)
    disk.free()
  }
  await begun(disk.path)
  assertWhole(join(disk.path, 'grantor.db'))
})
