/** SIGHUP: certificates are read again and the log file is opened anew, on every TLS listener, and nothing is dropped. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { type CertificateAndKey, issueCertificate } from '@grantor/server'
import { temporaryDatabase } from '../../interop/database.ts'
import { type Environment, type Folder, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from './http-client.ts'
import { requestToken, seed, unlimited } from './service-client.ts'
import { until } from './until.ts'

const day = 86_400_000

interface Authority {
  readonly ca: CertificateAndKey
  /** The leaf of that name, valid from and to so many days from now. */
  leaf(name: string, from?: number, to?: number): Promise<CertificateAndKey>
}

async function authority(): Promise<Authority> {
  const validity = (from: number, to: number) => ({
    notBefore: new Date(Date.now() + from * day),
    notAfter: new Date(Date.now() + to * day),
  })
  const ca = await issueCertificate({ name: 'CN=test CA', validity: validity(-1, 9), names: null, signer: null })
  const leaf = (name: string, from = -1, to = 9) =>
    issueCertificate({ name: `CN=${name}`, validity: validity(from, to), names: ['localhost'], signer: ca })
  return { ca, leaf }
}

function put(folder: Folder, { cert, key }: CertificateAndKey): void {
  writeFileSync(join(folder.path, 'cert.pem'), cert)
  writeFileSync(join(folder.path, 'key.pem'), key, { mode: 0o600 })
}

/** The name in the certificate that a new connection is shown. */
const shown = (port: number, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: 'localhost', servername: 'localhost', ca }, () => {
      const raw = socket.getPeerCertificate().raw
      socket.destroy()
      resolve(new X509Certificate(raw).subject.replace('CN=', ''))
    })
    socket.on('error', reject)
  })

/** Requests without a pause over connections that stay open; each must be answered with 200. */
function load(http: HttpClient): { stop(): Promise<number> } {
  const state = { going: true }
  let count = 0
  const worker = async (): Promise<void> => {
    while (state.going) {
      assert.equal((await requestToken(http)).status, 200)
      count++
    }
  }
  const working = Promise.all(Array.from({ length: 4 }, worker))
  return {
    async stop() {
      state.going = false
      await working
      return count
    },
  }
}

async function assertReloads(folder: Folder, more: Environment): Promise<void> {
  const { ca, leaf } = await authority()
  put(folder, await leaf('first'))
  const logFile = join(folder.path, 'grantor.log')
  const env = {
    ...unlimited,
    GRANTOR_LOG: 'debug',
    GRANTOR_LOG_FILE: logFile,
    GRANTOR_TLS_CERT: join(folder.path, 'cert.pem'),
    GRANTOR_TLS_KEY: join(folder.path, 'key.pem'),
    ...more,
  }
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env })
  using http = httpClientOf({ ...server, ca: ca.cert })
  assert.equal(await shown(server.port, ca.cert), 'first')
  const requests = load(http)
  const hangup = (): void => void process.kill(server.pid, 'SIGHUP')
  const log = (): string => readFileSync(logFile, 'utf8')
  const eventually = (name: string) =>
    until(
      () => shown(server.port, ca.cert),
      (it) => it === name,
    )

  for (const name of ['second', 'third']) {
    put(folder, await leaf(name))
    renameSync(logFile, `${logFile}.before-${name}`)
    hangup()
    await eventually(name)
  }
  const stranger = await (await authority()).leaf('stranger')
  const broken = await leaf('broken chain')
  const unusable: readonly CertificateAndKey[] = [
    { ...(await leaf('broken')), cert: 'no certificate' },
    { ...(await leaf('half')), key: stranger.key },
    await leaf('expired', -3, -1),
    await leaf('early', 1, 3),
    { ...broken, cert: `${broken.cert}${broken.cert.slice(0, 200)}` },
    { cert: '', key: '' },
  ]
  for (const [index, it] of unusable.entries()) {
    put(folder, it)
    hangup()
    const complaints = () => log().split('the certificate cannot be renewed').length - 1
    await until(
      async () => complaints(),
      (count) => count > index,
    )
    await eventually('third')
  }
  put(folder, await leaf('fourth'))
  hangup()
  await eventually('fourth')

  const answered = await requests.stop()
  assert.equal(await server.stop(), 0)
  const files = [logFile, `${logFile}.before-second`, `${logFile}.before-third`]
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
  assert.equal(lines.filter((line) => line.includes('"route":"/token"')).length, answered)
  for (const line of lines) JSON.parse(line)
}

test('SIGHUP under load: another certificate for new connections, an unusable one is told and not shown, no line is lost', async () => {
  using folder = temporaryFolder()
  await assertReloads(folder, {})
})

test('SIGHUP reaches the workers too', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const masterKey = 'a-master-key-for-fault-tests-0123456789'
  await assertReloads(folder, {
    ...database.settings,
    GRANTOR_MASTER_KEY: masterKey,
    GRANTOR_WORKERS: '2',
  })
})

test('SIGHUP renews the certificate of the demo as well, and so does the change of the files alone', async () => {
  using folder = temporaryFolder()
  const { ca, leaf } = await authority()
  put(folder, await leaf('first'))
  const env = {
    GRANTOR_DEMO: 'true',
    GRANTOR_DEMO_PORT: '0',
    GRANTOR_TLS_CERT: join(folder.path, 'cert.pem'),
    GRANTOR_TLS_KEY: join(folder.path, 'key.pem'),
    NODE_EXTRA_CA_CERTS: folder.write('ca.pem', ca.cert),
  }
  await using server = await startServer({ data: folder.path, env })
  const ready = /\{"event":"ready".*\}/.exec(server.output())?.[0] ?? '{}'
  const { demo_port: demoPort } = JSON.parse(ready) as { readonly demo_port: number }
  assert.equal(await shown(demoPort, ca.cert), 'first')
  put(folder, await leaf('second'))
  process.kill(server.pid, 'SIGHUP')
  for (const port of [server.port, demoPort]) {
    await until(
      () => shown(port, ca.cert),
      (it) => it === 'second',
    )
  }
  // And without a signal.
  put(folder, await leaf('third'))
  for (const port of [server.port, demoPort]) {
    await until(
      () => shown(port, ca.cert),
      (it) => it === 'third',
    )
  }
  assert.equal(await server.stop(), 0)
})
