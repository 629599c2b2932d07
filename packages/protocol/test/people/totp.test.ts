import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  base32,
  matchingStep,
  otpauthUri,
  totp,
  totpCode,
  totpEnd,
  totpStep,
  totpWindow,
} from '../../src/people/totp.ts'
import type { Instant } from '../../src/types.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number) => (seconds * 1000) as Instant

/** RFC 6238 Appendix B, SHA-1: eight digits there, of which six are ours. */
const vectors: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]
for (const [seconds, code] of vectors) {
  test(`RFC 6238 Appendix B: at ${seconds} the code is ${code}`, () => {
    assert.equal(totpCode(secret, totpStep(at(seconds))), code)
    assert.equal(matchingStep(code, { secret, lastStep: null }, at(seconds)), totpStep(at(seconds)))
  })
}

test('RFC 4226 Appendix D: the first ten codes', () => {
  const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')
  assert.deepEqual(
    codes.map((_, step) => totpCode(secret, step)),
    codes,
  )
})

test('RFC 6238 §5.2: one step early or late is accepted, two are not', () => {
  const now = at(1_234_567_890)
  const step = totpStep(now)
  const found = [-2, -1, 0, 1, 2].map((off) =>
    matchingStep(totpCode(secret, step + off), { secret, lastStep: null }, now),
  )
  assert.deepEqual(found, [null, step - 1, step, step + 1, null])
})

test('RFC 6238 §5.2: a code that was used, and every one before it, is refused', () => {
  const now = at(1_234_567_890)
  const step = totpStep(now)
  const after = (lastStep: number, off: number) => matchingStep(totpCode(secret, step + off), { secret, lastStep }, now)
  assert.equal(after(step, 0), null)
  assert.equal(after(step, -1), null)
  assert.equal(after(step, 1), step + 1)
})

test('a last step that lies further ahead than any code of now was used by a clock that was ahead, and locks nobody out', () => {
  const now = at(1_234_567_890)
  const step = totpStep(now)
  const after = (lastStep: number, off: number) => matchingStep(totpCode(secret, step + off), { secret, lastStep }, now)
  for (const off of [-1, 0, 1]) assert.equal(after(step + 120, off), step + off)
  // One that may just have been used keeps those before it out: the earliest that fits and the latest are two apart.
  assert.equal(after(step + 1, -1), null)
  assert.equal(totpWindow, 2)
  assert.equal(after(step + 2, -1), step - 1)
  assert.equal(after(step + 2, 0), null)
})

test('RFC 6238 §5.2: a code is taken until the step after its own is over, and from then on by no clock', () => {
  const step = totpStep(at(1_234_567_890))
  const match = (now: number) => matchingStep(totpCode(secret, step), { secret, lastStep: null }, now as Instant)
  assert.equal(match(totpEnd(step) - 1), step)
  assert.equal(match(totpEnd(step)), null)
  assert.equal(totpEnd(step), (step + 2) * 30_000)
})

test('RFC 4226 §4: a secret has 160 bits', () => assert.equal(totp.secretBytes * 8, 160))

test('groups are read as one code, and nothing else is one', () => {
  const now = at(59)
  const match = (code: string) => matchingStep(code, { secret, lastStep: null }, now)
  for (const code of ['287082', '287 082', ' 287-082 ']) assert.equal(match(code), 1)
  for (const code of ['', '28708', '2870820', '２８７０８２', '287082\0', ' '.repeat(100) + '287082', '-287082e0'])
    assert.equal(match(code), null, JSON.stringify(code))
  // Twenty characters are looked at, and no more.
  assert.equal(match('287082'.padEnd(20)), 1)
  assert.equal(match('287082'.padEnd(21)), null)
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => match(text) === null || text.includes('2')))
})

test('RFC 4648 §10: base32, without padding', () => {
  const pairs = { '': '', f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' }
  for (const [text, coded] of Object.entries(pairs)) assert.equal(base32(Buffer.from(text)), coded)
})

test('the address in the QR code cannot be broken out of by a name', () => {
  const uri = new URL(otpauthUri(secret, { service: 'Acme: Water & Power?', account: 'a:b/c?secret=x#y' }))
  assert.equal(uri.searchParams.get('secret'), base32(secret))
  assert.equal(uri.searchParams.get('issuer'), 'Acme  Water & Power?')
  assert.equal(uri.hash, '')
  assert.equal([...uri.searchParams].length, 2)
  assert.equal(decodeURIComponent(uri.pathname), '/Acme  Water & Power?:a b/c?secret=x#y')
  const most = new URL(otpauthUri(secret, { service: 's'.repeat(61), account: 'a'.repeat(60) }))
  assert.equal(most.pathname, `/${'s'.repeat(60)}:${'a'.repeat(60)}`)
  const long = otpauthUri(secret, { service: '🔑'.repeat(500), account: `\ud800${'ä'.repeat(5000)}` })
  assert.ok(long.length < 2000, `${long.length}`)
})
