/** The settings at the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folder } from './grantor.ts'

type Printed = Readonly<Record<string, { readonly value: string | null; readonly source: string }>>

test('a flag beats a variable beats the file beats the default, and --sources says which', async () => {
  using here = folder()
  here.write('grantor.yaml', 'port: 1001\nlog: debug\nmanagement:\n  port: 1002\n')
  const { code, stdout } = await here.run(['config', 'print', '--sources', '--json', '--port', '3003'], {
    env: { GRANTOR_PORT: '2002', GRANTOR_MANAGEMENT_PORT: '2003' },
  })
  assert.equal(code, 0)
  const printed = JSON.parse(stdout) as Printed
  assert.deepEqual(printed['port'], { value: '3003', source: '--port' })
  assert.deepEqual(printed['management.port'], { value: '2003', source: 'GRANTOR_MANAGEMENT_PORT' })
  assert.equal(printed['log']?.value, 'debug')
  assert.match(printed['log']?.source ?? '', /grantor\.yaml/)
  assert.deepEqual(printed['host'], { value: '127.0.0.1', source: 'default' })
})

test('a secret is said to be set, and never shown', async () => {
  using here = folder()
  here.write('key', 'a-master-key-of-32-or-more-characters\n')
  for (const form of [[], ['--json']]) {
    const { code, stdout } = await here.run(['config', 'print', '--sources', ...form, '--master-key-file', 'key'])
    assert.equal(code, 0)
    assert.match(stdout, /\(set\)/)
    assert.match(stdout, /--master-key-file/)
    assert.doesNotMatch(stdout, /a-master-key/)
  }
})

test('print makes no folder and no database', async () => {
  using here = folder()
  await here.run(['config', 'print'])
  await here.run(['config', 'check'])
  assert.throws(() => here.read('data/master.key'), /ENOENT/)
})

test('check ends with 2 and names everything that is wrong, seed included', async () => {
  using here = folder()
  assert.deepEqual(await here.json('config', 'check'), { ok: true, warnings: [] })
  const unsafe = await here.call(['config', 'check', '--issuer', 'http://x', '--workers', '2'])
  assert.equal(unsafe.code, 2)
  assert.match(unsafe.stderr, /https/)
  assert.match(unsafe.stderr, /PostgreSQL/)
  here.write('seed.yaml', 'clients: [\n')
  const seed = await here.call(['config', 'check', '--seed', 'seed.yaml'])
  assert.equal(seed.code, 2)
  assert.match(seed.stderr, /seed\.yaml:\d+: /)
})
