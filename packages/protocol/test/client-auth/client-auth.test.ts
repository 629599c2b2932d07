import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { authenticateClient, recogniseClient } from '../../src/client-auth/authenticate.ts'
import { clientAuthRules } from '../../src/client-auth/index.ts'
import { jwtBearerGrant } from '../../src/grants/grant-types.ts'
import { formOf } from '../../src/oauth/form.ts'
import { refusalResponse } from '../../src/oauth/refusal.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Handle, Instant } from '../../src/types.ts'
import { err, ok } from '../../src/result.ts'
import { at, client } from '../samples.ts'

const handleOf = (secret: string) => createHash('sha256').update(secret).digest('base64url') as Handle
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const see = (body: Record<string, string>, authorization: string | null = null) =>
  recogniseClient(
    clientAuthRules,
    { form: formOf(Object.entries(body)), authorization, clientCertificate: null },
    handleOf,
  )

const registered = (method: string, secrets: Client['secrets'], disabledAt: Instant | null = null) =>
  client({ token_endpoint_auth_method: method }, { secrets, disabledAt })
const secret = (text: string, expiresAt: Instant | null = null) => ({
  handle: handleOf(text),
  createdAt: at(0),
  expiresAt,
})

test('RFC 6749 §2.3.1: Basic decodes percent-encoding and plus in both halves', () => {
  assert.deepEqual(
    see({}, basic('we%3Ab:s%25+cret%2B:x')),
    ok({
      method: 'client_secret_basic',
      clientId: 'we:b',
      secret: handleOf('s% cret+:x'),
    }),
  )
})

test('RFC 6749 §3.2.1: the same client_id again in the body is fine, another one is not', () => {
  assert.equal(see({ client_id: 'web' }, basic('web:s')).kind, 'ok')
  assert.deepEqual(see({ client_id: 'other' }, basic('web:s')), err({ reason: 'client_auth_ambiguous' }))
})

test('RFC 6749 §2.3: two methods in one request are refused', () => {
  assert.deepEqual(
    see({ client_id: 'web', client_secret: 's' }, basic('web:s')),
    err({ reason: 'client_auth_ambiguous' }),
  )
})

test('RFC 7235 §2.1: the scheme is case-insensitive', () => {
  assert.equal(see({}, basic('web:s').replace('Basic', 'bASIC')).kind, 'ok')
})

for (const [what, header] of [
  ['no credentials', 'Basic'],
  ['blank credentials', 'Basic '],
  ['text that is not base64', 'Basic ***'],
  ['a pair without colon', basic('web')],
  ['an empty id', basic(':secret')],
  ['a broken percent escape', basic('web:%zz')],
  ['an encoded NUL', basic('web:%00')],
  ['raw bytes beyond ASCII', basic('wéb:s')],
  ['a control character', basic('web:a\nb')],
  ['two tokens', `${basic('web:s')} x`],
  ['a huge header', basic(`web:${'x'.repeat(20_000)}`)],
] as const)
  test(`RFC 7617 §2: Basic with ${what} is malformed`, () =>
    assert.deepEqual(see({}, header), err({ reason: 'client_auth_malformed' })))

test('RFC 6749 §5.2: an unknown scheme is a failed authentication and is challenged', () => {
  assert.deepEqual(see({ client_id: 'web' }, 'Bearer abc'), err({ reason: 'client_unauthenticated', challenge: true }))
})

test('RFC 6749 §5.2: a request that says nothing of its client is not authenticated', () => {
  assert.deepEqual(see({}), err({ reason: 'client_unauthenticated', challenge: false }))
})

test('RFC 6749 §2.3.1: a secret in the body needs its client_id', () => {
  assert.deepEqual(see({ client_secret: 's' }), err({ reason: 'parameter_missing', name: 'client_id' }))
  assert.deepEqual(
    see({ client_secret: 's', client_id: 'web' }),
    ok({
      method: 'client_secret_post',
      clientId: 'web',
      secret: handleOf('s'),
    }),
  )
})

test('RFC 6749 §2.2: beside a secret in the body stands a client_id that can be one', () => {
  for (const id of ['wéb', 'x'.repeat(1025)])
    assert.deepEqual(
      see({ client_secret: 's', client_id: id }),
      err({ reason: 'parameter_malformed', name: 'client_id' }),
    )
})

test('RFC 7617 §2: credentials of 8192 characters are read, and no longer ones', () => {
  const secretOf = (length: number) => 'x'.repeat((length / 4) * 3 - 'web:'.length)
  const longest = basic(`web:${secretOf(8192)}`)
  assert.equal(longest.length, 'Basic '.length + 8192)
  assert.equal(see({}, longest).kind, 'ok')
  assert.deepEqual(see({}, `${longest}A`), err({ reason: 'client_auth_malformed' }))
})

test('RFC 6749 §2.3: what cannot be read is refused for that, whatever stands beside it', () => {
  assert.deepEqual(see({ client_id: 'web', client_secret: 's' }, 'Basic ***'), err({ reason: 'client_auth_malformed' }))
})

test('RFC 7523 §2.1: a client_id beside the assertion of the grant is no second method', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const assertion = `${part({ alg: 'ES256' })}.${part({ iss: 'https://ci.example', sub: 'repo' })}.c2ln`
  const seen = see({ grant_type: jwtBearerGrant, assertion, client_id: 'web' })
  assert.ok(seen.kind === 'ok')
  assert.deepEqual([seen.value.method, seen.value.clientId], ['federated_jwt', 'web'])
})

