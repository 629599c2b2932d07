/** Unsafe or contradictory combinations do not start, and say why. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settingConflicts, speaksTls } from '../../src/config/conflicts.ts'
import type { Settings } from '../../src/config/settings.ts'
import { defaults } from './default-settings.ts'

const masterKey = 'm'.repeat(32)

describe('coherence', () => {
  test('the defaults are coherent', () => assert.deepEqual(settingConflicts(defaults()), []))

  const refused: readonly (readonly [string, Partial<Settings>, RegExp])[] = [
    ['plain HTTP without a proxy', { tlsMode: 'off' }, /GRANTOR_TRUST_PROXY/],
    [
      'plain HTTP with a certificate',
      { tlsMode: 'off', trustProxy: ['loopback'], tlsCert: 'c', tlsKey: 'k' },
      /keep one/,
    ],
    ['a certificate without its key', { tlsCert: 'c' }, /needs GRANTOR_TLS_KEY/],
    ['a key without its certificate', { tlsKey: 'k' }, /needs GRANTOR_TLS_CERT/],
    ['an issuer that is not https', { issuer: 'http://as.example' }, /begin with https/],
    ['a colour that is none', { themeAccent: 'teal' }, /theme.*accent: write a colour as #rrggbb/],
    ['an accent that nobody can read', { themeAccent: '#ffee00' }, /theme.*accent on the page: contrast/],
    ['a background that text drowns in', { themeBackgroundDark: '#888888' }, /theme.*text on backgroundDark: contrast/],
    ['a name that fits nowhere', { themeName: 'x'.repeat(61) }, /theme.*name: between 1 and 60/],
    ['an issuer that is no URL', { issuer: 'as.example' }, /not a URL/],
    ['an issuer with a query', { issuer: 'https://as.example?x=1' }, /query or fragment/],
    ['an issuer with an empty query', { issuer: 'https://as.example?' }, /query or fragment/],
    ['an issuer with a fragment', { issuer: 'https://as.example#x' }, /query or fragment/],
    ['an issuer with a trailing slash', { issuer: 'https://as.example/' }, /end with a slash/],
    ['an issuer with a path', { issuer: 'https://as.example/auth' }, /no path/],
    ['an issuer with a password', { issuer: 'https://a:b@as.example' }, /user or password/],
    ['an issuer in capitals', { issuer: 'https://AS.example' }, /written as https:\/\/as\.example$/],
    [
      'an issuer that spells out the default port',
      { issuer: 'https://as.example:443' },
      /written as https:\/\/as\.example$/,
    ],
    ['a proxy that is a name', { trustProxy: ['proxy.internal'] }, /not an address/],
    ['a proxy that is everyone', { trustProxy: ['0.0.0.0/0'] }, /everyone/],
    ['a proxy that is everyone of IPv6', { trustProxy: ['10.0.0.1', '::/0'] }, /everyone/],
    ['a proxy block that does not exist', { trustProxy: ['10.0.0.0/33'] }, /not an address/],
    ['PostgreSQL without a master key', { databaseUrl: 'postgres://db/g' }, /needs GRANTOR_MASTER_KEY/],
    ['a database of another make', { databaseUrl: 'mysql://db/g', masterKey }, /postgres:\/\//],
    ['a short master key', { masterKey: 'short' }, /at least 32/],
    ['a short previous master key', { masterKeyPrevious: 'short' }, /PREVIOUS must have at least 32/],
    ['a master key replaced by itself', { masterKey, masterKeyPrevious: masterKey }, /are the same/],
    ['workers on SQLite', { workers: 2 }, /needs PostgreSQL/],
    ['the demo in public', { demo: true, host: '0.0.0.0' }, /does not start on 0\.0\.0\.0/],
    ['one port for two listeners', { port: 9000, managementPort: 9000 }, /both 9000/],
    ['the demo on the port of the server', { demo: true, demoPort: 8443 }, /both 8443/],
    ['certificates at the port of the server', { port: 9000, mtlsPort: 9000 }, /both 9000/],
    ['certificates at the port of the management', { mtlsPort: 9464 }, /both 9464/],
    ['the demo at the port for certificates', { demo: true, mtlsPort: 8444 }, /both 8444/],
    ['a certificate header from nobody', { clientCertHeaderName: 'Client-Cert' }, /needs GRANTOR_TRUST_PROXY/],
    [
      'a certificate header that means something else',
      { clientCertHeaderName: 'Authorization', trustProxy: ['loopback'] },
      /means something else/,
    ],
    [
      'a certificate header that is none',
      { clientCertHeaderName: 'client cert', trustProxy: ['loopback'] },
      /name of a header/,
    ],
    ['an address for certificates with a path', { mtlsUrl: 'https://as.example/mtls' }, /GRANTOR_MTLS_URL.*no path/],
    [
      'an address for certificates while nobody is asked for one',
      { mtlsUrl: 'https://mtls.as.example', mtlsPort: 'off' },
      /GRANTOR_MTLS_URL.*no certificate/,
    ],
    [
      'an address for certificates at a proxy that hands none on',
      { mtlsUrl: 'https://mtls.as.example', trustProxy: ['loopback'] },
      /GRANTOR_MTLS_URL.*GRANTOR_CLIENT_CERT_HEADER_NAME/,
    ],
    [
      'a refresh token that idles for longer than it lives',
      { refreshTokenLife: 86_400 },
      /lifetime\.refresh_token_idle/,
    ],
    ['a session that idles for longer than it lasts', { sessionLife: 3600 }, /lifetime\.session_idle/],
    ['an announcement longer than a rotation', { keyAnnounce: 86_400 * 2, keyRotation: 86_400 }, /key\.announce/],
  ]
  for (const [what, change, said] of refused) {
    test(`${what} does not start`, () => {
      const found = settingConflicts({ ...defaults(), ...change })
      assert.equal(found.length, 1, found.join('; '))
      assert.match(found[0] ?? '', said)
    })
  }

  const accepted: readonly (readonly [string, Partial<Settings>])[] = [
    ['an issuer with a port', { issuer: 'https://as.example:8443' }],
    ['plain HTTP behind a named proxy', { tlsMode: 'off', trustProxy: ['10.1.2.3', 'fd00::/8'] }],
    ['as many workers as fit', { workers: 'auto' }],
    ['PostgreSQL with workers', { databaseUrl: 'postgresql://u:p@db:5432/g', masterKey, workers: 8 }],
    ['the demo on loopback', { demo: true, host: '127.0.0.5' }],
    ['an address for certificates at our own port', { mtlsUrl: 'https://mtls.as.example' }],
    [
      'an address for certificates at a proxy that hands them on',
      { mtlsUrl: 'https://mtls.as.example', mtlsPort: 'off', trustProxy: ['loopback'], clientCertHeaderName: 'Cert' },
    ],
    ['any free port twice', { port: 0, managementPort: 0 }],
  ]
  for (const [what, change] of accepted) {
    test(`${what} starts`, () => assert.deepEqual(settingConflicts({ ...defaults(), ...change }), []))
  }

  test('a named proxy without a certificate of our own means plain HTTP; with one, or by word, TLS', () => {
    const trustProxy = ['loopback']
    assert.equal(speaksTls(defaults()), true)
    assert.equal(speaksTls({ ...defaults(), trustProxy }), false)
    assert.equal(speaksTls({ ...defaults(), trustProxy, tlsCert: 'c', tlsKey: 'k' }), true)
    assert.equal(speaksTls({ ...defaults(), trustProxy, tlsMode: 'on' }), true)
  })
})
