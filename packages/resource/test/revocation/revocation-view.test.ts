/** The revocation view: layers, lifetimes, bounds (vectors V6, V7, V9, V10, V11, V12). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CutoffDimension, CutoffMessage, RevokeMessage } from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import fc from 'fast-check'
import type { RevocableToken } from '../../src/revocation/revocation-source.ts'
import { RevocationView, type RevocationViewOptions } from '../../src/revocation/revocation-view.ts'

const leeway = 60_000
const start = Date.parse('2026-11-15T10:00:00Z')
const view = (capacity = 1000, more: Partial<RevocationViewOptions> = {}) =>
  new RevocationView({ leeway, capacity, now: () => start, ...more })

const token = (more: Partial<RevocableToken> = {}): RevocableToken => ({
  tenant: null,
  jti: 'j',
  grantId: 'g',
  sessionId: 's',
  subject: 'u',
  clientId: 'c',
  issuedAt: start as Instant,
  ...more,
})

const revoke = (jti: string, at = start, tenant: string | null = null): RevokeMessage => {
  return { kind: 'revoke', tenant, jti, at: at as Instant, until: (at + 600_000) as Instant }
}

function cutoff(
  dimension: CutoffDimension,
  key: string | null,
  upTo = start,
  tenant: string | null = null,
): CutoffMessage {
  const until = (upTo + 600_000) as Instant
  return { kind: 'cutoff', tenant, dimension, key, at: upTo as Instant, issuedUpTo: upTo as Instant, until }
}

const layers: readonly (readonly [CutoffDimension, string | null, Partial<RevocableToken>])[] = [
  ['grant', 'g', { grantId: 'other' }],
  ['session', 's', { sessionId: 'other' }],
  ['subject', 'u', { subject: 'other' }],
  ['client', 'c', { clientId: 'other' }],
  ['tenant', null, { tenant: 'other' }],
]
for (const [dimension, key, elsewhere] of layers) {
  test(`A cutoff by ${dimension} kills what was issued up to its second, and nothing beside it`, () => {
    const it = view()
    it.apply(cutoff(dimension, key), 0)
    assert.equal(it.isRevoked(token()), true)
    assert.equal(it.isRevoked(token({ issuedAt: (start - 1000) as Instant })), true)
    assert.equal(it.isRevoked(token({ issuedAt: (start + 1000) as Instant })), false)
    assert.equal(it.isRevoked(token(elsewhere)), false)
  })
}

test('A cutoff of a client kills what was exchanged for a token of its own, and nothing that speaks for a person', () => {
  const it = view()
  it.apply(cutoff('client', 'svc'), 100)
  const exchanged = token({ grantId: null, sessionId: null, subject: 'svc', clientId: 'backend' })
  assert.equal(it.isRevoked(exchanged), true)
  assert.equal(it.isRevoked({ ...exchanged, issuedAt: (start + 1000) as Instant }), false)
  assert.equal(it.isRevoked({ ...exchanged, grantId: 'g' }), false)
  assert.deepEqual([it.hasNewsOf(exchanged, 100), it.hasNewsOf(exchanged, 101)], [true, false])
})

test('A cutoff of the issuer kills in every tenant', () => {
  const it = view()
  it.apply(cutoff('issuer', null), 0)
  assert.equal(it.isRevoked(token({ tenant: 'acme' })), true)
  assert.equal(it.isRevoked(token({ tenant: 'acme', issuedAt: (start + 1000) as Instant })), false)
})

test('CVE-2026-18218: an older cutoff of the tenant does not hide a newer one of the client', () => {
  const it = view()
  it.apply(cutoff('tenant', null, start - 60_000), 0)
  it.apply(cutoff('client', 'c', start), 0)
  assert.equal(it.isRevoked(token()), true)
})

test('CVE-2026-8922: an older cutoff of the client does not hide a newer one of the tenant', () => {
  const it = view()
  it.apply(cutoff('client', 'c', start - 60_000), 0)
  it.apply(cutoff('tenant', null, start), 0)
  assert.equal(it.isRevoked(token()), true)
})

test('An older cutoff that arrives late does not take back a newer one', () => {
  const it = view()
  it.apply(cutoff('subject', 'u', start), 0)
  it.apply(cutoff('subject', 'u', start - 60_000), 0)
  assert.equal(it.isRevoked(token()), true)
})

test('An entry lives exactly as long as the longest token it can kill: its end and the leeway, by both clocks', () => {
  const it = view()
  it.apply(revoke('j'), 0)
  const end = 600_000 + leeway
  it.sweep(start + end - 1, end)
  assert.equal(it.isRevoked(token()), true)
  it.sweep(start + end, end - 1)
  assert.equal(it.isRevoked(token()), true, 'a wall clock that ran ahead forgets nothing')
  it.sweep(start + end, end)
  assert.equal(it.isRevoked(token()), false)
  assert.equal(it.entries, 0)
})

test('Sweeping goes by slices and still gets everywhere', () => {
  const it = view(10_000)
  for (let n = 0; n < 1000; n += 1) it.apply(revoke(`j${n}`, start, `t${n % 7}`), 0)
  for (let n = 0; n < 7; n += 1) it.apply(cutoff('tenant', null, start, `t${n}`), 0)
  for (let slice = 0; slice < 12; slice += 1) it.sweep(start + 1_000_000, 1_000_000, 100)
  assert.equal(it.entries, 0)
})

test('Tenants that are of no concern here take no room', () => {
  const it = view(1000, { concerns: (tenant) => tenant === 'acme' })
  it.apply(revoke('j', start, 'other'), 0)
  it.apply(revoke('j', start, 'acme'), 0)
  assert.equal(it.entries, 1)
})

const message = fc.oneof(
  fc
    .record({ jti: fc.integer({ max: 300, min: 0 }), at: fc.nat(300), tenant: fc.constantFrom(null, 'a', 'b', 'c') })
    .map(({ jti, at, tenant }) => revoke(`j${jti}`, start + at * 1000, tenant)),
  fc
    .record({
      dimension: fc.constantFrom('grant', 'session', 'subject', 'client'),
      key: fc.nat(100),
      at: fc.nat(300),
      tenant: fc.constantFrom(null, 'a', 'b', 'c'),
    })
    .map(({ dimension, key, at, tenant }) =>
      cutoff(dimension as CutoffDimension, `k${key}`, start + at * 1000, tenant),
    ),
)

/** A token that the message kills, issued at the last moment it reaches. */
const victim = (of: RevokeMessage | CutoffMessage): RevocableToken => {
  const blank = { jti: '-', grantId: '-', sessionId: '-', subject: '-', clientId: '-', tenant: of.tenant }
  if (of.kind === 'revoke') return { ...blank, jti: of.jti, issuedAt: of.at }
  const names = { grant: 'grantId', session: 'sessionId', subject: 'subject', client: 'clientId' } as const
  return { ...blank, [names[of.dimension as keyof typeof names]]: of.key, issuedAt: of.issuedUpTo }
}

