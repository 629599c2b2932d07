import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BindingRequest,
  keyOfCode,
  noPossession,
  tokenBinding,
  tokenTypeOf,
} from '../../src/oauth/confirmation.ts'
import { err, ok } from '../../src/result.ts'
import { client as sample } from '../samples.ts'

const confidential = sample()
const publicClient = sample({ token_endpoint_auth_method: 'none' })
const key = (jkt: string) => ({ ...noPossession, jkt })
const ask = (more: Partial<BindingRequest>): BindingRequest => ({
  client: confidential,
  possession: noPossession,
  redeems: null,
  held: null,
  ...more,
})
const refused = (more: Partial<BindingRequest>): string | null => {
  const bound = tokenBinding(ask(more))
  return bound.kind === 'error' ? bound.error.reason : null
}
const binding = (more: Partial<BindingRequest>) => {
  const bound = tokenBinding(ask(more))
  assert.ok(bound.kind === 'ok')
  return bound.value
}

test('RFC 6750: who proves nothing and need not gets a plain token', () => {
  assert.deepEqual(binding({}), { confirmation: null, grant: null })
  assert.deepEqual(binding({ client: publicClient, redeems: 'code' }), { confirmation: null, grant: null })
  // A certificate that the client never asked its tokens to be bound to is no reason to bind them.
  assert.deepEqual(binding({ possession: { jkt: null, certificate: 'c' } }), { confirmation: null, grant: null })
})

test('RFC 9449 §5: a proof binds the access token to its key', () => {
  assert.deepEqual(binding({ possession: key('k') }), { confirmation: { jkt: 'k' }, grant: null })
})

test('RFC 9449 §5: the grant of a public client is bound to the key it is redeemed with, that of another is not', () => {
  for (const redeems of ['code', 'device', 'refresh'] as const) {
    assert.deepEqual(binding({ client: publicClient, possession: key('k'), redeems }).grant, { jkt: 'k' })
    assert.equal(binding({ possession: key('k'), redeems }).grant, null)
  }
  assert.equal(
    binding({ client: publicClient, possession: key('k'), redeems: 'refresh', held: { jkt: 'k' } }).grant,
    null,
  )
})

test('RFC 9449 §5: what a public client redeems must be redeemed with the key of the grant', () => {
  for (const redeems of ['code', 'device', 'refresh'] as const) {
    const held = { jkt: 'k' }
    assert.equal(refused({ client: publicClient, redeems, held }), 'proof_missing')
    assert.equal(refused({ client: publicClient, redeems, held, possession: key('other') }), 'grant_of_another_key')
    assert.equal(refused({ client: publicClient, redeems, held, possession: key('k') }), null)
  }
})

test('RFC 9449 §10: a code is bound to dpop_jkt for every client, a refresh token of one that authenticates to nothing', () => {
  const held = { jkt: 'k' }
  assert.equal(refused({ redeems: 'code', held }), 'proof_missing')
  assert.equal(refused({ redeems: 'code', held, possession: key('other') }), 'grant_of_another_key')
  assert.deepEqual(binding({ redeems: 'refresh', held, possession: key('new') }).confirmation, { jkt: 'new' })
  assert.deepEqual(binding({ redeems: 'refresh', held }).confirmation, null)
})

test('RFC 8693: what is exchanged is bound to the key of whoever exchanges it, not to that of the grant', () => {
  const held = { jkt: 'k' }
  assert.deepEqual(binding({ held, possession: key('mine') }), { confirmation: { jkt: 'mine' }, grant: null })
  assert.deepEqual(binding({ held, client: publicClient }), { confirmation: null, grant: null })
})

test('RFC 9449 §5.2, RFC 8705 §3.4: a client that always binds its tokens must prove what they are bound to', () => {
  const byKey = sample({ dpop_bound_access_tokens: true })
  const byCertificate = sample({ tls_client_certificate_bound_access_tokens: true })
  assert.equal(refused({ client: byKey }), 'proof_missing')
  assert.equal(refused({ client: byCertificate, possession: key('k') }), 'certificate_missing')
  assert.deepEqual(binding({ client: byCertificate, possession: { jkt: null, certificate: 'c' } }).confirmation, {
    'x5t#S256': 'c',
  })
  assert.deepEqual(binding({ client: byCertificate, possession: { jkt: 'k', certificate: 'c' } }).confirmation, {
    jkt: 'k',
    'x5t#S256': 'c',
  })
})

test('RFC 8705 §4: a public client that redeemed with a certificate refreshes with the same one', () => {
  const client = sample({ token_endpoint_auth_method: 'none', tls_client_certificate_bound_access_tokens: true })
  const possession = { jkt: null, certificate: 'c' }
  assert.deepEqual(binding({ client, possession, redeems: 'code' }).grant, { 'x5t#S256': 'c' })
  const held = { 'x5t#S256': 'c' }
  assert.equal(
    refused({ client, possession: { jkt: null, certificate: 'd' }, redeems: 'refresh', held }),
    'grant_of_another_key',
  )
  assert.equal(refused({ client: publicClient, redeems: 'refresh', held }), 'certificate_missing')
  // What a second kind of proof adds is kept beside the first.
  assert.deepEqual(binding({ client, possession: { jkt: 'k', certificate: 'c' }, redeems: 'refresh', held }).grant, {
    'x5t#S256': 'c',
    jkt: 'k',
  })
})

test('RFC 9449 §10.1: a pushed request names the key of its code by dpop_jkt, by a proof, or by both alike', () => {
  const chosen = (dpopJkt: string | null, jkt: string | null) => keyOfCode(dpopJkt, { ...noPossession, jkt })
  assert.deepEqual(chosen(null, null), ok(null))
  assert.deepEqual(chosen('k', null), ok('k'))
  assert.deepEqual(chosen(null, 'k'), ok('k'))
  assert.deepEqual(chosen('k', 'k'), ok('k'))
  assert.deepEqual(chosen('k', 'other'), err({ reason: 'proof_of_another_key' }))
})

test('RFC 9449 §6.2: the type of a token says whether it wants a proof', () => {
  assert.equal(tokenTypeOf({}), 'Bearer')
  assert.equal(tokenTypeOf({ cnf: { 'x5t#S256': 'c' } }), 'Bearer')
  assert.equal(tokenTypeOf({ cnf: { jkt: 'k' } }), 'DPoP')
})
