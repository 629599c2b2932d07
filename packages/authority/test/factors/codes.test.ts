/** What is not there proves nothing: codes of an app that nobody has, texts that are no recovery code, browsers without a name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, recoveryCode, totpCode, totpStep } from '@grantor/protocol/people'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { newRecoveryCodes, totpContext, useOtp, useRecoveryCode } from '../../src/factors/codes.ts'
import { poseChallenge, relyingParty, spendChallenge, userHandleOf } from '../../src/factors/relying-party.ts'
import { KeyUnopened } from '../../src/keys/keyring.ts'

const tenant = 'default' as TenantId
const person = { tenant, id: 'alice' } as unknown as Person
const now = 1_800_000_000_000 as Instant
const secret = Buffer.from('a secret of twenty b')
const visitor = { tenant, browser: 'gb_x', ip: null, userAgent: null, traceId: null, sessions: [] }

function scene(held: { readonly lastStep: number } | null = null) {
  const did: unknown[] = []
  const state = { used: 'used', taken: 'taken', opens: true }
  const deps = {
    clock: { now: () => now },
    ids: { handleOf: (text: string) => `handle of ${text}`, id: () => 'id', salt: () => Buffer.alloc(32, 7) },
    policy: { interactionTtl: 600 },
    limits: { take: () => null, takeByAddress: () => null },
    vault: {
      open: (sealed: Uint8Array, context: string) => (state.opens && context === 'totp default alice' ? sealed : null),
    },
    store: {
      factors: {
        totp: async () => (held === null ? null : { ...held, sealedSecret: secret, createdAt: 5 }),
        useTotp: async (use: unknown) => (did.push(use), state.used),
        of: async () => ({ recoveryCodes: 3 }),
        useRecoveryCode: async (use: unknown, events: readonly { name: string; data: unknown }[]) => {
          did.push(use, ...events.map(({ name, data }) => ({ name, data })))
          return state.used
        },
        poseChallenge: async (posed: unknown) => void did.push(posed),
        takeChallenge: async (posed: unknown) => (did.push(posed), state.taken),
      },
    },
  }
  return { did, state, deps: deps as never }
}

test('a code is right for nobody who has no app, whatever it is', async () => {
  const { deps, did } = scene()
  const right = totpCode(secret, totpStep(now))
  for (const code of ['', '000000', right]) assert.equal(await useOtp(person, code, deps), false)
  assert.deepEqual(did, [])
})

test('RFC 6238 §5.2: a right code is used, a wrong or an old one is not, and one that another node used is none', async () => {
  const step = totpStep(now)
  const { deps, did, state } = scene({ lastStep: step - 1 })
  assert.equal(await useOtp(person, totpCode(secret, step - 1), deps), false)
  assert.equal(await useOtp(person, totpCode(secret, step), deps), true)
  assert.deepEqual(did, [{ tenant, subject: 'alice', step, createdAt: 5, at: now }])
  state.used = 'already-used'
  assert.equal(await useOtp(person, totpCode(secret, step), deps), false)
})

test('a secret that no key opens is a fault of ours and no wrong code', async () => {
  const { deps, state } = scene({ lastStep: 0 })
  state.opens = false
  await assert.rejects(useOtp(person, '000000', deps), KeyUnopened)
  assert.equal(totpContext(tenant, 'alice'), 'totp default alice')
})

test('a recovery code is used once, told with how many are left; what is none is not looked up', async () => {
  const { deps, did, state } = scene()
  const code = recoveryCode(Buffer.alloc(32, 7))
  const typed = (text: string) => useRecoveryCode(person, { typed: text, visitor: visitor as never }, deps)
  for (const none of ['', 'nonsense', '123456']) assert.equal(await typed(none), false)
  assert.deepEqual(did, [])
  assert.equal(await typed(code.toUpperCase()), true)
  assert.deepEqual(did[1], { name: 'factor.recovered', data: { left: 2 } })
  state.used = 'absent'
  assert.equal(await typed(code), false)
})

test('recovery codes are stored by what they are to their owner alone', () => {
  const ids = { handleOf: (text: string) => `handle of ${text}`, salt: () => Buffer.alloc(32, 7) } as never
  const of = (id: string, at: string) => newRecoveryCodes({ id, tenant: at } as unknown as Person, ids).handles[0]
  assert.notEqual(of('alice', 'one'), of('bob', 'one'))
  assert.notEqual(of('alice', 'one'), of('alice', 'two'))
  assert.ok(String(of('alice', 'one')).startsWith('handle of recovery one alice '))
})

test('WebAuthn §13.4.3: a challenge is of one browser, for one thing, for ten minutes, and counts once', async () => {
  const { deps, did, state } = scene()
  const nameless = { ...visitor, browser: null } as never
  assert.equal(await poseChallenge('account', nameless, deps), null)
  assert.equal(await spendChallenge({ challenge: 'c', purpose: 'account' }, nameless, deps), false)
  assert.deepEqual(did, [])
  const challenge = await poseChallenge({ enrol: 'alice' }, visitor as never, deps)
  assert.equal(challenge, Buffer.alloc(32, 7).toString('base64url'))
  const posed = { tenant, handle: `handle of ${challenge}`, browser: 'handle of gb_x', purpose: 'enrol alice' }
  assert.deepEqual(did, [{ ...posed, expiresAt: now + 600_000 }])
  const answer = { challenge: challenge ?? '', purpose: { enrol: 'alice' } }
  assert.equal(await spendChallenge(answer, visitor as never, deps), true)
  assert.deepEqual(did[1], { ...posed, now })
  state.taken = 'absent'
  assert.equal(await spendChallenge(answer, visitor as never, deps), false)
})

test('WebAuthn §5.4.2: a relying party is a host with a name; a person is another in every tenant', () => {
  const at = (issuer: string) => relyingParty(tenant, { issuerOf: () => issuer })
  assert.deepEqual(at('https://as.example/t/x'), { id: 'as.example', origin: 'https://as.example' })
  for (const none of ['https://192.0.2.1', 'https://[2001:db8::1]']) assert.equal(at(none), null, none)
  const ids = { handleOf: (text: string) => text as never }
  assert.equal(userHandleOf(tenant, 'alice', ids), 'passkey user default alice')
})
