/** What an observer of everything that is asked of an issuer tells: each fault once, and its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import fc from 'fast-check'
import type { Concern, SeenAnswer } from '../../src/issuer/outbound.ts'
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

const about = (part: Concern['part'], of = issuer): Concern => ({ issuer: of, part })
const seen = { status: 200, date: null, age: 0, error: null, askedAt: now as Instant, receivedAt: now as Instant }

test('one of the two places of metadata may be empty; a key set that lies beside them may not', () => {
  const { told, faults } = observed()
  const missing = { ...seen, status: 404 }
  const url = `${issuer}/.well-known/x`
  faults.answered({ url, concern: about('metadata') }, missing)
  assert.deepEqual(told, [])
  faults.answered({ url, concern: about('keys') }, missing)
  assert.deepEqual(told, ['unexpected_answer'])
})

test('what a reader found to be of no use is not over with the next answer, but when it was of use, wherever it lies', () => {
  const { told, faults } = observed()
  const keys = about('keys')
  for (let read = 0; read < 3; read += 1) {
    faults.answered({ url: `${issuer}/jwks`, concern: keys }, seen)
    faults.unusable(keys, 'the key set holds no key that can be used')
  }
  assert.deepEqual(told, ['unexpected_answer'])
  faults.over(about('keys', `${issuer}/t/acme`))
  faults.over(about('metadata'))
  assert.deepEqual(told, ['unexpected_answer'], 'that is something else')
  faults.over(keys)
  assert.deepEqual(told, ['unexpected_answer', '-unexpected_answer'])
})

test('metadata of others than the issuer are no fault, whatever is answered; that its host is away is one', () => {
  const { told, faults } = observed()
  for (const status of [404, 400, 429, 500]) {
    const concern = about('metadata', `${issuer}/t/x${status}`)
    faults.answered({ url: `${concern.issuer}/.well-known/openid-configuration`, concern }, { ...seen, status })
    faults.unusable(concern, 'there are no metadata (404)')
  }
  assert.deepEqual(told, [])
  const concern = about('metadata', `${issuer}/t/x`)
  faults.failed({ url: `${concern.issuer}/.well-known/openid-configuration`, concern }, 'ECONNREFUSED')
  faults.over(concern)
  assert.deepEqual(told, ['issuer_unreachable'], 'only an answer says that it is back')
  faults.answered({ url: `${issuer}/jwks`, concern: about('keys') }, seen)
  assert.deepEqual(told, ['issuer_unreachable', '-issuer_unreachable'])
})

test('a host that cannot be reached is forgotten with what was asked of it: keys that moved, or that nobody asks for', () => {
  const { told, faults } = observed()
  faults.failed({ url: 'https://cdn.example/jwks', concern: about('keys') }, 'ENOTFOUND')
  faults.over(about('token'))
  assert.deepEqual(told, ['issuer_unreachable'])
  faults.over(about('keys'))
  assert.deepEqual(told, ['issuer_unreachable', '-issuer_unreachable'])
})

test('once the stream of the feed is open its pages are not asked for, so what was wrong with them is over', () => {
  const { told, answer } = observed()
  answer('/revocations/changes', { status: 502 }, 'Bearer x')
  answer('/revocations/changes', { status: 401 }, 'Bearer x')
  answer('/revocations/stream', {}, 'Bearer x')
  assert.deepEqual(told, ['unexpected_answer', '-unexpected_answer'])
  answer('/revocations/changes', { status: 401 }, 'Bearer x')
  assert.equal(told.length, 2, 'an old token, once')
  answer('/revocations/stream', { status: 502 }, 'Bearer x')
  answer('/revocations/changes', {}, 'Bearer x')
  assert.deepEqual(told.slice(2), ['unexpected_answer'], 'a page says nothing of the stream')
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

test('what is asked in need only is no fault any more once the stream works, at whatever host it lay; the rest stays', () => {
  const { told, faults, answer } = observed()
  const ask = (path: string, part: Concern['part'], at = issuer) =>
    faults.answered(
      { url: at + path, concern: { issuer: part === 'keys' ? issuer : `${issuer}/t/acme`, part } },
      { status: 404, date: null, age: 0, error: null, askedAt: now as Instant, receivedAt: now as Instant },
    )
  ask('/lists/1', 'status_lists', 'https://lists.example')
  ask('/introspect', 'introspection')
  answer('/v1/events/reports', { status: 500 })
  faults.failed({ url: 'https://old.example/lists/2', concern: { issuer, part: 'status_lists' } }, 'ECONNREFUSED')
  assert.deepEqual(told, ['unexpected_answer', 'issuer_unreachable'])
  ask('/jwks', 'keys')
  answer('/revocations/stream')
  assert.deepEqual(told.splice(0), ['unexpected_answer', 'issuer_unreachable', '-issuer_unreachable'])
  assert.deepEqual(
    faults.current().map(({ message }) => message),
    ['/jwks answers 404'],
  )
})

test('whoever takes faults and throws ends nothing: they are said on stderr, and what follows is told', (t) => {
  const said = t.mock.method(console, 'error', () => {})
  const told: string[] = []
  const faults = new IssuerFaults({
    issuer,
    leeway: 60_000,
    onFault({ state }) {
      told.push(state)
      throw new Error('a logger that is broken')
    },
  })
  faults.failed({ url: `${issuer}/jwks` }, 'ECONNREFUSED')
  faults.answered(
    { url: `${issuer}/jwks` },
    { status: 200, date: null, age: 0, error: null, askedAt: now as Instant, receivedAt: now as Instant },
  )
  assert.deepEqual([told, said.mock.callCount()], [['begun', 'over'], 4])
})
