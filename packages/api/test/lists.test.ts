/** Lists: pages, links, cursors. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ok } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { createValidator } from '@grantor/resource'
import { createTestIssuer } from '@grantor/resource/testing'
import fc from 'fast-check'
import { type TProperties, Type } from 'typebox'
import { collection } from '../src/collection/collection.ts'
import { createCursors } from '../src/list/cursor.ts'
import { pageSql } from '../src/list/page-sql.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { testClient } from '../src/testing/test-client.ts'
import { all, apiOf, audience, issuer, sample, start } from './sample.ts'

onEveryAdapter('a list goes on by its links, by its body, and ends without a next one', async (adapter) => {
  for (let i = 0; i < 7; i++) adapter.sample.put(`p${i}`, { weight: 1 + (i % 2) })
  const first = await adapter.send('/v1/parcels?limit=3')
  const {
    items,
    next,
    next_cursor: cursor,
    self,
  } = first.json as { items: { id: string }[]; next: string; next_cursor: string; self: string }
  assert.deepEqual(
    items.map(({ id }) => id),
    ['p0', 'p2', 'p4'],
  )
  assert.equal(self, '/v1/parcels?limit=3')
  assert.equal(next, `/v1/parcels?limit=3&cursor=${cursor}`)
  assert.equal(first.headers['link'], `<${next}>; rel="next", </v1/parcels?limit=3>; rel="first"`)
  const second = await adapter.send(next)
  assert.deepEqual(
    (second.json['items'] as { id: string }[]).map(({ id }) => id),
    ['p6', 'p1', 'p3'],
  )
  const third = await adapter.send(String(second.json['next']))
  assert.deepEqual(
    (third.json['items'] as { id: string }[]).map(({ id }) => id),
    ['p5'],
  )
  assert.equal(third.json['next_cursor'], null)
  assert.equal(third.json['next'], undefined)
  assert.equal(third.headers['link'], '</v1/parcels?limit=3>; rel="first"')
})

test('a search that has looked at a part only has a next page, also where it found nothing', async () => {
  const { client, put } = sample({
    plan: {
      list: {},
      handlers: {
        list: ({ after }) => {
          const at = after === null ? 0 : Number(String(after[0]).slice(1))
          return at < 3 ? { items: at === 1 ? [put('found')] : [], resumesAfter: [`p${at + 1}`] } : [put('last')]
        },
      },
    },
  })
  const pages: string[][] = []
  for (let url: unknown = '/v1/parcels'; typeof url === 'string';) {
    const answer = await client({ url, as: { scope: all } })
    const body = answer.json() as { items: { id: string }[]; next?: string }
    pages.push(body.items.map(({ id }) => id))
    url = body.next
  }
  assert.deepEqual(pages, [[], ['found'], [], ['last']])
})

onEveryAdapter('a limit over the most is lowered, and may change from page to page', async (adapter) => {
  for (let i = 0; i < 205; i++) adapter.sample.put(`p${i}`)
  const got = await adapter.send('/v1/parcels?limit=1000')
  assert.equal((got.json['items'] as unknown[]).length, 200)
  const rest = await adapter.send(`/v1/parcels?limit=2&cursor=${String(got.json['next_cursor'])}`)
  assert.equal((rest.json['items'] as unknown[]).length, 2)
  assert.equal(((await adapter.send('/v1/parcels')).json['items'] as unknown[]).length, 50)
})

onEveryAdapter('a cursor works for its own filter, order and tenant only, and not for ever', async (adapter) => {
  for (const tenant of ['default', 'acme']) for (let i = 0; i < 4; i++) adapter.sample.put(`p${i}`, {}, tenant)
  const cursor = String((await adapter.send('/v1/parcels?limit=2&state=packed')).json['next_cursor'])
  const code = async (url: string, tenant: string | null = null): Promise<unknown> => {
    const got = await adapter.send(url, { as: { scope: all, tenant } })
    return got.status === 200 ? 200 : got.json['code']
  }
  assert.equal(await code(`/v1/parcels?state=packed&cursor=${cursor}`), 200)
  assert.equal(await code(`/v1/parcels?cursor=${cursor}`), 'cursor_mismatch')
  assert.equal(await code(`/v1/parcels?state=packed&sort=-weight&cursor=${cursor}`), 'cursor_mismatch')
  assert.equal(await code(`/v1/parcels?state=packed&cursor=${cursor}`, 'acme'), 'cursor_mismatch')
  assert.equal(await code(`/v1/parcels?state=packed&cursor=${cursor}A`), 'invalid_cursor')
  assert.equal(await code('/v1/parcels?cursor='), 'invalid_cursor')
  adapter.sample.clock.now = (adapter.sample.clock.now + 3 * 86_400_000) as Instant
  assert.equal(await code(`/v1/parcels?state=packed&cursor=${cursor}`), 'cursor_expired')
})

test('a cursor never authorises: it needs the token and the scope of its list', async () => {
  const { client, put } = sample()
  for (let i = 0; i < 3; i++) put(`p${i}`)
  const page = await client({ url: '/v1/parcels?limit=1', as: { scope: 'parcels:read' } })
  const { next: url } = page.json() as { next: string }
  assert.equal((await client({ url })).status, 401)
  assert.equal((await client({ url, as: { scope: 'parcels:write' } })).status, 401)
})

/** Two of them, whatever the page. */
const pairOf = (properties: TProperties, value: { id: string; label?: string }) =>
  collection({
    name: 'pairs',
    description: 'Two of a kind',
    schema: Type.Object(properties),
    example: value,
    scopes: { read: 'pairs:read' },
    list: { sort: ['label'], order: 'label' },
    handlers: {
      list: ({ take }) => Array.from({ length: Math.min(2, take) }, () => ({ tenant: 'default', version: 1, value })),
    },
  })
