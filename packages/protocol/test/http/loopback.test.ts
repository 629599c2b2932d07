/** Which hosts are this computer itself: RFC 8252 §7.3, RFC 6761 §6.3. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackHost } from '../../src/http/loopback.ts'
import { matchRedirectUri, redirectUriProblem } from '../../src/oauth/redirect-uri.ts'
import { defaultAddressRules } from '../../src/uri/address-rules.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Addresses that reach every interface or another machine, and other spellings that a parser might take for ours. */
const others = [
  '0.0.0.0',
  '[::]',
  '0',
  '127.0.0.2',
  '127.1',
  '2130706433',
  '0x7f000001',
  '[::ffff:127.0.0.1]',
  '[::2]',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  'localhost.',
  'LOCALHOST',
  'sub.localhost',
  'localhost.localdomain',
  'localhost.example',
  '127.0.0.1.example',
  'loopback',
  '',
]

test('RFC 8252 §7.3: three hosts are loopback, and no other address is, not even the unspecified one', () => {
  for (const host of loopback) assert.equal(isLoopbackHost(host), true, host)
  for (const host of others) assert.equal(isLoopbackHost(host), false, host)
})

test('RFC 8252 §8.3: an http redirect URI of any other host cannot be registered', () => {
  for (const type of ['web', 'native'] as const) {
    for (const host of loopback)
      assert.equal(redirectUriProblem(`http://${host}:3000/cb`, type, defaultAddressRules), null, host)
    for (const host of others)
      assert.notEqual(redirectUriProblem(`http://${host}:3000/cb`, type, defaultAddressRules), null, host)
  }
})

test('RFC 8252 §7.3: only a loopback address matches with another port', () => {
  const native = (uri: string) => ({ application_type: 'native' as const, redirect_uris: [uri] })
  for (const host of loopback)
    assert.notEqual(
      matchRedirectUri(`http://${host}:50123/cb`, native(`http://${host}/cb`), defaultAddressRules),
      null,
      host,
    )
  for (const host of others.filter((it) => it !== ''))
    assert.equal(
      matchRedirectUri(`http://${host}:50123/cb`, native(`http://${host}/cb`), defaultAddressRules),
      null,
      host,
    )
  assert.equal(matchRedirectUri('http://0.0.0.0:50123/cb', native('http://127.0.0.1/cb'), defaultAddressRules), null)
})
