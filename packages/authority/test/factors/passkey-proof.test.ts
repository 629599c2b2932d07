/** A passkey's answer that cannot be one: it is nobody's, and nothing is looked up for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPasskeyAnswer } from '../../src/factors/passkey-answer.ts'
import { proveByPasskey } from '../../src/factors/passkey-sign-in.ts'
import { relyingParty } from '../../src/factors/relying-party.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const answer = (more: object = {}, data: object = {}, response: object = {}) =>
  JSON.stringify({ id: 'c', response: { clientDataJSON: encoded({ challenge: 'x', ...data }), ...response }, ...more })
const issuers = (issuer: string) => ({ issuerOf: () => issuer }) as never
const untouched = new Proxy({}, { get: () => assert.fail('nothing is to be looked up') })
const prove = (text: string, issuer: string) =>
  proveByPasskey(
    { text, purpose: 'account', known: false },
    { tenant: 'default' } as never,
    { issuers: issuers(issuer), store: untouched, limits: untouched, clock: untouched, ids: untouched } as never,
  )
const nobody = { person: null, subject: null }

test('WebAuthn §5.1.4: where there are no passkeys, and for what is no answer, nobody is proven', async () => {
  assert.deepEqual(await prove(answer(), 'https://192.0.2.1'), nobody)
  assert.deepEqual(await prove(answer(), 'https://[2001:db8::1]:8443'), nobody)
  assert.deepEqual(await prove('x', 'https://as.example'), nobody)
  await assert.rejects(prove(answer(), 'https://as.example'), /nothing is to be looked up/, 'one that can be one is')
})

test('WebAuthn §4: who we are is the host of the issuer, without its port', () => {
  const party = relyingParty('acme' as never, issuers('https://as.example:8443/t/acme'))
  assert.deepEqual(party, { id: 'as.example', origin: 'https://as.example:8443' })
})

test('an answer is read where it is one, up to its bounds', () => {
  const read = (text: string) => {
    const it = readPasskeyAnswer(text)
    return it && [it.id.length, it.challenge, it.userHandle]
  }
  assert.deepEqual(read(answer()), [1, 'x', null])
  assert.deepEqual(read(answer({}, { crossOrigin: false }, { userHandle: 'u' })), [1, 'x', 'u'])
  assert.deepEqual(read(answer({}, {}, { userHandle: 7 })), [1, 'x', null])
  assert.deepEqual(read(answer({ id: 'i'.repeat(1364) })), [1364, 'x', null])
  assert.deepEqual(read(answer().padEnd(16_384)), [1, 'x', null])
  for (const text of [
    answer({ id: 'i'.repeat(1365) }),
    answer({ id: '' }),
    answer({ id: 7 }),
    answer({ response: [] }),
    answer({}, { challenge: 7 }),
    answer({}, { crossOrigin: true }),
    answer({}, {}, { clientDataJSON: 7 }),
    answer().padEnd(16_385),
    '[]',
    'null',
    '',
  ])
    assert.equal(read(text), null, text.slice(0, 60))
})
