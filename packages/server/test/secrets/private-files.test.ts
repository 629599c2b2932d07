/** The files of the data folder: master key, local CA, certificate. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'
import { localCertificate } from '../../src/tls/local-ca.ts'
import { loadMasterKey } from '../../src/secrets/master-key.ts'
import { createPrivateFile } from '../../src/secrets/private-file.ts'
import { loadCertificate } from '../../src/tls/certificate.ts'

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('the files of the data folder', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'grantor-files-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const settings = (change: Partial<Settings> = {}): Settings => {
    const loaded = loadSettings({ flags: {}, env: { GRANTOR_DATA: folder }, cwd: folder })
    assert.ok(loaded.kind === 'ok')
    return { ...loaded.value.settings, ...change }
  }

  describe('the master key', () => {
    test('is made once, for its owner alone, and stays', () => {
      const first = loadMasterKey(settings())
      assert.equal(mode(join(folder, 'master.key')), '600')
      assert.equal(first.text.length, 43)
      assert.deepEqual(loadMasterKey(settings()), first)
    })

    test('a given one wins and nothing is made', () => {
      assert.equal(loadMasterKey(settings({ masterKey: 'g'.repeat(32) })).text, 'g'.repeat(32))
      assert.deepEqual(readdirSync(folder), [])
    })

    test('a damaged file is refused, never replaced', () => {
      const path = join(folder, 'master.key')
      writeFileSync(path, 'short', { mode: 0o600 })
      assert.throws(() => loadMasterKey(settings()), /does not hold a master key/)
      assert.equal(readFileSync(path, 'utf8'), 'short')
    })

    test('a file that others can read is refused with the command that helps', () => {
      loadMasterKey(settings())
      chmodSync(join(folder, 'master.key'), 0o644)
      assert.throws(() => loadMasterKey(settings()), /chmod 600/)
    })

    test('on PostgreSQL it must be given', () => {
      assert.throws(() => loadMasterKey(settings({ databaseUrl: 'postgres://x/y' })), /GRANTOR_MASTER_KEY/)
    })

    test('of two that are made at once, the first one counts', () => {
      const path = join(folder, 'once')
      assert.deepEqual([createPrivateFile(path, 'first'), createPrivateFile(path, 'second')], [true, false])
      assert.equal(readFileSync(path, 'utf8'), 'first')
      assert.deepEqual(readdirSync(folder), ['once'])
    })
  })

  describe('the local certificate', () => {
    const now = Date.parse('2026-11-15T00:00:00Z')
    const day = 86_400_000
    const names = ['localhost', '127.0.0.1', '::1']
    const make = (change: object = {}) => localCertificate({ data: folder, names, now, ...change })

    test('is signed by the local CA, names every host, and its keys are private', async () => {
      const made = await make()
      const leaf = new X509Certificate(made.cert)
      const ca = new X509Certificate(readFileSync(made.caFile ?? ''))
      assert.ok(leaf.verify(ca.publicKey) && leaf.checkIssued(ca) && ca.ca && !leaf.ca)
      assert.ok(leaf.checkHost('localhost') && leaf.checkIP('127.0.0.1') && leaf.checkIP('::1'))
      assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1'])
      for (const name of ['ca.key', 'server.key']) assert.equal(mode(join(folder, 'tls', name)), '600')
    })

    test('is made anew, with its CA, where the clock was set back behind both', async () => {
      const ahead = new X509Certificate((await make({ now: now + 30 * day })).cert)
      const { cert, caFile } = await make()
      const ca = new X509Certificate(readFileSync(caFile ?? ''))
      for (const one of [ca, new X509Certificate(cert)]) {
        assert.ok(one.validFromDate.getTime() <= now)
        assert.ok(one.verify(ca.publicKey))
      }
      assert.notEqual(ahead.fingerprint256, new X509Certificate(cert).fingerprint256)
    })

    test('is of one local CA where several are made at once, and where one who began it died', async () => {
      const made = await Promise.all([make(), make(), make({ names: [...names, 'as.example'] })])
      const ca = new X509Certificate(readFileSync(join(folder, 'tls', 'ca.pem')))
      for (const { cert } of made) assert.ok(new X509Certificate(cert).verify(ca.publicKey))
      const left = join(folder, 'tls', 'making.lock')
      // Also by one whose clock was ahead.
      for (const at of [new Date(0), new Date(Date.now() + day)]) {
        writeFileSync(left, '1')
        utimesSync(left, at, at)
        rmSync(join(folder, 'tls', 'server.key'))
        assert.ok(new X509Certificate((await make()).cert).verify(ca.publicKey))
      }
      assert.deepEqual(readdirSync(join(folder, 'tls')).toSorted(), ['ca.key', 'ca.pem', 'server.key', 'server.pem'])
    })

    test('stays while it is good', async () => {
      assert.equal((await make()).cert, (await make({ now: now + 300 * day })).cert)
    })

    test('is renewed near its end, by the same CA', async () => {
      const first = await make()
      const ca = readFileSync(first.caFile ?? '', 'utf8')
      const second = await make({ now: now + 380 * day })
      assert.notEqual(second.cert, first.cert)
      assert.equal(readFileSync(second.caFile ?? '', 'utf8'), ca)
    })

    test('is made again for another host, by the same CA', async () => {
      const first = await make()
      const ca = readFileSync(first.caFile ?? '', 'utf8')
      const second = await make({ names: [...names, 'as.internal'] })
      assert.ok(new X509Certificate(second.cert).checkHost('as.internal'))
      assert.equal(readFileSync(second.caFile ?? '', 'utf8'), ca)
    })

    test('an authority near its end is replaced, and so is what it signed', async () => {
      const first = await make()
      const second = await make({ now: now + 3640 * day })
      const ca = new X509Certificate(readFileSync(second.caFile ?? ''))
      assert.notEqual(second.cert, first.cert)
      assert.ok(new X509Certificate(second.cert).verify(ca.publicKey))
    })

    test('damaged files are made again', async () => {
      await make()
      writeFileSync(join(folder, 'tls', 'server.pem'), 'no certificate')
      assert.ok(new X509Certificate((await make()).cert).checkHost('localhost'))
    })
  })

  describe('a given certificate', () => {
    const now = Date.parse('2026-11-15T00:00:00Z')
    const given = async (change: Partial<Settings> = {}, at = now) => {
      await localCertificate({ data: folder, names: ['as.example'], now })
      const pem = (name: string): string => join(folder, 'tls', name)
      return loadCertificate(
        settings({ tlsCert: pem('server.pem'), tlsKey: pem('server.key'), ...change }),
        'as.example',
        at,
      )
    }

    test('is shown as it is', async () => {
      assert.equal((await given()).cert, readFileSync(join(folder, 'tls', 'server.pem'), 'utf8'))
    })

    test('is refused when it does not fit its key, is not there, is none, or has expired', async () => {
      const own = (name: string): string => join(folder, 'tls', name)
      await assert.rejects(given({ tlsKey: own('ca.key') }), /is not the private key of/)
      await assert.rejects(given({ tlsCert: own('absent.pem') }), /GRANTOR_TLS_CERT: .*ENOENT/)
      await assert.rejects(given({ tlsCert: own('server.key') }), /not a certificate and its private key/)
      await assert.rejects(given({}, now + 400 * 86_400_000), /expired on/)
    })
  })
})