const longLabel = Type.String({ maxLength: 256 })

test('the longest sort keys and the longest id have room in a cursor: a page that names a next one has it', async () => {
  const id = Type.String({ readOnly: true, maxLength: 2048 })
  for (const [letter, name] of [
    ['€', `https://api.example/${'x'.repeat(2028)}`],
    ['\u0001', '"'.repeat(2048)],
    ['😀', 'ü'.repeat(1300)],
  ] as const) {
    const pairs = pairOf({ id, label: longLabel }, { id: name, label: letter.repeat(256) })
    const client = testClient(apiOf([pairs]))
    const as = { scope: 'pairs:read' }
    const page = await client({ url: '/v1/pairs?limit=1', as })
    const next = await client({ url: page.json()['next'] as string, as })
    assert.equal(next.status, 200, next.body ?? '')
  }
})

test('what has no room in a cursor, or may be absent, is not sorted by', () => {
  const id = Type.String({ readOnly: true, maxLength: 64 })
  const value = { id: 'a', label: 'b' }
  const longer = Type.String({ maxLength: 257 })
  assert.throws(() => pairOf({ id, label: longer }, value), /256 characters/)
  assert.throws(() => pairOf({ id, label: Type.String() }, value), /maxLength/)
  const longId = Type.String({ readOnly: true, maxLength: 2049 })
  assert.throws(() => pairOf({ id: longId, label: longLabel }, value), /2048 characters/)
  assert.throws(() => pairOf({ id, label: Type.Optional(longLabel) }, value), /always there/)
})

const binding = { tenant: 'acme', collection: 'parcels', list: 'x' }
const now = Date.UTC(2026, 10, 15) as Instant

test('a sealed cursor opens to what was sealed', () => {
  const cursors = createCursors(randomBytes(32))
  const scalar = fc.oneof(fc.string({ maxLength: 50 }), fc.integer(), fc.boolean())
  fc.assert(
    fc.property(fc.array(scalar, { minLength: 1, maxLength: 4 }), (after) => {
      assert.deepEqual(cursors.open(cursors.seal(after, binding, now), binding, now), ok(after))
    }),
  )
})

test('no change of a cursor, and nothing made up, opens', () => {
  const cursors = createCursors(randomBytes(32))
  const sealed = cursors.seal(['2026-11-15', 'p1'], binding, now)
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'ABCDwxyz0189-_'.split('')), (at, letter) => {
      const forged = sealed.slice(0, at) + letter + sealed.slice(at + 1)
      if (forged !== sealed) assert.ok(cursors.open(forged, binding, now).kind === 'error')
    }),
  )
  fc.assert(
    fc.property(fc.base64String({ maxLength: 200 }), (text) =>
      assert.ok(cursors.open(text, binding, now).kind === 'error'),
    ),
  )
  assert.ok(cursors.open(sealed.slice(0, -1), binding, now).kind === 'error')
  assert.ok(cursors.open('A'.repeat(100_000), binding, now).kind === 'error')
  assert.ok(createCursors(randomBytes(32)).open(sealed, binding, now).kind === 'error')
})

test('nodes that share a secret share cursors, and a short secret does not start', () => {
  const secret = randomBytes(32)
  const sealed = createCursors(secret).seal([1], binding, now)
  assert.deepEqual(createCursors(secret).open(sealed, binding, now), ok([1]))
  assert.throws(() => createCursors(randomBytes(31)), RangeError)
})

test('a part of a text, and its beginning, are found as they are written; every text has the empty one', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(
    "CREATE TABLE t (id TEXT, label TEXT); INSERT INTO t VALUES ('1', 'Ab%'), ('2', 'ab'), ('3', ''), ('4', NULL)",
  )
  const found = (op: 'contains' | 'prefix', text: string): unknown => {
    const filter = [{ field: 'label', op, values: [text] }]
    const query = { filter, sort: [{ field: 'id', descending: false }], after: null, take: 10 }
    const { where, order, values } = pageSql(query, { id: 'id', label: 'label' })
    const rows = database.prepare(`SELECT id FROM t WHERE ${where} ORDER BY ${order}`).all(...(values as string[]))
    return rows.map(({ id }) => id).join('')
  }
  assert.deepEqual(
    (['b', 'a', '%', ''] as const).map((text) => [found('contains', text), found('prefix', text)]),
    [
      ['12', ''],
      ['2', '2'],
      ['1', ''],
      ['123', '123'],
    ],
  )
  database.close()
})

test('RFC 8288 §3: what no address holds is encoded in the links of a list, and in that to the next version', async () => {
  const { api, put } = sample({ version: { deprecatedAt: start, successor: 'v2' } })
  for (const id of ['a', 'b']) put(id, { label: '<x>' })
  const dev = createTestIssuer({ audience, issuer })
  const headers = [['authorization', `Bearer ${dev.mint({ scope: all })}`]] as const
  const target = '/v1/parcels?label[prefix]=<x>"&limit=1'
  const validator = createValidator({ audience, issuers: [dev.trust] })
  const body = async () => ok(new Uint8Array())
  const served = api.with(validator)
  const list = await served.handle({ method: 'GET', target, headers, ip: null, body })
  const encoded = '/v1/parcels?label[prefix]=%3Cx%3E%22&limit=1'
  assert.equal(list.headers['link']?.includes(`<${encoded}>; rel="first"`), true, list.headers['link'] ?? 'no link')
  assert.equal((JSON.parse(list.body ?? '') as { readonly self?: unknown }).self, encoded)
  const one = await served.handle({ method: 'GET', target: '/v1/parcels/a>b', headers, ip: null, body })
  assert.equal(one.headers['link'], '</v2/parcels/a%3Eb>; rel="successor-version"')
})
