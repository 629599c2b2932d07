/** The words of the revocation feed: which event says what, and that the wire says the same back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type EventName, feedEvents, type SealedEvent } from '../../src/events/event.ts'
import {
  cutoffDimensions,
  type FeedFrame,
  feedMessage,
  type FeedMessage,
  type FeedSnapshot,
  feedPaths,
  feedScope,
  feedVersion,
  snapshotType,
} from '../../src/feed/feed.ts'
import {
  encodeFeedFrame,
  encodeFeedPage,
  encodeFeedSnapshot,
  parseFeedCursor,
  parseFeedFrame,
  parseFeedPage,
  parseFeedSnapshot,
  feedFrameText,
} from '../../src/feed/wire.ts'
import type { EventId, GrantId, Instant, JsonObject, TenantId, TokenId } from '../../src/types.ts'

const at = 1_794_700_800_456 as Instant
const second = 1_794_700_800_000 as Instant
const rule = { longestTokenLife: 600 }

const sealed = (name: EventName, more: Partial<SealedEvent> = {}): SealedEvent => ({
  id: 'e' as EventId,
  tenant: 'default' as TenantId,
  at,
  name,
  actor: { kind: 'system', id: null },
  subject: 'alice',
  clientId: 'web',
  grantId: 'g' as GrantId,
  jti: null,
  scope: null,
  reason: null,
  ip: null,
  traceId: null,
  data: null,
  seq: 1,
  pos: 1,
  ...more,
})

const cutoff = (dimension: string, key: string | null) => {
  return { kind: 'cutoff', tenant: null, dimension, key, at, issuedUpTo: second, until: at + 600_000 }
}
/** Of what gives its name to nothing any more. */
const forGood = (dimension: string, key: string | null) => ({
  ...cutoff(dimension, key),
  issuedUpTo: second + 600_000,
})
const key = (action: string) => ({ kind: 'key', tenant: null, kid: 'k', action, at })
const jti = 'j' as TokenId
const said: readonly (readonly [string, SealedEvent, object | null])[] = [
  [
    'an API key is revoked',
    sealed('api_key.revoked', { grantId: null, jti, data: { until: at + 300_000 } }),
    { kind: 'revoke', tenant: null, jti: 'j', at, until: at + 300_000 },
  ],
  [
    'one token is revoked',
    sealed('token.revoked', { jti, data: { until: 5 } }),
    { kind: 'revoke', tenant: null, jti, at, until: 5 },
  ],
  ['a refresh token is revoked', sealed('token.revoked'), cutoff('grant', 'g')],
  ['a code is replayed', sealed('token.replayed'), forGood('grant', 'g')],
  ['a grant is revoked', sealed('grant.revoked'), forGood('grant', 'g')],
  ['consent is withdrawn', sealed('consent.withdrawn'), forGood('grant', 'g')],
  ['a session ends', sealed('session.ended', { data: { sid: 's' } }), forGood('session', 's')],
  [
    'a session ends that a sector knows by a sid of its own',
    sealed('token.revoked', { grantId: null, data: { sid: 'x' } }),
    forGood('session', 'x'),
  ],
  ['a session ends that no token names', sealed('session.ended'), null],
  ['a client is deleted', sealed('client.deleted'), cutoff('client', 'web')],
  ['a client is renamed', sealed('client.updated'), null],
  ['a client is disabled', sealed('client.updated', { data: { cutoff: true } }), cutoff('client', 'web')],
  ['a user changes their name', sealed('admin.user_changed'), null],
  ['a user is disabled', sealed('admin.user_changed', { data: { cutoff: true } }), cutoff('subject', 'alice')],
  ['a tenant is renamed', sealed('admin.tenant_changed'), null],
  ['a tenant is disabled', sealed('admin.tenant_changed', { data: { cutoff: true } }), cutoff('tenant', null)],
  ['a backup is restored', sealed('admin.restored'), cutoff('issuer', null)],
  [
    'the clock is set back',
    sealed('clock.set_back'),
    { ...cutoff('issuer', null), issuedUpTo: 0 as Instant, supersedes: sealed('clock.set_back').id },
  ],
  ['a key is published', sealed('key.published', { data: { kid: 'k' } }), key('published')],
  ['a key is activated', sealed('key.activated', { data: { kid: 'k' } }), key('activated')],
  ['a key is dropped', sealed('key.dropped', { data: { kid: 'k' } }), key('dropped')],
  ['a token is issued', sealed('token.issued', { jti }), null],
]
for (const [what, event, message] of said) {
  test(`When ${what}, the feed says ${message === null ? 'nothing' : JSON.stringify(message)}`, () => {
    assert.deepEqual(feedMessage(event, rule), message)
  })
}

