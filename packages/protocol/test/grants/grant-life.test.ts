/** How long a grant and its refresh tokens live, and what ends them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantEnd, mayRefresh, refreshEnd, sessionThatEnds } from '../../src/grants/grant-life.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import { at, client, grant } from '../samples.ts'

const web = client({ grant_types: ['authorization_code', 'refresh_token'] })
const scope = (text: string) => new Set(text.split(' '))

test('OIDC Core §11: a refresh token needs the grant and, where somebody signs in, offline_access', () => {
  assert.equal(mayRefresh(web, scope('a:read')), true)
  assert.equal(mayRefresh(web, scope('openid a:read')), false)
  assert.equal(mayRefresh(web, scope('openid offline_access')), true)
  assert.equal(mayRefresh(client(), scope('openid offline_access')), false)
})

test('a web client without offline_access ends with the session, an app does not', () => {
  const ends = (text: string, of = web, redirectUri = 'https://client.example/cb') =>
    sessionThatEnds({ client: of, redirectUri, scope: scope(text), session: 's1' })
  assert.equal(ends('openid'), 's1')
  assert.equal(ends('openid offline_access'), null)
  const app = client({
    application_type: 'native',
    redirect_uris: ['com.example.app:/cb'],
    token_endpoint_auth_method: 'none',
  })
  assert.equal(ends('openid', app, 'com.example.app:/cb'), null)
})

test('a grant ends with its longest chain, or with the last token of its code', () => {
  const it = { policy: defaultPolicy, now: at(1000), accessTtl: 60 }
  assert.equal(grantEnd({ ...it, client: web, scope: scope('a:read') }), 1000 + 15_552_000_000)
  assert.equal(grantEnd({ ...it, client: client(), scope: scope('a:read') }), 1000 + 120_000)
  const policy = { ...defaultPolicy, idTokenTtl: 300 }
  assert.equal(grantEnd({ ...it, policy, client: client(), scope: scope('openid') }), 1000 + 360_000, 'its ID token')
  assert.equal(grantEnd({ ...it, policy, client: client(), scope: scope('a:read') }), 1000 + 120_000)
  assert.equal(grantEnd({ ...it, policy, accessTtl: 900, client: client(), scope: scope('openid') }), 1000 + 960_000)
  const soon = grant({ expiresAt: at(5000) })
  const late = grant({ expiresAt: at(10_000_000_000) })
  assert.equal(refreshEnd(soon, defaultPolicy, at(1000)), 5000)
  assert.equal(refreshEnd(late, defaultPolicy, at(1000)), 1000 + 2_592_000_000)
  assert.equal(refreshEnd(late, defaultPolicy, at(1000), false), 10_000_000_000)
})