test('RFC 7521 §4.2: an assertion nobody here understands does not make its bearer a public client', () => {
  assert.deepEqual(
    see({ client_id: 'web', client_assertion: 'x.y.z' }),
    err({
      reason: 'client_unauthenticated',
      challenge: false,
    }),
  )
})

test('RFC 6749 appendix A.1: a client_id is printable ASCII of bounded length', () => {
  assert.deepEqual(see({ client_id: 'wéb' }), err({ reason: 'parameter_malformed', name: 'client_id' }))
  assert.deepEqual(see({ client_id: 'x'.repeat(1025) }), err({ reason: 'parameter_malformed', name: 'client_id' }))
})

const presented = (method: string, text: string | null) => ({
  method,
  clientId: 'web',
  secret: text === null ? null : handleOf(text),
})
const decide = (it: ReturnType<typeof presented>, who: Client | null, now = 100) =>
  authenticateClient(clientAuthRules, { presented: it, client: who, now: at(now) })
const good = 'correct horse battery staple 1234'

test('RFC 6749 §2.3.1: the right secret by the registered method authenticates', () => {
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    const who = registered(method, [secret(good)])
    assert.deepEqual(decide(presented(method, good), who), ok(who))
  }
  const spa = registered('none', [])
  assert.deepEqual(decide(presented('none', null), spa), ok(spa))
})

test('while secrets overlap each one works, and an expired one does not from its very instant', () => {
  const who = registered('client_secret_basic', [secret('old', at(100)), secret('new')])
  assert.deepEqual(decide(presented('client_secret_basic', 'old'), who, 99), ok(who))
  assert.deepEqual(decide(presented('client_secret_basic', 'new'), who, 99), ok(who))
  assert.equal(decide(presented('client_secret_basic', 'old'), who, 100).kind, 'error')
  assert.deepEqual(decide(presented('client_secret_basic', 'new'), who, 100), ok(who))
})

test('RFC 6749 §5.2: wrong secret, unknown client, disabled client and wrong method are one and the same refusal', () => {
  const method = 'client_secret_basic'
  const answers = [
    decide(presented(method, 'wrong'), registered(method, [secret(good)])),
    decide(presented(method, good), null),
    decide(presented(method, good), registered(method, [secret(good)], at(1))),
    decide(presented(method, good), registered('client_secret_post', [secret(good)])),
    decide(presented(method, good), registered(method, [])),
    decide(presented(method, ''), registered('none', [])),
  ]
  for (const answer of answers) assert.deepEqual(answer, err({ reason: 'client_unauthenticated', challenge: true }))
  assert.equal(refusalResponse({ reason: 'client_unauthenticated', challenge: true }).status, 401)
})

test('RFC 6749 §2.1: a confidential client cannot pass as a public one, nor the other way round', () => {
  assert.equal(decide(presented('none', null), registered('client_secret_basic', [secret(good)])).kind, 'error')
  assert.equal(decide(presented('client_secret_post', good), registered('none', [secret(good)])).kind, 'error')
})

test('a method that is not served proves nobody, not even whoever registered it', () => {
  const who = registered('client_secret_jwt', [secret(good)])
  assert.deepEqual(
    decide(presented('client_secret_jwt', good), who),
    err({ reason: 'client_unauthenticated', challenge: false }),
  )
})

test('no Authorization header makes it throw', () => {
  const header = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((text) => `Basic ${text}`),
    fc.string({ unit: 'binary' }).map(basic),
  )
  fc.assert(
    fc.property(header, (text) => {
      const seen = see({}, text)
      assert.ok(seen.kind === 'error' || /^[\x20-\x7e]+$/.test(seen.value.clientId))
    }),
    { numRuns: 2000 },
  )
})

test('RFC 6749 §2.3.1: whatever a client encodes is what is compared', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((s) => !/[\p{Cc}\p{Cs}]/u.test(s))
  fc.assert(
    fc.property(text, (value) => {
      const encoded = new URLSearchParams({ v: value }).toString().slice(2)
      assert.deepEqual(
        see({}, basic(`web:${encoded}`)),
        ok({
          method: 'client_secret_basic',
          clientId: 'web',
          secret: handleOf(value),
        }),
      )
    }),
  )
})

test('RFC 7523 §2.1: the assertion of the grant alone stands for a client of any method, unless its profile asks for more', () => {
  const shown = (asGrant: boolean, held: Client | null) =>
    authenticateClient(clientAuthRules, {
      presented: { method: 'federated_jwt', clientId: 'web', secret: null, workload: { asGrant } },
      client: held,
      workloadOf: 'web',
      now: at(0),
    } as never).kind
  const plain = client({ token_endpoint_auth_method: 'client_secret_basic' }, { id: 'web' })
  const strong = client({ token_endpoint_auth_method: 'private_key_jwt', profile: 'fapi2-security' }, { id: 'web' })
  const federated = client({ token_endpoint_auth_method: 'federated_jwt' }, { id: 'web' })
  assert.deepEqual([shown(true, plain), shown(false, plain)], ['ok', 'error'])
  assert.deepEqual([shown(true, strong), shown(true, null)], ['error', 'error'])
  assert.deepEqual([shown(false, federated), shown(true, federated)], ['ok', 'ok'])
})
