/** Bound tokens at an API: the proof is asked for, is of this very request, and works once. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { makeProof, type ProofRequest } from '@grantor/protocol/dpop'
import { jwkThumbprint } from '@grantor/protocol/jose'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { MemoryProofReplays } from '../../src/possession/proof-replays.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import type { PresentedRequest } from '../../src/validate/presented-credentials.ts'
import type { ValidatorOptions } from '../../src/validate/validator-options.ts'
import type { Verdict } from '../../src/validate/finding.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { audience } from '../tokens.ts'

const url = `${audience}/v1/orders`
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const thief = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const jkt = jwkThumbprint(publicKey.export({ format: 'jwk' }) as JsonObject)

/** The code of a refusal, with the fault of a proof. */
function word(verdict: Verdict): string {
  if (verdict.kind === 'ok') return 'ok'
  return verdict.error.code === 'proof_invalid' ? `proof_invalid ${verdict.error.fault}` : verdict.error.code
}

function api(dpop: ValidatorOptions['dpop'] = {}, time = new FakeTime()) {
  const issuer = createTestIssuer({ audience, time })
  const validator = createValidator({ audience, issuers: [issuer.trust], time, dpop })
  const bound = issuer.mint({ claims: { cnf: { jkt } } })
  const prove = (more: Partial<ProofRequest> = {}, key = privateKey) =>
    makeProof(key, { method: 'GET', url, now: time.now(), accessToken: bound, ...more })
  const present = async (authorization: string, more: Partial<PresentedRequest> = {}) =>
    validator.validate({ authorization, request: { method: 'GET', url: `${url}?limit=2`, ...more } })
  const say = async (authorization: string, more: Partial<PresentedRequest> = {}) =>
    word(await present(authorization, more))
  return { time, issuer, validator, bound, prove, present, say }
}

test('RFC 9449 §7.1: a bound token comes with a proof of its key for this request, the first time and from memory', async () => {
  const { bound, prove, say } = api()
  for (let n = 0; n < 3; n += 1) assert.equal(await say(`DPoP ${bound}`, { proof: prove() }), 'ok')
})

test('RFC 9449 §7.2: a bound token as a plain bearer token is refused, cold and warm, with a proof or without', async () => {
  const { bound, prove, say } = api()
  assert.equal(await say(`Bearer ${bound}`, { proof: prove() }), 'proof_required')
  assert.equal(await say(`DPoP ${bound}`, { proof: prove() }), 'ok')
  assert.equal(await say(`Bearer ${bound}`, { proof: prove() }), 'proof_required')
  assert.equal(await say(`Bearer ${bound}`), 'proof_required')
  assert.equal(await say(`DPoP ${bound}`), 'proof_required')
})

test('RFC 9449 §7.1: the DPoP scheme with a token that is bound to nothing is refused', async () => {
  const { issuer, prove, say } = api()
  const plain = issuer.mint()
  assert.equal(await say(`DPoP ${plain}`, { proof: prove({ accessToken: plain }) }), 'proof_invalid unbound')
})

test('RFC 9449 §4.3: a proof of another key, token, method, address or time is refused', async () => {
  const { issuer, bound, prove, say, time } = api()
  const other = issuer.mint({ claims: { cnf: { jkt } } })
  const rows: readonly [string, string][] = [
    [prove({}, thief), 'key_mismatch'],
    [prove({ accessToken: other }), 'token'],
    [prove({ method: 'DELETE' }), 'method'],
    [prove({ url: `${audience}/v1/invoices` }), 'address'],
    [prove({ now: (time.now() - 61_000) as Instant }), 'age'],
    [prove({ now: (time.now() + 61_000) as Instant }), 'age'],
    [`${prove()}, ${prove()}`, 'malformed'],
    ['', 'malformed'],
  ]
  for (const [proof, fault] of rows) assert.equal(await say(`DPoP ${bound}`, { proof }), `proof_invalid ${fault}`)
})

test('RFC 9449 §11.1: a proof works once; another of the same key works, and so does the same jti of another key', async () => {
  const { bound, prove, say, time } = api()
  const proof = prove()
  assert.equal(await say(`DPoP ${bound}`, { proof }), 'ok')
  assert.equal(await say(`DPoP ${bound}`, { proof }), 'proof_invalid replayed')
  assert.equal(await say(`DPoP ${bound}`, { proof: prove() }), 'ok')
  // As long as its time would be good.
  for (let n = 0; n < 6; n += 1) {
    await time.advance(10_000)
    assert.equal(await say(`DPoP ${bound}`, { proof }), 'proof_invalid replayed')
  }
  await time.advance(2000)
  assert.equal(await say(`DPoP ${bound}`, { proof }), 'proof_invalid age')
})

test('a proof that was refused for another reason is not used up', async () => {
  const { bound, prove, say } = api()
  const proof = prove()
  assert.equal(await say(`DPoP ${bound}`, { proof, method: 'POST' }), 'proof_invalid method')
  assert.equal(await say(`DPoP ${bound}`, { proof }), 'ok')
})

