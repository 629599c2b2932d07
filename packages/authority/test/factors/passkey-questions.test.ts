/** What an authenticator is asked, to enrol a passkey and to sign in by one; and what is kept of a new one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { enrolledPasskey, enrolmentQuestion } from '../../src/factors/enrol-passkey.ts'
import { passkeyQuestion } from '../../src/factors/passkey-sign-in.ts'
import { Authenticator, transports } from '../support/authenticator.ts'
import { root } from '../support/deployment.ts'

const now = 1_800_000_000_000 as Instant
const challenge = Buffer.alloc(32, 7).toString('base64url')
const handleOf = (text: string) => Buffer.from(text).toString('base64url')
const person = { tenant: root, id: 'alice', username: 'al', claims: { name: 'Alice Doe' }, passwordChangedAt: null }
const visitor = (browser: string | null = 'gb_x') => ({ tenant: root, browser, ip: null }) as never

function deps(held: readonly object[] = [], issuer = 'https://as.example') {
  return {
    clock: { now: () => now },
    ids: { handleOf, salt: () => Buffer.alloc(32, 7) },
    policy: { interactionTtl: 600 },
    limits: { take: () => null, takeByAddress: () => null },
    issuers: { issuerOf: () => issuer },
    store: {
      factors: {
        passkeys: async (_: string, subject: string) => (subject === 'alice' ? held : []),
        poseChallenge: async () => undefined,
        takeChallenge: async ({ handle, purpose }: { handle: string; purpose: string }) =>
          handle === handleOf(challenge) && purpose === 'enrol alice' ? 'taken' : 'absent',
      },
    },
  } as never
}

const held = [{ id: 'one', transports: ['usb', 'nfc'] }]
const shown = [{ id: 'one', type: 'public-key', transports: ['usb', 'nfc'] }]

test('WebAuthn §5.4: a new passkey is asked for with the person, our algorithms and those that they have', async () => {
  const question = await enrolmentQuestion({ person: person as never, service: 'Test' }, visitor(), deps(held))
  assert.deepEqual(question, {
    challenge,
    rp: { id: 'as.example', name: 'Test' },
    user: {
      id: handleOf('passkey user default alice'),
      name: 'al',
      displayName: 'Alice Doe',
    },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: shown,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    extensions: { credProps: true },
  })
  const asked = (at: never, parts: never) => enrolmentQuestion({ person: person as never, service: 'Test' }, at, parts)
  assert.equal(await asked(visitor(null), deps()), null, 'a browser without a name')
  assert.equal(await asked(visitor(), deps([], 'https://192.0.2.1')), null)
})

test('WebAuthn §5.5: who is known is asked for one of theirs, everybody else for whichever they have', async () => {
  const ask = (of: string | null, more = deps(held), at = visitor()) =>
    passkeyQuestion({ purpose: 'account', of }, at, more)
  const question = { challenge, rpId: 'as.example', timeout: 300_000, userVerification: 'required' }
  assert.deepEqual(await ask('alice'), { ...question, allowCredentials: shown })
  assert.deepEqual(await ask(null), { ...question, allowCredentials: [] })
  assert.equal(await ask('bob'), null, 'who has none cannot be asked for one')
  assert.equal(await ask('alice', deps(held, 'https://192.0.2.1')), null)
  assert.equal(await ask('alice', deps(held), visitor(null)), null)
})

test('WebAuthn §7.1: of a new one its key, its counter and its ways are kept, and sixty characters of its name', async () => {
  const authenticator = new Authenticator('https://as.example')
  const options = { challenge, rp: { id: 'as.example' }, user: { id: 'u' } }
  const enrol = (text: string, name: string, more = deps()) =>
    enrolledPasskey({ person: person as never, text, name }, visitor(), more)
  const kept = await enrol(authenticator.create(options, { counter: 5 }), `  ${'n'.repeat(61)} `)
  assert.ok(kept)
  const { publicKey, ...rest } = kept
  assert.ok(publicKey.length > 60)
  assert.deepEqual(rest, {
    tenant: root,
    id: authenticator.id,
    subject: 'alice',
    name: 'n'.repeat(60),
    counter: 5,
    synced: false,
    transports,
    createdAt: now,
    lastUsedAt: null,
  })
  assert.equal((await enrol(authenticator.create(options, { synced: true }), 'x'))?.synced, true)
  const answer = JSON.parse(authenticator.create(options)) as { response: JsonObject }
  const without = { ...answer, response: { ...answer.response, transports: 'usb' } }
  assert.deepEqual((await enrol(JSON.stringify(without), 'x'))?.transports, [])
  for (const lie of [
    { userVerified: false },
    { origin: 'https://evil.example' },
    { challenge: 'other' },
    { rpId: 'x' },
  ])
    assert.equal(await enrol(authenticator.create(options, lie), 'x'), null, JSON.stringify(lie))
  assert.equal(await enrol(authenticator.create(options), 'x', deps([], 'https://192.0.2.1')), null)
  assert.equal(await enrol('{}', 'x'), null)
})
