/** The revocation feed on the wire: a frame that lacks a member, or has another kind of it, is not read as one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  encodeFeedFrame,
  encodeFeedPage,
  encodeFeedSnapshot,
  type FeedFrame,
  type FeedMessage,
  parseFeedCursor,
  parseFeedFrame,
  parseFeedPage,
  parseFeedSnapshot,
} from '../../src/feed.ts'
import type { JsonObject } from '../../src/types.ts'
import { at, tenant } from '../samples.ts'

const place = { epoch: 'e1', pos: 9, after: 7 }
const times = { at: at(1_500), until: at(60_000) }
const messages: readonly FeedMessage[] = [
  { kind: 'revoke', tenant, jti: 'j', ...times },
  { kind: 'revoke', tenant: null, jti: 'j', ...times },
  { kind: 'cutoff', tenant, dimension: 'grant', key: 'g', issuedUpTo: at(2_000), ...times },
  { kind: 'cutoff', tenant, dimension: 'client', key: 'c', issuedUpTo: at(2_000), ...times, supersedes: 'd' },
  { kind: 'cutoff', tenant, dimension: 'tenant', key: null, issuedUpTo: at(2_000), ...times },
  { kind: 'key', tenant, kid: 'k', action: 'dropped', at: at(1_500) },
]
const frames: readonly FeedFrame[] = [
  { kind: 'hello', epoch: 'e1', head: 9, asOf: at(1), heartbeat: 5, retention: 60 },
  { kind: 'reset', reason: 'epoch' },
  { kind: 'reset', reason: 'retention' },
  { kind: 'hb', ...place, asOf: at(1) },
  { kind: 'hb', ...place, after: 9, asOf: at(1) },
  ...messages.map((message) => ({ kind: 'event' as const, ...place, message })),
]
/** Members that may be left out, or may be any text. */
const optional = new Set(['tn', 's'])

test('what is written is read again as it was', () => {
  for (const frame of frames) assert.deepEqual(parseFeedFrame(encodeFeedFrame(frame)), frame)
  assert.deepEqual(parseFeedPage(encodeFeedPage({ frames })), { frames })
})

for (const frame of frames) {
  const wire = encodeFeedFrame(frame)
  for (const name of Object.keys(wire.data))
    test(`a frame ${wire.event} whose ${name} is missing or of another kind is not read: ${JSON.stringify(wire.data)}`, () => {
      const without = Object.fromEntries(Object.entries(wire.data).filter(([it]) => it !== name))
      assert.equal(parseFeedFrame({ ...wire, data: without }) === null, !optional.has(name), 'missing')
      const wrong = name === 's' ? [] : [null, true, '', -1, 1.5, 'x'.repeat(2049), 9e15]
      for (const value of wrong) {
        const read = parseFeedFrame({ ...wire, data: { ...wire.data, [name]: value } })
        if (typeof wire.data[name] !== typeof value || value === '' || value === -1 || value === 1.5)
          assert.equal(read, null, `${name} ${JSON.stringify(value)}`)
      }
    })
}

test('a frame that moves the cursor says where, and not before where it began', () => {
  const wire = encodeFeedFrame({ kind: 'hb', ...place, asOf: at(1) })
  for (const id of [null, '', 'e1', 'e1.x', 'e1.6']) assert.equal(parseFeedFrame({ ...wire, id }), null, String(id))
  assert.equal(parseFeedFrame({ ...wire, event: 'other' }), null)
  for (const data of [null, [], 'x', 7]) assert.equal(parseFeedFrame({ ...wire, data }), null)
})

test('names of 2048 characters are read, and times up to where there are none any more', () => {
  const revoke = (jti: string, until = 60_000) =>
    parseFeedFrame(
      encodeFeedFrame({
        kind: 'event',
        ...place,
        message: { kind: 'revoke', tenant, jti, at: at(0), until: at(until) },
      }),
    )
  assert.notEqual(revoke('x'.repeat(2048)), null)
  assert.equal(revoke('x'.repeat(2049)), null)
  assert.notEqual(revoke('j', 8_640_000_000_000_000), null)
  assert.equal(revoke('j', 8_640_000_000_001_000), null)
})

test('a cut-off of a tenant has no key, and any other has one', () => {
  const wire = encodeFeedFrame({ kind: 'event', ...place, message: messages[4] as FeedMessage })
  assert.equal(parseFeedFrame({ ...wire, data: { ...wire.data, k: 'x' } }), null)
  assert.equal(parseFeedFrame({ ...wire, data: { ...wire.data, k: 7 } }), null)
  assert.equal(parseFeedFrame({ ...wire, data: { ...wire.data, d: 'sub' } }), null)
  assert.equal(parseFeedFrame({ ...wire, data: { ...wire.data, d: 'nothing' } }), null)
})

test('a page with one frame that is not read is not read', () => {
  const page = encodeFeedPage({ frames: frames.slice(0, 2) })
  const list = page['frames'] as readonly JsonObject[]
  const [first] = list
  for (const broken of [{ ...first, event: '' }, { ...first, event: 7 }, { ...first, data: [] }, 7, null])
    assert.equal(parseFeedPage({ ...page, frames: [...list, broken] }), null, JSON.stringify(broken))
  for (const body of [null, {}, { ...page, v: 2 }, { ...page, frames: {} }]) assert.equal(parseFeedPage(body), null)
  const beat = encodeFeedFrame({ kind: 'hb', ...place, asOf: at(1) })
  for (const id of [undefined, 7, ''])
    assert.equal(parseFeedPage({ v: 1, frames: [{ ...beat, id }] }), null, String(id))
})

test('a snapshot is read whole, or not at all', () => {
  const all = messages.filter((it) => it.kind !== 'key')
  const snapshot = {
    issuer: 'https://as.example',
    issuedAt: at(3_999),
    epoch: 'e1',
    pos: 9,
    asOf: at(1),
    messages: all,
  }
  const claims = encodeFeedSnapshot(snapshot)
  assert.deepEqual(parseFeedSnapshot(claims), { ...snapshot, issuedAt: 3_000 })
  for (const name of Object.keys(claims))
    for (const value of [undefined, null, 'x'.repeat(2049), -1])
      assert.equal(parseFeedSnapshot({ ...claims, [name]: value }), null, `${name} ${String(value).slice(0, 9)}`)
  for (const broken of [null, {}, 7]) {
    assert.equal(parseFeedSnapshot({ ...claims, revoked: [broken] }), null)
    assert.equal(parseFeedSnapshot({ ...claims, cutoffs: [broken] }), null)
  }
  assert.equal(parseFeedSnapshot({ ...claims, epoch: 'not an epoch' }), null)
})

test('a cursor is an epoch and a place, in one spelling', () => {
  assert.deepEqual(parseFeedCursor('aZ_-9.0'), { epoch: 'aZ_-9', pos: 0 })
  assert.deepEqual(parseFeedCursor(`e.${Number.MAX_SAFE_INTEGER}`), { epoch: 'e', pos: Number.MAX_SAFE_INTEGER })
  for (const text of [
    '',
    '.1',
    'e.',
    'e.01',
    'e.-1',
    'e.1.2',
    'é.1',
    `${'e'.repeat(65)}.1`,
    `e.${Number.MAX_SAFE_INTEGER + 1}`,
  ])
    assert.equal(parseFeedCursor(text), null, text)
})
