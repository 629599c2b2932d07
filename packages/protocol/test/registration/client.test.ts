/** What follows from how a client came to be, how it proves itself and where it is answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Client,
  hearsOfLogout,
  isAnsweredOnDevice,
  isFirstPartyAt,
  isNativeApp,
  isPublic,
  isVouchedFor,
  mayUseGrant,
  registeredScope,
} from '../../src/registration/client.ts'
import { client } from '../samples.ts'

const open = { token_endpoint_auth_method: 'none' }
const [web, loopback, custom] = ['https://app.example/cb', 'http://127.0.0.1:8080/cb', 'com.example.app:/cb']

test('RFC 6749 §2.1: public is who proves itself by nothing', () => {
  assert.equal(isPublic(client(open)), true)
  for (const method of ['client_secret_basic', 'client_secret_post', 'private_key_jwt'])
    assert.equal(isPublic(client({ token_endpoint_auth_method: method })), false)
})

test('RFC 8252 §8.6: answered on the device is who proves nothing and is answered where any app may listen', () => {
  const rows: readonly (readonly [Client, string, boolean])[] = [
    [client(open), loopback, true],
    [client(open), custom, true],
    [client(open), web, false],
    [client(), loopback, false],
    [client(), custom, false],
    [client({}, { origin: 'document' }), loopback, true],
    [client({}, { origin: 'document' }), web, false],
    [client({}, { origin: 'dynamic' }), loopback, false],
  ]
  for (const [of, uri, expected] of rows) {
    const what = `${of.origin} ${of.metadata.token_endpoint_auth_method} ${uri}`
    assert.equal(isAnsweredOnDevice(of, uri), expected, what)
    assert.equal(isNativeApp(of, uri), expected, what)
    assert.equal(isNativeApp({ ...of, metadata: { ...of.metadata, application_type: 'native' } }, uri), true, what)
    assert.equal(isNativeApp({ ...of, metadata: { ...of.metadata, application_type: 'web' } }, uri), expected, what)
  }
})

test('RFC 9700 §4.11: somebody stands behind what was made or declared here, and behind what had a token', () => {
  const rows: readonly (readonly [Client['origin'], boolean | undefined, boolean])[] = [
    ['manual', undefined, true],
    ['declared', undefined, true],
    ['dynamic', true, true],
    ['dynamic', false, false],
    ['dynamic', undefined, false],
    ['document', undefined, false],
    ['document', true, false],
  ]
  for (const [origin, vouched, expected] of rows) {
    const of = client({}, { origin, ...(vouched === undefined ? {} : { vouched }) })
    assert.equal(isVouchedFor(of), expected, `${origin} ${vouched}`)
  }
})

test('the end of a session concerns who wants to hear of it, and who people come back to', () => {
  assert.equal(hearsOfLogout(client()), false)
  assert.equal(hearsOfLogout(client({ post_logout_redirect_uris: [] })), false)
  for (const metadata of [
    { backchannel_logout_uri: web },
    { frontchannel_logout_uri: web },
    { post_logout_redirect_uris: [web] },
  ])
    assert.equal(hearsOfLogout(client(metadata)), true, JSON.stringify(metadata))
})

test('a client uses the grants it is registered for, and holds the scopes it is registered for', () => {
  const of = client({ grant_types: ['refresh_token'], scope: 'openid a:read' })
  assert.deepEqual([mayUseGrant(of, 'refresh_token'), mayUseGrant(of, 'authorization_code')], [true, false])
  assert.deepEqual([...registeredScope(of)], ['openid', 'a:read'])
  assert.deepEqual([...registeredScope(of)], ['openid', 'a:read'], 'and again')
  assert.deepEqual([...registeredScope(client({ scope: '' }))], [])
})

test('RFC 8252 §8.6: people are not asked about a client of the house, at an address that is its own', () => {
  const rows: readonly (readonly [boolean | undefined, Client['origin'], string, boolean])[] = [
    [true, 'manual', web, true],
    [true, 'declared', web, true],
    [undefined, 'manual', web, false],
    [false, 'manual', web, false],
    [true, 'dynamic', web, false],
    [true, 'document', web, false],
    [true, 'manual', loopback, false],
    [true, 'declared', custom, false],
  ]
  for (const [first, origin, uri, expected] of rows) {
    const of = client(first === undefined ? {} : { first_party: first }, { origin })
    assert.equal(isFirstPartyAt(of, uri), expected, `${first} ${origin} ${uri}`)
  }
})