test('however full the view gets, nothing that was revoked passes, and memory stays bounded', () => {
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 50, maxLength: 400 }),
      fc.integer({ min: 4, max: 60 }),
      (messages, capacity) => {
        const it = view(capacity)
        for (const one of messages) {
          it.apply(one, 0)
          assert.ok(it.entries <= capacity)
        }
        for (const one of messages) assert.equal(it.isRevoked(victim(one)), true)
      },
    ),
    { numRuns: 100 },
  )
})

test('overflow is told, falls on the fullest tenant, and leaves later tokens alone', () => {
  let escalations = 0
  const it = view(100, { onEscalation: () => (escalations += 1) })
  it.apply(revoke('quiet', start, 'small'), 0)
  for (let n = 0; n < 100; n += 1) it.apply(revoke(`j${n}`, start, 'big'), 0)
  assert.equal(escalations, 1)
  assert.equal(it.isRevoked(token({ tenant: 'big', jti: 'innocent' })), true, 'over-revoked')
  assert.equal(it.isRevoked(token({ tenant: 'big', issuedAt: (start + 1000) as Instant })), false)
  assert.equal(it.isRevoked(token({ tenant: 'small', jti: 'innocent' })), false)
  assert.equal(it.isRevoked(token({ tenant: 'small', jti: 'quiet' })), true)
})

test('a revoked token stays dead through an escalation although its issuer rounded `iat` up', () => {
  const it = view(10)
  for (let n = 0; n < 11; n += 1) it.apply(revoke(`j${n}`, start + 500), 0)
  assert.ok(it.entries <= 1)
  assert.equal(it.isRevoked(token({ jti: 'j3', issuedAt: (start + 1000) as Instant })), true)
})

