/** What an observer of everything that is asked of an issuer tells: each fault once, and its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import fc from 'fast-check'
import type { SeenAnswer } from '../../src/issuer/outbound.ts'
import { IssuerFaults } from '../../src/issuer/issuer-faults.ts'

const issuer = 'https://id.example'
const now = Date.parse('2030-01-01T00:00:00Z')

function observed() {
  const told: string[] = []
  const faults = new IssuerFaults({
    issuer,
    leeway: 60_000,
    onFault: ({ code, state }) => void told.push(state === 'begun' ? code : `-${code}`),
  })
  const answer = (path: string, more: Partial<SeenAnswer> = {}, authorization?: string) =>
    faults.answered(
      { url: issuer + path, ...(authorization === undefined ? {} : { headers: { authorization } }) },
      {
        status: 200,
        date: new Date(now).toUTCString(),
        age: 0,
        error: null,
        askedAt: now as Instant,
        receivedAt: (now + 100) as Instant,
        ...more,
      },
    )
  return { told, faults, answer, fail: (path: string, code: string) => faults.failed({ url: issuer + path }, code) }
}

test('a fault is told when it begins and when it is over, however often it is met', () => {
  const { told, faults, answer, fail } = observed()
  for (const path of ['/a', '/b', '/a', '/c']) fail(path, 'ECONNREFUSED')
  assert.deepEqual(told, ['issuer_unreachable'])
  assert.equal(faults.current()[0]?.message, 'https://id.example cannot be reached (ECONNREFUSED)')
  answer('/b')
  answer('/a')
  assert.deepEqual(told, ['issuer_unreachable', '-issuer_unreachable'])
  assert.deepEqual(faults.current(), [])
})

test('one fault may take the place of another', () => {
  const { told, fail, answer } = observed()
  fail('/jwks', 'ECONNREFUSED')
  fail('/jwks', 'SELF_SIGNED_CERT_IN_CHAIN')
  answer('/jwks', { status: 500 })
  assert.deepEqual(told, [
    'issuer_unreachable',
    '-issuer_unreachable',
    'certificate_untrusted',
    '-certificate_untrusted',
    'unexpected_answer',
  ])
})

test('the remedy for a certificate that no authority vouches for is named, for one of another host it is not', () => {
  const { faults, fail, answer } = observed()
  fail('/jwks', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  assert.match(faults.current()[0]?.message ?? '', /UNABLE_TO_VERIFY_LEAF_SIGNATURE.*`ca`/)
  answer('/jwks')
  fail('/jwks', 'ERR_TLS_CERT_ALTNAME_INVALID')
  assert.equal(faults.current()[0]?.code, 'certificate_untrusted')
  assert.doesNotMatch(faults.current()[0]?.message ?? '', /`ca`/)
})

test('that our own client is refused is told with what the issuer says; an old token once is no fault', () => {
  const { told, faults, answer } = observed()
  answer('/token', { status: 401, error: 'invalid_client' }, 'Basic eDp5')
  assert.match(faults.current()[0]?.message ?? '', /401 invalid_client.*its client id and its secret/)
  answer('/token', {}, 'Basic eDp5')
  answer('/token', { status: 400, error: 'invalid_scope' }, 'Basic eDp5')
  assert.match(faults.current()[0]?.message ?? '', /400 invalid_scope.*may ask for/)
  answer('/token', {}, 'Basic eDp5')
  told.length = 0
  answer('/revocations', { status: 401 }, 'Bearer x')
  answer('/revocations', {}, 'Bearer x')
  answer('/revocations', { status: 401 }, 'Bearer x')
  assert.deepEqual(told, [])
  answer('/revocations', { status: 401 }, 'Bearer x')
  assert.deepEqual(told, ['client_refused'])
  answer('/revocations', {}, 'Bearer x')
  answer('/revocations', { status: 403 }, 'Bearer x')
  assert.deepEqual(told, ['client_refused', '-client_refused', 'client_refused'])
})

test('one of the two places of metadata may be empty', () => {
  const { told, answer } = observed()
  answer('/.well-known/openid-configuration', { status: 404 })
  assert.deepEqual(told, [])
})

test('clocks are compared by the Date of an answer, from question to answer, and with the time in a cache', () => {
  const { told, faults, answer } = observed()
  const at = (shift: number) => ({ askedAt: (now + shift) as Instant, receivedAt: (now + shift + 100) as Instant })
  for (const fine of [at(60_900), at(-60_000), { date: null, ...at(600_000) }, { date: 'yesterday', ...at(600_000) }])
    answer('/jwks', fine)
  // An hour old, because a cache kept it for an hour.
  answer('/jwks', { ...at(3_600_000), age: 3600 })
  assert.deepEqual(told, [])
  answer('/jwks', at(300_000))
  assert.match(faults.current()[0]?.message ?? '', /299 s ahead/)
  answer('/jwks', at(0))
  answer('/jwks', at(-300_000))
  assert.match(faults.current()[0]?.message ?? '', /300 s behind/)
  assert.deepEqual(told, ['clock_differs', '-clock_differs', 'clock_differs'])
})

test('whatever happens, begins and ends alternate for each kind, and what is current is what was not ended', () => {
  const event = fc.record({
    path: fc.constantFrom('/a', '/b', '/token'),
    outcome: fc.constantFrom('ok', 'ECONNREFUSED', 'CERT_HAS_EXPIRED', 500, 401, 403, 404),
    by: fc.constantFrom(undefined, 'Basic x', 'Bearer x'),
    ahead: fc.constantFrom(0, 600_000),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const { told, faults, answer, fail } = observed()
      for (const { path, outcome, by, ahead } of events) {
        const times = { askedAt: (now + ahead) as Instant, receivedAt: (now + ahead) as Instant }
        if (outcome === 'ok') answer(path, times, by)
        else if (typeof outcome === 'number') answer(path, { status: outcome, ...times }, by)
        else fail(path, outcome)
      }
      const open = new Set<string>()
      for (const one of told) {
        if (one.startsWith('-')) assert.ok(open.delete(one.slice(1)), one)
        else assert.ok(!open.has(one) && open.add(one), one)
      }
      assert.deepEqual(new Set(faults.current().map(({ code }) => code)), open)
    }),
  )
})

test('whoever is closed says nothing more', () => {
  const { told, faults, fail } = observed()
  faults.close()
  fail('/a', 'ECONNREFUSED')
  assert.deepEqual(told, [])
})
