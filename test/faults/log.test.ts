/** The operator's log that cannot be written: no request fails of it, the process lives, and what can be told later is. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { freePort } from '../../interop/plain-browser.ts'
import { type Folder, grantorCommand, type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from './http-client.ts'
import { requestToken, seed, unlimited } from './service-client.ts'
import { until } from './until.ts'

const chatty = { ...unlimited, GRANTOR_LOG: 'debug' }

async function allAnswered(http: HttpClient, count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => requestToken(http)))
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  )
}

test('a log file on a full volume fails no request, and its lines come where SIGHUP finds room', async () => {
  using folder = temporaryFolder()
  const logFile = join(folder.path, 'grantor.log')
  symlinkSync('/dev/full', logFile)
  const env = { ...chatty, GRANTOR_LOG_FILE: logFile }
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env })
  using http = httpClientOf(server)
  await allAnswered(http, 150)
  renameSync(logFile, `${logFile}.full`)
  process.kill(server.pid, 'SIGHUP')
  const lines = await until(
    async () => tokenLines(logFile),
    (found) => found === 150,
  )
  assert.equal(lines, 150)
  assert.equal(await server.stop(), 0)
  assert.match(readFileSync(logFile, 'utf8'), /"msg":"closed"/)
})

const tokenLines = (file: string): number => {
  try {
    return readFileSync(file, 'utf8').split('"route":"/token"').length - 1
  } catch {
    return 0
  }
}

interface StderrServer extends AsyncDisposable {
  readonly server: Pick<Server, 'port' | 'ca'>
  readonly child: ChildProcess
}

/** With its standard error connected as the test wants it, and nobody who reads it. */
async function startWithStderr(folder: Folder, stderr: 'pipe' | number): Promise<StderrServer> {
  const child = spawn(process.execPath, [grantorCommand, 'start'], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', stderr],
    env: {
      PATH: process.env['PATH'],
      GRANTOR_DATA: folder.path,
      GRANTOR_PORT: '0',
      GRANTOR_MANAGEMENT_PORT: '0',
      GRANTOR_SEED: folder.write('seed.json', seed),
      ...chatty,
    },
  })
  const [line] = (await once(createInterface(child.stdout as Readable), 'line')) as [string]
  const { port } = JSON.parse(line) as { readonly port: number }
  const ca = readFileSync(join(folder.path, 'tls', 'ca.pem'), 'utf8')
  return {
    server: { port, ca },
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

test('standard error on a full volume fails no request', async () => {
  using folder = temporaryFolder()
  await using started = await startWithStderr(folder, openSync('/dev/full', 'w'))
  using http = httpClientOf(started.server as Server)
  await allAnswered(http, 150)
  started.child.kill('SIGTERM')
  assert.deepEqual(await once(started.child, 'exit'), [0, null])
})

test('a reader of standard error that stalls holds up no request, and reads on where it stopped', async () => {
  using folder = temporaryFolder()
  await using started = await startWithStderr(folder, 'pipe')
  using http = httpClientOf(started.server as Server)
  // More than a pipe holds, far less than may wait.
  for (let round = 0; round < 10; round++) await allAnswered(http, 100)
  let text = ''
  started.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  started.child.kill('SIGTERM')
  await once(started.child, 'close')
  const lines = text.trimEnd().split('\n')
  assert.equal(lines.filter((line) => line.includes('"route":"/token"')).length, 1000)
  for (const line of lines) JSON.parse(line)
  assert.equal(started.child.exitCode, 0)
})

test('a reader of standard error that is gone ends nothing', async () => {
  using folder = temporaryFolder()
  await using started = await startWithStderr(folder, 'pipe')
  using http = httpClientOf(started.server as Server)
  started.child.stderr?.destroy()
  await allAnswered(http, 150)
  started.child.kill('SIGTERM')
  assert.deepEqual(await once(started.child, 'exit'), [0, null])
})

/** A terminal that is no controlling one, so that its end is heard by nobody: only what is written to it fails (EIO). */
const onTerminal = `
import os, pty, subprocess, sys
terminal, other = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=other, stderr=other, start_new_session=True)
os.close(other)
text = b''
while b'is ready' not in text:
    text += os.read(terminal, 4096)
os.close(terminal)
print(child.pid, flush=True)
sys.stdin.read()
child.terminate()
sys.exit(child.wait())
`

test('a terminal that is closed fails no request: what it would have shown is lost, and nothing else', async (t) => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('python3, which makes the terminal, is not here')
  using folder = temporaryFolder()
  const port = await freePort()
  const child = spawn('python3', ['-c', onTerminal, process.execPath, grantorCommand, 'start'], {
    cwd: folder.path,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      GRANTOR_DATA: folder.path,
      GRANTOR_PORT: String(port),
      GRANTOR_MANAGEMENT_PORT: '0',
      GRANTOR_SEED: folder.write('seed.json', seed),
      ...chatty,
    },
  })
  try {
    await once(createInterface(child.stdout), 'line')
    const ca = readFileSync(join(folder.path, 'tls', 'ca.pem'), 'utf8')
    using http = httpClientOf({ port, ca } as Server)
    await allAnswered(http, 150)
    child.stdin.end()
    assert.deepEqual(await once(child, 'exit'), [0, null])
  } finally {
    child.stdin.destroy()
    child.kill('SIGKILL')
  }
})