test('Every event of the feed is in this table, and what is not of the feed says nothing', () => {
  const covered = new Set(said.map(([, event]) => event.name))
  assert.deepEqual(
    [...feedEvents].filter((name) => !covered.has(name)),
    [],
  )
  for (const [, event, message] of said) if (message !== null) assert.ok(feedEvents.has(event.name), event.name)
})

test('The default tenant has no name on the feed; the others have theirs', () => {
  assert.equal(feedMessage(sealed('grant.revoked', { tenant: 'acme' as TenantId }), rule)?.tenant, 'acme')
})

/** Plain objects, as parsing makes them. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true })
const whole = fc.nat(4_000_000_000).map((seconds) => (seconds * 1000) as Instant)
const time = fc.nat({ max: 4_000_000_000_000 }).map((ms) => ms as Instant)
const name = fc.string({ minLength: 1, maxLength: 40 })
const tenant = fc.option(name)
const pos = fc.nat()
const killing = fc.oneof(
  record({ kind: fc.constant('revoke' as const), tenant, jti: name, at: time, until: whole }),
  record({
    kind: fc.constant('cutoff' as const),
    tenant,
    dimension: fc.constantFrom(...cutoffDimensions),
    key: name,
    at: time,
    issuedUpTo: whole,
    until: whole,
  }).map((message) =>
    message.dimension === 'tenant' || message.dimension === 'issuer' ? { ...message, key: null } : message,
  ),
)
const message: fc.Arbitrary<FeedMessage> = fc.oneof(
  killing,
  record({
    kind: fc.constant('key' as const),
    tenant,
    kid: name,
    action: fc.constantFrom('published', 'activated', 'dropped'),
    at: time,
  }),
)
const epoch = fc.stringMatching(/^[0-9a-z]{1,8}$/)
const frame: fc.Arbitrary<FeedFrame> = fc.oneof(
  record({ kind: fc.constant('hello' as const), epoch, head: pos, asOf: time, heartbeat: pos, retention: pos }),
  record({ kind: fc.constant('event' as const), epoch, pos, after: fc.constant(0), message }),
  record({ kind: fc.constant('hb' as const), epoch, pos, after: fc.constant(0), asOf: time }),
  record({ kind: fc.constant('reset' as const), reason: fc.constantFrom('epoch', 'retention') }),
)

const overTheWire = (value: JsonObject): unknown => JSON.parse(JSON.stringify(value))

test('A frame, a page and a snapshot come back as they went', () => {
  fc.assert(
    fc.property(fc.array(frame), fc.array(killing), epoch, time, (frames, messages, epoch, asOf) => {
      for (const one of frames) {
        const { event, id, data } = encodeFeedFrame(one)
        assert.deepEqual(parseFeedFrame({ event, id, data: overTheWire(data) }), one)
      }
      assert.deepEqual(parseFeedPage(overTheWire(encodeFeedPage({ frames }))), { frames })
      const sorted = [
        ...messages.filter(({ kind }) => kind === 'revoke'),
        ...messages.filter(({ kind }) => kind === 'cutoff'),
      ]
      const snapshot: FeedSnapshot = {
        issuer: 'https://as.example',
        issuedAt: second,
        epoch,
        pos: 7,
        asOf,
        messages: sorted,
      }
      assert.deepEqual(parseFeedSnapshot(overTheWire(encodeFeedSnapshot(snapshot))), snapshot)
    }),
  )
})

test('Whatever arrives, parsing gives a value or null and never throws', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('hello', 'revoke', 'cutoff', 'key', 'hb', 'reset', 'x'),
      fc.string(),
      (data, event, id) => {
        for (const value of [
          parseFeedFrame({ event, id, data }),
          parseFeedPage(data),
          parseFeedSnapshot(data),
          parseFeedCursor(id),
        ]) {
          assert.ok(value === null || typeof value === 'object')
        }
      },
    ),
  )
})

const good = { ts: 1, p: 0, jti: 'j', x: 1 }
const unreadable: readonly (readonly [string, string, JsonObject])[] = [
  ['a revocation without jti', 'revoke', { ...good, jti: '' }],
  ['a revocation without end', 'revoke', { ts: 1, p: 0, jti: 'j' }],
  ['a fraction of a second', 'revoke', { ...good, x: 1.5 }],
  ['a tenant that is no name', 'revoke', { ...good, tn: 7 }],
  ['a name without bounds', 'revoke', { ...good, jti: 'j'.repeat(3000) }],
  ['a cutoff of an unknown dimension', 'cutoff', { ts: 1, p: 0, d: 'galaxy', k: 'x', t: 1, x: 1 }],
  ['a cutoff of a prototype key', 'cutoff', { ts: 1, p: 0, d: 'constructor', k: 'x', t: 1, x: 1 }],
  ['a cutoff of nobody', 'cutoff', { ts: 1, p: 0, d: 'sub', t: 1, x: 1 }],
  ['a cutoff of a tenant with a key', 'cutoff', { ts: 1, p: 0, d: 'tenant', k: 'x', t: 1, x: 1 }],
  ['an unknown action', 'key', { ts: 1, p: 0, kid: 'k', a: 'melted' }],
  ['a frame that begins after its end', 'revoke', { ...good, p: 6 }],
  ['a heartbeat that contradicts its id', 'hb', { p: 0, head: 4, as_of: 1 }],
]
for (const [what, event, data] of unreadable) {
  test(`${what} cannot be read`, () => assert.equal(parseFeedFrame({ event, id: 'e.5', data }), null))
}

test('Cursors: one form only', () => {
  assert.deepEqual(parseFeedCursor('7f3a.104234'), { epoch: '7f3a', pos: 104_234 })
  for (const bad of [
    '',
    '7f3a',
    '7f3a.',
    '.1',
    '7f3a.01',
    '7f3a.-1',
    '7f3a.1e3',
    '7f3a.1.2',
    'a b.1',
    `e.${'9'.repeat(17)}`,
  ]) {
    assert.equal(parseFeedCursor(bad), null, bad)
  }
})

test('A frame is written as these words, which every reader knows', () => {
  const at = 1_500 as Instant
  const of = (frame: FeedFrame) => feedFrameText(encodeFeedFrame(frame))
  const message = (more: object) =>
    of({ kind: 'event', epoch: 'e', pos: 5, after: 4, message: { tenant: null, at, ...more } as FeedMessage })
  const event = (name: string, data: string) => `id: e.5\nevent: ${name}\ndata: {"p":4,"ts":1500,${data}}\n\n`
  const cutoff = { kind: 'cutoff', key: 'k', issuedUpTo: 3_999, until: 4_001 }
  for (const [dimension, word] of [
    ['grant', 'grant'],
    ['session', 'sid'],
    ['subject', 'sub'],
    ['client', 'client'],
  ])
    assert.equal(message({ ...cutoff, dimension }), event('cutoff', `"d":"${word}","k":"k","t":3,"x":5`))
  for (const [dimension, word] of [
    ['tenant', 'tenant'],
    ['issuer', 'iss'],
  ])
    assert.equal(message({ ...cutoff, dimension, key: null }), event('cutoff', `"d":"${word}","t":3,"x":5`))
  assert.equal(message({ kind: 'revoke', jti: 'j', until: 4_000 }), event('revoke', '"jti":"j","x":4'))
  assert.equal(
    message({ kind: 'revoke', jti: 'j', until: 4_000, tenant: 'acme' }),
    event('revoke', '"tn":"acme","jti":"j","x":4'),
  )
  assert.equal(message({ kind: 'key', kid: 'k', action: 'dropped' }), event('key', '"kid":"k","a":"dropped"'))
  assert.equal(of({ kind: 'reset', reason: 'epoch' }), 'event: reset\ndata: {"reason":"epoch"}\n\n')
  assert.equal(
    of({ kind: 'hb', epoch: 'e', pos: 5, after: 4, asOf: at }),
    'id: e.5\nevent: hb\ndata: {"p":4,"head":5,"as_of":1500}\n\n',
  )
})

test('A page of another version, or without frames, is none', () => {
  const page = encodeFeedPage({ frames: [] })
  assert.deepEqual(parseFeedPage(page), { frames: [] })
  for (const more of [{ v: 2 }, { v: undefined }, { frames: {} }, { frames: undefined }])
    assert.equal(parseFeedPage({ ...page, ...more }), null)
  assert.equal(parseFeedPage(null), null)
})

test('The words of the feed', () => {
  assert.deepEqual(cutoffDimensions, ['grant', 'session', 'subject', 'client', 'tenant', 'issuer'])
  assert.deepEqual(feedPaths, {
    stream: '/revocations/stream',
    changes: '/revocations/changes',
    snapshot: '/revocations/snapshot',
  })
  assert.deepEqual([feedScope, feedVersion, snapshotType], ['revocations:read', 1, 'revsnap+jwt'])
})
