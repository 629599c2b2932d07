/** The validator's own token: asked for once, renewed ahead, used on while renewal fails and it lives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { ClientToken } from '../../src/issuer/client-token.ts'
import { IssuerDiscovery } from '../../src/issuer/issuer-metadata.ts'
import { fetchTransport, createOutbound } from '../../src/issuer/outbound.ts'
import { FakeTime } from '../fake-time.ts'

const issuer = 'https://as.example'

function scene() {
  const time = new FakeTime()
  const state = { up: true, given: 0, asked: [] as string[], answer: { expires_in: 600 } as JsonObject }
  const fetch = ((url: string, init: RequestInit) => {
    if (!state.up) return Promise.reject(new TypeError('refused'))
    if (!url.endsWith('/token')) {
      return Promise.resolve(Response.json({ issuer, jwks_uri: `${issuer}/jwks`, token_endpoint: `${issuer}/token` }))
    }
    state.given += 1
    state.asked.push(init.body as string)
    return Promise.resolve(Response.json({ access_token: `t${state.given}`, token_type: 'Bearer', ...state.answer }))
  }) as typeof globalThis.fetch
  const outbound = createOutbound(fetchTransport(fetch), time)
  const discovery = new IssuerDiscovery(outbound, issuer)
  const credentials = { clientId: 'api', clientSecret: 'secret' }
  return { time, state, token: new ClientToken({ discovery, credentials, scope: 'revocations:read', outbound, time }) }
}

test('RFC 6749 §4.4: one request serves all who need the token, until three quarters of its life', async () => {
  const { time, state, token } = scene()
  assert.deepEqual(await Promise.all([token.get(), token.get(), token.get()]), ['t1', 't1', 't1'])
  await time.advance(449_999)
  assert.equal(await token.get(), 't1')
  await time.advance(1)
  assert.equal(await token.get(), 't2')
  assert.deepEqual(state.asked[0], 'grant_type=client_credentials&scope=revocations%3Aread')
})

test('While renewal fails the token is used to its end, and not beyond', async () => {
  const { time, state, token } = scene()
  await token.get()
  state.up = false
  await time.advance(599_999)
  assert.equal(await token.get(), 't1')
  await time.advance(1)
  assert.equal(await token.get(), null)
  state.up = true
  assert.equal(await token.get(), 't2')
})

test('A token that was refused is not used again', async () => {
  const { token } = scene()
  await token.get()
  token.forget()
  assert.equal(await token.get(), 't2')
})

for (const [what, answer] of Object.entries({
  nothing: {},
  zero: { expires_in: 0 },
  'less than nothing': { expires_in: -5 },
  'a word': { expires_in: '600' },
})) {
  test(`RFC 6749 §5.1: where the issuer says ${what} of its life, the token is used for a minute`, async () => {
    const { time, state, token } = scene()
    state.answer = answer
    assert.equal(await token.get(), 't1')
    await time.advance(44_999)
    assert.equal(await token.get(), 't1')
    state.up = false
    await time.advance(15_000)
    assert.equal(await token.get(), 't1')
    await time.advance(1)
    assert.equal(await token.get(), null)
  })
}

test('An answer without a token is none, and the next one is asked for anew', async () => {
  const { state, token } = scene()
  state.answer = { access_token: 7 }
  assert.equal(await token.get(), null)
  state.answer = { expires_in: 600 }
  assert.equal(await token.get(), 't2')
})
