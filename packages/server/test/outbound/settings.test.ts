/** The settings of the way out: what is wrong is said before the server starts. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { outboundFrom } from '../../src/outbound/from-settings.ts'
import { StartError } from '../../src/start-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'grantor-outbound-'))
after(() => rmSync(folder, { recursive: true }))

test('what is no host is no entry of outbound.allow, and the sentence names it', () => {
  const load = (allow: string) => loadSettings({ flags: {}, env: { GRANTOR_OUTBOUND_ALLOW: allow }, cwd: folder })
  assert.ok(load('clients.corp, keys.corp:8443,[fd00::1]:443').kind === 'ok')
  for (const wrong of ['https://clients.corp', '10.0.0.0/8', 'clients.corp:port']) {
    const loaded = load(`ok.corp,${wrong}`)
    assert.deepEqual(loaded.kind === 'ok' ? [] : loaded.error, [
      `GRANTOR_OUTBOUND_ALLOW: ${wrong} is not a host or host:port`,
    ])
  }
})

test('outbound.ca must be a file of certificates', () => {
  const files = {
    'empty.pem': '',
    'text.pem': 'certainly',
    'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  for (const name of [...Object.keys(files), 'absent.pem']) {
    const settings = { outboundAllow: null, outboundCa: join(folder, name) }
    assert.throws(
      () => outboundFrom(settings, assert.fail),
      (error) => error instanceof StartError && error.message.startsWith('GRANTOR_OUTBOUND_CA: '),
      name,
    )
  }
})