test('What is over makes room before anything is escalated', () => {
  const clock = { now: start }
  const it = view(100, { now: () => clock.now, onEscalation: () => assert.fail('there was room') })
  for (let n = 0; n < 100; n += 1) it.apply(revoke(`old${n}`), 0)
  clock.now += 700_000
  it.apply(revoke('new', clock.now), 700_000)
  assert.equal(it.entries, 1)
  assert.equal(it.isRevoked(token({ jti: 'new' })), true)
})

test('applying twice and in any order gives the same verdicts', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (messages, dice) => {
      const [one, other] = [view(), view()]
      for (const each of messages) one.apply(each, 0)
      const shuffled = [...messages, ...messages]
        .map((each) => ({ each, place: dice.next().value as number }))
        .sort((a, b) => a.place - b.place)
      for (const { each } of shuffled) other.apply(each, 0)
      const probes = messages
        .map(victim)
        .flatMap((each) => [each, { ...each, issuedAt: (each.issuedAt + 1000) as Instant }])
      assert.deepEqual(
        probes.map((probe) => one.isRevoked(probe)),
        probes.map((probe) => other.isRevoked(probe)),
      )
      assert.equal(one.entries, other.entries)
    }),
  )
})

test('a view takes no room for tokens that are only issued: 10 million live ones and 1 000 revoked cost 1 000 entries', () => {
  const it = view(250_000)
  for (let n = 0; n < 1000; n += 1) it.apply(revoke(`j${n * 10_000}`), 0)
  let killed = 0
  for (let n = 0; n < 10_000_000; n += 997) if (it.isRevoked(token({ jti: `j${n}` }))) killed += 1
  assert.equal(it.entries, 1000)
  assert.equal(killed, Array.from({ length: 10_031 }, (_, n) => n * 997).filter((n) => n % 10_000 === 0).length)
})

const setBack = (event: string): CutoffMessage => ({ ...cutoff('issuer', null, 0), supersedes: event })

test('When the clock of the issuer was set back, what was said before hits no token of the seconds that come again', () => {
  const it = view()
  const [later, earlier] = [start + 3_600_000, start + 1000]
  for (const [dimension, key] of layers) it.apply(cutoff(dimension, key, later), 0)
  it.apply(cutoff('issuer', null, later), 0)
  it.apply(revoke('j', later), 0)
  const fresh = token({ issuedAt: earlier as Instant })
  assert.equal(it.isRevoked(fresh), true)
  it.apply(setBack('e1'), 0)
  assert.equal(it.isRevoked(fresh), false)
  assert.equal(it.entries, 0)
  it.apply(cutoff('subject', 'u', earlier), 0)
  assert.equal(it.isRevoked(fresh), true)
})

test('A clock set back that is heard of again makes nobody forget what came after it, nor does an earlier one', () => {
  const it = view()
  for (const event of ['e1', 'e2']) it.apply(setBack(event), 0)
  it.apply(cutoff('subject', 'u'), 0)
  for (const event of ['e2', 'e1']) it.apply(setBack(event), 0)
  assert.equal(it.isRevoked(token()), true)
})

test('a tenant is cut off only until half is free, and everything only where that is not enough', () => {
  // Six of one, five of another: cut off, the fuller one leaves six entries, which is more than half of ten.
  const two = view(10)
  for (let n = 0; n < 6; n += 1) two.apply(revoke(`a${n}`, start, 'a'), 0)
  for (let n = 0; n < 5; n += 1) two.apply(revoke(`b${n}`, start, 'b'), 0)
  assert.equal(two.entries, 2)
  assert.equal(two.isRevoked(token({ tenant: 'b', jti: 'innocent' })), true)
  assert.equal(two.isRevoked(token({ tenant: 'c', jti: 'innocent' })), false)
  // Seven and four leave five: exactly half is enough.
  const half = view(10)
  for (let n = 0; n < 4; n += 1) half.apply(revoke(`b${n}`, start, 'b'), 0)
  for (let n = 0; n < 7; n += 1) half.apply(revoke(`a${n}`, start, 'a'), 0)
  assert.equal(half.entries, 5)
  assert.equal(half.isRevoked(token({ tenant: 'a', jti: 'innocent' })), true)
  assert.equal(half.isRevoked(token({ tenant: 'b', jti: 'innocent' })), false)
  // Of eleven tenants with one entry each none can be made smaller: all are cut off.
  const many = view(10)
  for (let n = 0; n < 11; n += 1) many.apply(revoke('j', start, `t${n}`), 0)
  assert.equal(many.entries, 0)
  assert.equal(many.isRevoked(token({ tenant: 'other', jti: 'innocent' })), true)
  assert.equal(many.isRevoked(token({ tenant: 'other', issuedAt: (start + 1) as Instant })), false)
  many.sweep(start + 1_000_000, 1_000_000)
  assert.equal(many.entries, 0)
  // Five of one and two of three others: the last of these need not be cut off.
  const pairs = view(10)
  for (let n = 0; n < 5; n += 1) pairs.apply(revoke(`a${n}`, start, 'a'), 0)
  for (let n = 0; n < 6; n += 1) pairs.apply(revoke(`b${n}`, start, `b${n % 3}`), 0)
  assert.equal(pairs.entries, 5)
  assert.equal(pairs.isRevoked(token({ tenant: 'c', jti: 'innocent' })), false)
})

