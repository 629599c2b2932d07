/** Why what stays open is over: the instant at which a token ends for it, and what each source of revocations says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import type { TrustedIssuer } from '../../src/issuer/trusted-issuers.ts'
import type { Freshness, RevocationSource } from '../../src/revocation/revocation-source.ts'
import type { ListedStatus, StatusLists } from '../../src/status-list/status-lists.ts'
import type { Caller } from '../../src/validate/caller.ts'
import { type Ending, endingOf, endingRejection } from '../../src/validate/ending.ts'
import type { JudgeOptions } from '../../src/validate/judge.ts'
import { readVerifiedToken } from '../../src/validate/verified-token.ts'
import { FakeTime } from '../fake-time.ts'
import { audience, claimsAt, signingKey } from '../tokens.ts'

const issuer = 'https://as.example'
const keys = new GivenKeys({ keys: [signingKey('k1').jwk] })

interface Scene {
  readonly freshness?: Freshness | null
  readonly age?: number
  readonly isRevoked?: boolean
  readonly hasNews?: boolean
  /** What a list says, now or later; null where none is looked at. */
  readonly list?: ListedStatus | Promise<ListedStatus> | null
  readonly claims?: JsonObject
  /** The issuer was asked about it. */
  readonly asked?: 'access_token' | 'api_key'
  readonly judge?: Partial<JudgeOptions>
}

const listed = { status: { status_list: { idx: 1, uri: `${issuer}/list` } } }

function scene({ freshness = 'live', list = null, claims = listed, asked, judge, ...it }: Scene) {
  const time = new FakeTime()
  const revocation: RevocationSource | null =
    freshness === null
      ? null
      : {
          isRevoked: () => it.isRevoked === true,
          hasNewsOf: () => it.hasNews === true,
          freshness: () => freshness,
          age: () => it.age ?? 0,
        }
  const trusted: TrustedIssuer = {
    issuer,
    keys,
    revocation,
    statusLists: list === null ? null : ({ statusOf: () => list } as unknown as StatusLists),
    introspector: null,
    apiKeys: true,
    foreign: null,
    types: new Set(['at+jwt']),
    tenantOf: () => null,
    seen: { listed: false, asked: false },
    isAway: () => false,
  }
  const key = keys.find('k1', 'ES256') ?? assert.fail()
  const read = readVerifiedToken(
    { ...claimsAt(time.wall, issuer), ...claims, ...(asked === 'api_key' ? { token_type: 'api_key' } : {}) },
    {
      issuer: trusted,
      key: asked === undefined ? { ...key, present: true } : null,
      audience: new Set([audience]),
      ...(asked === undefined ? {} : { asked: { at: time.monotonic(), on: time.now(), as: asked } }),
    },
  )
  assert.ok(read.kind === 'ok')
  const options: JudgeOptions = {
    time,
    leeway: 60_000,
    onStale: 'refuse',
    serveStaleFor: 600_000,
    onStaleDecision() {},
    ...judge,
  }
  const { caller, key: held } = read.value
  return { time, caller, key: held, end: (openedAt = time.now() as number) => endingOf(caller, openedAt, options) }
}

test('what was opened with a living token ends with it, and what was opened within the leeway ends with the leeway', () => {
  const { time, caller, end } = scene({})
  const opened = caller.expiresAt - 1
  time.wall = caller.expiresAt - 1
  assert.equal(end(opened), null)
  time.wall = caller.expiresAt
  assert.deepEqual([end(opened), end(caller.expiresAt)], ['expired', null])
  time.wall = caller.expiresAt + 59_999
  assert.deepEqual([end(opened), end(caller.expiresAt)], ['expired', null])
  time.wall = caller.expiresAt + 60_000
  assert.equal(end(caller.expiresAt), 'expired')
})

const stale = { freshness: 'stale' } as const
const table: readonly (readonly [what: string, Scene, Ending | null])[] = [
  ['a view that is live', {}, null],
  ['a view that lags', { freshness: 'lagging' }, null],
  ['a view that is stale', stale, 'stale'],
  ['a view that is cold', { freshness: 'cold' }, 'stale'],
  ['a view that knows of its end', { isRevoked: true }, 'revoked'],
  ['a stale view that knows of its end', { ...stale, isRevoked: true, list: 'valid' }, 'revoked'],
  ['a stale view under `introspect`', { ...stale, judge: { onStale: 'introspect' } }, 'stale'],
  ['a stale view that is served', { ...stale, age: 600_000, judge: { onStale: 'serve' } }, null],
  ['a stale view that was served long enough', { ...stale, age: 600_001, judge: { onStale: 'serve' } }, 'stale'],
  ['a cold view under `serve`', { freshness: 'cold', age: 0, judge: { onStale: 'serve' } }, 'stale'],
  ['a stale view and a list that knows it', { ...stale, list: 'valid' }, null],
  ['a stale view and a list that has its end', { ...stale, list: 'invalid' }, 'revoked'],
  ['a stale view and a list that cannot be had', { ...stale, list: 'unknown' }, 'stale'],
  ['a stale view and a list that it does not name', { ...stale, list: 'valid', claims: {} }, 'stale'],
  ['a live view, whatever a list says', { list: 'invalid' }, null],
  ['nobody who tells of revocations', { freshness: null }, null],
  ['a list alone that knows it', { freshness: null, list: 'valid' }, null],
  ['a list alone that has its end', { freshness: null, list: 'invalid' }, 'revoked'],
  ['a list alone that cannot be had', { freshness: null, list: 'unknown' }, 'stale'],
  ['a list alone that it does not name', { freshness: null, list: 'valid', claims: {} }, 'stale'],
  ['a list alone, of a token that was asked about', { freshness: null, list: 'unknown', asked: 'access_token' }, null],
  ['a key that the feed has news of', { hasNews: true, asked: 'api_key' }, 'revoked'],
  ['a key that it has none of', { asked: 'api_key' }, null],
  ['a token that the feed has news of', { hasNews: true }, null],
]
for (const [what, it, ending] of table)
  test(`with ${what}: ${ending ?? 'it goes on'}`, () => assert.equal(scene(it).end(), ending))

test('a list that has to be fetched is waited for', async () => {
  for (const [said, ending] of [
    ['valid', null],
    ['invalid', 'revoked'],
    ['unknown', 'stale'],
  ] as const) {
    const late = scene({ ...stale, list: Promise.resolve<ListedStatus>(said) }).end()
    assert.ok(late instanceof Promise)
    assert.equal(await late, ending)
  }
})

test('with its key goes what it signed; of whom no validator let in nothing is known', () => {
  const { end, key, caller } = scene({})
  assert.equal(end(), null)
  assert.ok(key !== null)
  key.present = false
  assert.equal(end(), 'revoked')
  const judge = { time: new FakeTime(), leeway: 0, onStale: 'refuse', serveStaleFor: 0, onStaleDecision() {} } as const
  assert.equal(endingOf({ ...caller, expiresAt: 0 as Instant }, 0, judge), null)
})

test('who is cut off is told why, as whoever comes back with the same token', () => {
  const caller = { expiresAt: Date.parse('2026-11-15T10:00:00Z') } as Caller
  const told = (['expired', 'revoked', 'stale'] as const).map((ending) => endingRejection(ending, caller))
  assert.deepEqual(told, [
    { code: 'token_expired', status: 401, expiredAt: caller.expiresAt },
    { code: 'token_revoked', status: 401 },
    { code: 'revocation_state_stale', status: 503, retryAfter: 5 },
  ])
})
