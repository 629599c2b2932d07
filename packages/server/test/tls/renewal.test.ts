/** Certificates renewed on the disk, without a signal: as a mounted secret and as an ACME client replace them, whole and by halves. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'
import { type CertificateAndKey, issueCertificate } from '../../src/tls/issue-certificate.ts'
import {
  declare,
  type MtlsDeployment,
  newAuthority,
  newCertificate,
  service,
  startMtls,
  tokenForm,
  valid,
} from '../mtls/mtls-deployment.ts'

interface Renewing extends AsyncDisposable {
  readonly it: MtlsDeployment
  readonly folder: string
  leaf(name: string, days?: readonly [number, number]): Promise<CertificateAndKey>
  /** The names in the certificates that both listeners show to a new connection. */
  shown(): Promise<readonly string[]>
  /** Waits until both show this one. */
  showing(name: string): Promise<void>
  /** Waits for so many complaints in the log, each a line. */
  complaints(count: number): Promise<readonly string[]>
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, what)
    await pause(100)
  }
}

/** `lay` puts the first pair where the settings find it. */
async function renewing(
  lay: (folder: string, pair: CertificateAndKey) => readonly [string, string],
): Promise<Renewing> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-renewal-'))
  const ca = await newAuthority('CN=Servers')
  const leaf: Renewing['leaf'] = (name, days = [-1, 1]) =>
    issueCertificate({ name: `CN=${name}`, validity: valid(...days), names: ['localhost'], signer: ca })
  const [cert, key] = lay(folder, await leaf('first'))
  const logFile = join(folder, 'log')
  const it = await startMtls('sqlite', {
    GRANTOR_TLS_CERT: cert,
    GRANTOR_TLS_KEY: key,
    GRANTOR_LOG: 'info',
    GRANTOR_LOG_FILE: logFile,
  })
  const shownAt = async (port: number): Promise<string> => {
    const socket = connect({ host: 'localhost', port, ca: ca.cert, servername: 'localhost' })
    await once(socket, 'secureConnect')
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return String(subject.CN)
  }
  const shown = (): Promise<readonly string[]> =>
    Promise.all([shownAt(it.running.port), shownAt(it.running.mtlsPort ?? 0)])
  const complaints = (): readonly string[] =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes('cannot be renewed'))
  return {
    it,
    folder,
    leaf,
    shown,
    showing: (name) => until(async () => (await shown()).every((each) => each === name), `${name} is not shown`),
    async complaints(count) {
      await until(async () => complaints().length >= count, `not ${count} complaints`)
      return complaints()
    },
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As the kubelet does: the files are links through `..data`, which is swapped for another folder at once. */
function mountSecret(folder: string, { cert, key }: CertificateAndKey): readonly [string, string] {
  const version = mkdtempSync(join(folder, '..version-'))
  writeFileSync(join(version, 'tls.crt'), cert)
  writeFileSync(join(version, 'tls.key'), key)
  symlinkSync(version, join(folder, '..data_tmp'))
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
  const names = ['tls.crt', 'tls.key'] as const
  for (const name of names)
    try {
      symlinkSync(join('..data', name), join(folder, name))
    } catch {
      // It leads there already.
    }
  return [join(folder, names[0]), join(folder, names[1])]
}

test('a mounted secret that is swapped as a whole is shown by both listeners, without a signal and without a complaint', async () => {
  await using all = await renewing(mountSecret)
  assert.deepEqual(await all.shown(), ['first', 'first'])
  mountSecret(all.folder, await all.leaf('second'))
  await all.showing('second')
  assert.deepEqual(await all.complaints(0), [])
})

test('what an ACME client leaves is shown once it is a whole pair that is good now; until then one line says what is wrong', async () => {
  let version = 1
  const archive = (folder: string, name: string): string => join(folder, 'archive', `${name}${version}.pem`)
  /** As certbot does: a new file beside the old ones, and the link of its name led there. */
  const put = (folder: string, name: string, text: string): string => {
    const link = join(folder, 'live', `${name}.pem`)
    writeFileSync(archive(folder, name), text)
    rmSync(link, { force: true })
    symlinkSync(archive(folder, name), link)
    return link
  }
  await using all = await renewing((folder, { cert, key }) => {
    for (const name of ['archive', 'live']) mkdirSync(join(folder, name))
    return [put(folder, 'fullchain', cert), put(folder, 'privkey', key)]
  })
  const { folder, leaf } = all
  const second = await leaf('second')
  const third = await leaf('third')
  // Left half way, each time in another way, and each told once.
  const unusable: readonly (readonly [CertificateAndKey, RegExp])[] = [
    [{ ...second, key: third.key }, /privkey\.pem is not the private key of .*fullchain\.pem/],
    [{ ...second, cert: `${second.cert}${third.cert.slice(0, 200)}` }, /fullchain\.pem cannot be used for TLS/],
    [await leaf('tomorrow', [1, 2]), /fullchain\.pem is not valid before/],
    [{ cert: '', key: '' }, /are not a certificate and its private key/],
  ]
  for (const [index, [pair, why]] of unusable.entries()) {
    version++
    put(folder, 'fullchain', pair.cert)
    put(folder, 'privkey', pair.key)
    assert.match((await all.complaints(index + 1)).at(-1) ?? '', why)
    assert.deepEqual(await all.shown(), ['first', 'first'])
  }
  rmSync(join(folder, 'live', 'privkey.pem'))
  assert.match(
    (await all.complaints(unusable.length + 1)).at(-1) ?? '',
    /GRANTOR_TLS_KEY: .* cannot be read \(ENOENT\)/,
  )
  version++
  put(folder, 'fullchain', second.cert)
  put(folder, 'privkey', second.key)
  await all.showing('second')
  // Written over in place, with the date kept: only the inode tells.
  const past = new Date(1_700_000_000_000)
  for (const [name, text] of [
    ['fullchain', third.cert],
    ['privkey', third.key],
  ] as const) {
    writeFileSync(archive(folder, name), text)
    utimesSync(archive(folder, name), past, past)
  }
  await all.showing('third')
  assert.equal((await all.complaints(0)).length, unusable.length + 1)
})

test('authorities of client certificates count as their file names them, without a signal; a broken file changes nothing', async () => {
  await using it = await startMtls()
  await declare(it, [
    service('tpp', { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=tpp' }),
  ])
  const other = await newAuthority('CN=Others')
  const [before, after] = [
    await newCertificate(it.authority, { name: 'CN=tpp' }),
    await newCertificate(other, { name: 'CN=tpp' }),
  ]
  const status = async (certificate: CertificateAndKey): Promise<number> =>
    (await it.post('/token', tokenForm('tpp'), { certificate })).status
  writeFileSync(join(it.folder, 'clients.pem'), other.cert.slice(0, 200))
  await until(async () => it.reasons().some((reason) => reason.includes('GRANTOR_MTLS_CLIENT_CA')), 'it was not told')
  assert.equal(await status(before), 200)
  writeFileSync(join(it.folder, 'clients.pem'), other.cert)
  await until(async () => (await status(after)) === 200, 'the other authority is not trusted')
  assert.equal(await status(before), 401)
})
