/** Names of tenants that try to be paths, other hosts, look-alikes or SQL: they are not found, and nothing else happens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { service } from '../faults/service-client.ts'
import { issuer } from '../fleet/fleet.ts'
import { declared } from '../fleet/objects.ts'
import { onEach } from './deployments.ts'

const hostile: readonly string[] = [
  // Paths.
  '.',
  '..',
  '%2e%2e',
  '%2e',
  'acme%2f',
  '%2facme',
  'acme%2F..%2Fglobex',
  'acme/../globex',
  '/acme',
  'acme%5c',
  'acme%00',
  'acme%0d%0aset-cookie:%20a=b',
  // Other hosts.
  '/evil.example',
  'https:%2f%2fevil.example',
  'acme@evil.example',
  'acme.evil.example',
  'acme:443',
  // Look-alikes and other spellings: Cyrillic a, full width, combining mark, soft hyphen, punycode, case, spaces.
  '%D0%B0cme',
  '%EF%BD%81cme',
  'acm%65%CC%81',
  'ac%C2%ADme',
  'xn--acme-9ya',
  'ACME',
  'Acme',
  '%20acme',
  'acme%20',
  'acme+',
  'acme.',
  '-acme',
  'acme-',
  // SQL, templates, patterns.
  "acme'--",
  'acme%27%20or%20%271%27=%271',
  'acme%22;drop%20table%20tenants',
  '%25',
  '_cme',
  'acm_',
  '*',
  '$%7bacme%7d',
  '__proto__',
  'constructor',
  // Parameters that a router might cut off, broken encodings, lengths, the reserved name, nobody.
  'acme;x=1',
  'acme%3fx',
  'acme%23',
  '%',
  '%zz',
  '%c0%af',
  'a'.repeat(41),
  'a'.repeat(199),
  'a'.repeat(5_000),
  'default',
  'nobody',
]

onEach('hostile names of tenants', (open) => {
  test('none is found: at no endpoint, in no path form, by no method', async () => {
    await using it = await open(declared)
    const events = async () => (await it.run(['audit', 'export'])).stdout.split('\n').length
    // The key sets wait for keys that are made beside the first requests, each with its event.
    for (const path of ['/jwks', '/t/acme/jwks']) assert.equal((await it.send(path)).status, 200)
    const before = await events()
    for (const name of hostile) {
      const form = { grant_type: 'client_credentials' }
      const answers = await Promise.all([
        it.send(`/t/${name}/jwks`),
        it.send(`/t/${name}/.well-known/openid-configuration`),
        it.send(`/.well-known/openid-configuration/t/${name}`),
        it.send(`/.well-known/oauth-authorization-server/t/${name}`),
        it.send(`/t/${name}/authorize?client_id=service&response_type=code`),
        it.send(`/t/${name}/token`, { basic: service, form }),
        it.send(`/t/${name}/introspect`, { basic: service, form: { token: 'x' } }),
      ])
      const statuses = answers.map(({ status }) => status)
      assert.deepEqual([...new Set(statuses)], [404], `${name.slice(0, 60)}: ${statuses.join()}`)
      for (const { headers, body } of answers) {
        assert.equal(headers['set-cookie'], undefined)
        assert.ok(!body.includes('acme') && !body.includes('evil'), 'the name is not repeated')
      }
    }
    assert.equal(await events(), before, 'nothing is written about them')
    const { stdout } = await it.run(['tenant', 'list', '--json'])
    assert.deepEqual(
      (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id),
      ['acme', 'default', 'globex'],
    )
  })

  test('the host of a request is not the host of the issuer', async () => {
    await using it = await open(declared)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const { body } = await it.send('/t/acme/.well-known/openid-configuration', { headers })
    assert.equal((JSON.parse(body) as { issuer: string }).issuer, `${issuer}/t/acme`)
    assert.ok(!body.includes('evil'))
  })
})
