/**
 * The image and the Debian package, really built, unpacked, started and asked. It takes minutes, changes the machine and
 * needs Debian and root, so it runs where `GRANTOR_TEST_PACKAGES=yes` asks for it.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { temporaryFolder } from '../../interop/server.ts'
import { buildDeb } from '../../scripts/deploy/deb.ts'
import { buildImage, imageConfig, imageUser } from '../../scripts/deploy/image.ts'
import { packAll } from '../../scripts/pack.ts'

const isWanted = process.env['GRANTOR_TEST_PACKAGES'] === 'yes'
const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/dpkg-deb') && existsSync('/usr/bin/apt-get')
const skip = isWanted && isPossible ? false : 'asked for by GRANTOR_TEST_PACKAGES=yes, on Debian, as root'

/** Tarballs that are there already may be named, for a second look that does not take as long. */
const tarballsIn = (folder: string): readonly string[] => {
  const packed = process.env['GRANTOR_TEST_TARBALLS']
  return packed === undefined ? packAll(folder) : globSync(join(packed, '*.tgz'))
}

const anyPorts = ['GRANTOR_PORT=0', 'GRANTOR_MANAGEMENT_PORT=0', 'GRANTOR_MTLS_PORT=0', 'GRANTOR_LOG=warn']

interface ReadyLine {
  readonly management_port: number
  readonly issuer: string
}

/** Until it says that it is ready, or ends. */
async function whenReady(child: ChildProcess): Promise<ReadyLine> {
  let problems = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (problems += text))
  assert.ok(child.stdout !== null)
  const lines = createInterface(child.stdout)
  const first = once(lines, 'line') as Promise<[string]>
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`it ended: ${problems}`)))
  const [line] = await Promise.race([first, ended])
  return JSON.parse(line) as ReadyLine
}

async function assertServes(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit') as Promise<[number | null]>
  try {
    const { management_port: port } = await whenReady(child)
    for (const path of ['live', 'ready'])
      assert.equal((await fetch(`http://127.0.0.1:${port}/health/${path}`)).status, 200, path)
  } finally {
    child.kill('SIGTERM')
  }
  assert.equal((await exited)[0], 0)
}

test('the image starts as its user in a file system of nothing else, is healthy, and stops', { skip }, async () => {
  using work = temporaryFolder()
  const file = buildImage(work.path, tarballsIn(join(work.path, 'packed')))
  if (existsSync('/usr/bin/skopeo')) execFileSync('skopeo', ['inspect', `oci-archive:${file}`], { stdio: 'ignore' })
  const [layout, rootfs] = [join(work.path, 'layout'), join(work.path, 'rootfs')]
  for (const folder of [layout, rootfs]) mkdirSync(folder)
  execFileSync('tar', ['-xf', file, '-C', layout])
  const blob = (digest: string) => join(layout, 'blobs', digest.replace(':', '/'))
  const json = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { [name: string]: { digest: string }[] }
  const manifest = json(blob(json(join(layout, 'index.json'))['manifests']?.[0]?.digest ?? ''))
  for (const { digest } of manifest['layers'] ?? []) execFileSync('tar', ['-xzf', blob(digest), '-C', rootfs, '-p'])
  assert.equal(statSync(join(rootfs, 'var/lib/grantor')).uid, imageUser)
  const chroot = [`--userspec=${imageConfig.User}`, rootfs, ...imageConfig.Entrypoint, ...imageConfig.Cmd]
  const environment = Object.fromEntries([...imageConfig.Env, ...anyPorts].map((it) => it.split('=', 2)))
  await assertServes(spawn('/usr/sbin/chroot', chroot, { env: { ...environment, GLIBC_TUNABLES: '' } }))
})

test('the Debian package installs, serves as its user with its settings file, and goes', { skip }, async () => {
  using work = temporaryFolder()
  const file = buildDeb(work.path, tarballsIn(join(work.path, 'packed')))
  assert.ok(!existsSync('/etc/grantor') && !existsSync('/var/lib/grantor'), 'grantor is installed here already')
  execFileSync('dpkg', ['--install', file], { stdio: 'ignore' })
  try {
    assert.equal(statSync('/etc/grantor/grantor.yaml').mode & 0o777, 0o640)
    assert.equal(statSync('/var/lib/grantor').mode & 0o777, 0o700)
    const as = ['--reuid=grantor', '--regid=grantor', '--init-groups', 'env', ...anyPorts]
    const command = ['/usr/bin/grantor', 'start', '--config', '/etc/grantor/grantor.yaml']
    await assertServes(spawn('setpriv', [...as, ...command], { cwd: '/' }))
    assert.ok(existsSync('/var/lib/grantor/grantor.db'))
  } finally {
    execFileSync('dpkg', ['--purge', 'grantor'], { stdio: 'ignore' })
  }
  assert.ok(!existsSync('/etc/grantor/grantor.yaml') && !existsSync('/usr/lib/grantor'))
  assert.ok(existsSync('/var/lib/grantor/master.key'), 'a purge leaves the database and its key')
  rmSync('/var/lib/grantor', { recursive: true })
})