test('a proof is remembered for as long as its time is good, also across the turn of the memory', () => {
  const time = new FakeTime()
  for (const start of [0, 60_000, 119_000, 119_999]) {
    const replays = new MemoryProofReplays(time, 100)
    time.mono += start
    assert.equal(replays.use('a'), true)
    time.mono += 1
    assert.equal(replays.use('a'), false)
    time.mono += 119_000
    assert.equal(replays.use('a'), false, `after ${start}`)
    time.mono += 250_000
    assert.equal(replays.use('a'), true)
  }
})

test('what cannot be remembered is not accepted: a full memory and a store that is away give 503', async () => {
  const full = api({ capacity: 1 })
  assert.equal(await full.say(`DPoP ${full.bound}`, { proof: full.prove() }), 'ok')
  assert.equal(await full.say(`DPoP ${full.bound}`, { proof: full.prove() }), 'proof_state_unavailable')
  const away = api({ replays: { use: () => Promise.reject(new Error('away')) } })
  assert.equal(await away.say(`DPoP ${away.bound}`, { proof: away.prove() }), 'proof_state_unavailable')
})

test('processes that share a store accept a proof once among them, also when they race', async () => {
  const time = new FakeTime()
  const used = new Set<string>()
  const replays = {
    async use(id: string) {
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      return !used.has(id) && used.add(id).size > 0
    },
  }
  const issuer = createTestIssuer({ audience, time })
  const bound = issuer.mint({ claims: { cnf: { jkt } } })
  const processes = [1, 2, 3].map(() => createValidator({ audience, issuers: [issuer.trust], time, dpop: { replays } }))
  const proof = makeProof(privateKey, { method: 'GET', url, now: time.now(), accessToken: bound })
  const presented = { authorization: `DPoP ${bound}`, request: { method: 'GET', url, proof } }
  const said = await Promise.all(processes.map(async (one) => word(await one.validate(presented))))
  assert.deepEqual(said.sort(), ['ok', 'proof_invalid replayed', 'proof_invalid replayed'])
})

test('RFC 9449 §9: where nonces are asked for, the refusal gives one, and every process knows it', async () => {
  const nonceSecret = new Uint8Array(32).fill(3)
  const time = new FakeTime()
  const one = api({ nonceSecret }, time)
  const verdict = await one.present(`DPoP ${one.bound}`, { proof: one.prove() })
  assert.ok(verdict.kind === 'error' && verdict.error.code === 'proof_nonce_required')
  const { nonce } = verdict.error
  assert.equal(await one.say(`DPoP ${one.bound}`, { proof: one.prove({ nonce }) }), 'ok')
  const other = api({ nonceSecret }, time)
  assert.equal(await other.say(`DPoP ${other.bound}`, { proof: other.prove({ nonce }) }), 'ok')
  const stranger = api({ nonceSecret: new Uint8Array(32) }, time)
  assert.equal(
    await stranger.say(`DPoP ${stranger.bound}`, { proof: stranger.prove({ nonce }) }),
    'proof_nonce_required',
  )
  await time.advance(620_000)
  assert.equal(await one.say(`DPoP ${one.bound}`, { proof: one.prove({ nonce }) }), 'proof_nonce_required')
  assert.throws(() => api({ nonceSecret: new Uint8Array(31) }), /nonceSecret/)
})

test('RFC 8705 §3: a token that is bound to a certificate needs that certificate', async () => {
  const { issuer, say } = api()
  const certified = issuer.mint({ claims: { cnf: { 'x5t#S256': 'mine' } } })
  const by = (thumbprint: string | null) => ({ certificate: () => (thumbprint === null ? null : { thumbprint }) })
  assert.equal(await say(`Bearer ${certified}`, by('mine')), 'ok')
  assert.equal(await say(`Bearer ${certified}`, by('other')), 'certificate_mismatch')
  assert.equal(await say(`Bearer ${certified}`, by(null)), 'certificate_required')
  assert.equal(await say(`Bearer ${certified}`), 'certificate_required')
})

test('a token that is bound to both needs both', async () => {
  const { issuer, prove, say } = api()
  const both = issuer.mint({ claims: { cnf: { jkt, 'x5t#S256': 'mine' } } })
  const certificate = () => ({ thumbprint: 'mine' })
  const proof = () => prove({ accessToken: both })
  assert.equal(await say(`DPoP ${both}`, { proof: proof(), certificate }), 'ok')
  assert.equal(await say(`DPoP ${both}`, { proof: proof() }), 'certificate_required')
  assert.equal(await say(`DPoP ${both}`, { certificate }), 'proof_required')
  assert.equal(await say(`Bearer ${both}`, { certificate }), 'proof_required')
})

test('RFC 7800 §3: a binding that nobody here can check is never taken for proven', async () => {
  const { issuer, prove, say } = api()
  for (const cnf of [{}, 'key', [], { kid: 'k' }, { jwk: {} }, { jkt, kid: 'k' }, { jkt: 7 }, { 'x5t#S256': null }]) {
    const token = issuer.mint({ claims: { cnf } })
    const said = await say(`DPoP ${token}`, {
      proof: prove({ accessToken: token }),
      certificate: () => ({ thumbprint: 'mine' }),
    })
    assert.notEqual(said, 'ok', JSON.stringify(cnf))
  }
})