test('one sweep looks at two thousand entries and a hundredth of all', () => {
  const it = view(20_000)
  for (let n = 0; n < 10_100; n += 1) it.apply(revoke(`j${n}`), 0)
  it.sweep(start + 1_000_000, 1_000_000)
  assert.equal(it.entries, 10_100 - 2101)
})

test('a tenant that was cut off as a whole is one entry, and its room is free again', () => {
  const it = view(100)
  for (let n = 0; n < 60; n += 1) it.apply(revoke(`a${n}`, start, 'full'), 0)
  for (let n = 0; n < 40; n += 1) it.apply(revoke(`b${n}`, start, 'other'), 0)
  assert.equal(it.entries, 100)
  it.apply(revoke('one more', start, 'other'), 0)
  assert.equal(it.entries, 42)
  it.sweep(start + 1_000_000, 1_000_000)
  assert.equal(it.entries, 0)
})

test('of a tenant that has a cutoff of its own already, the whole of it is counted once', () => {
  const it = view(10)
  it.apply(cutoff('tenant', null, start, 'full'), 0)
  for (let n = 0; n < 8; n += 1) it.apply(revoke(`a${n}`, start, 'full'), 0)
  for (let n = 0; n < 2; n += 1) it.apply(revoke(`b${n}`, start, 'other'), 0)
  assert.equal(it.entries, 3)
  it.sweep(start + 1_000_000, 1_000_000)
  assert.equal(it.entries, 0)
})

test('where room is made, also what a sweep that is under way has passed is looked at', () => {
  const clock = { now: start }
  const it = view(100, { now: () => clock.now, onEscalation: () => assert.fail('there was room') })
  for (let n = 0; n < 100; n += 1) it.apply(revoke(`old${n}`), 0)
  it.sweep(start, 0, 60)
  clock.now += 700_000
  it.apply(revoke('new', clock.now), 700_000)
  assert.equal(it.entries, 1)
})

test('a sweep that is under way when all is forgotten takes nothing off what comes after', () => {
  const it = view()
  for (let n = 0; n < 100; n += 1) it.apply(revoke(`old${n}`), 0)
  it.sweep(start, 0, 60)
  it.apply(setBack('e1'), 0)
  it.apply(revoke('new', start + 1_000_000), 1_000_000)
  it.sweep(start + 1_000_000, 1_000_000, 1000)
  assert.equal(it.entries, 1)
})

test('each slice of a sweep is as long as the one before', () => {
  const it = view()
  for (let n = 0; n < 300; n += 1) it.apply(revoke(`j${n}`), 0)
  const left = [200, 100, 0].map((expected) => {
    it.sweep(start + 1_000_000, 1_000_000, 100)
    return [it.entries, expected]
  })
  for (const [entries, expected] of left) assert.equal(entries, expected)
})

test('a cutoff of the issuer lives as long as any other', () => {
  const it = view()
  it.apply(cutoff('issuer', null), 0)
  const end = 600_000 + leeway
  it.sweep(start + end - 1, end)
  it.sweep(start + end, end - 1)
  assert.equal(it.isRevoked(token()), true)
  it.sweep(start + end, end)
  assert.equal(it.isRevoked(token()), false)
})

test('nothing is escalated where what is over leaves a tenth of the room, and all is where it leaves less', () => {
  for (const [over, told] of [
    [11, 0],
    [10, 1],
  ] as const) {
    const clock = { now: start }
    let escalations = 0
    const it = view(100, { now: () => clock.now, onEscalation: () => (escalations += 1) })
    for (let n = 0; n < over; n += 1) it.apply(revoke(`old${n}`), 0)
    clock.now += 700_000
    for (let n = over; n < 101; n += 1) it.apply(revoke(`new${n}`, clock.now), 700_000)
    assert.equal(escalations, told)
  }
})
