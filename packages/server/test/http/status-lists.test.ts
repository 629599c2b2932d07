/** GET /status-lists and /status-lists/{id}: for anybody, kept by any cache. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import { testbed } from './testbed.ts'

function serving() {
  const asked: string[] = []
  const statusLists: Authority['statusLists'] = {
    aggregation: async (tenant) =>
      tenant === 'gone' ? err({ reason: 'tenant_unknown' }) : ok({ status_lists: [`of ${tenant}`] }),
    list: async (tenant, id) => {
      asked.push(`${tenant} ${id}`)
      if (id === 'away') return err({ reason: 'unavailable', retryAfter: 2 })
      return id === 'one' ? ok({ token: 'a.b.c', etag: '"tag"', maxAge: 60 }) : err({ reason: 'not_found' })
    },
  }
  return { asked, ...testbed({ statusLists }) }
}

test('draft-ietf-oauth-status-list §8.1: a list is a JWT of its own type, for any origin and any cache', async () => {
  const { app, asked } = serving()
  for (const url of ['/status-lists/one', '/t/acme/status-lists/one']) {
    const answer = await app.inject({ url, headers: { accept: 'application/statuslist+jwt' } })
    assert.deepEqual([answer.statusCode, answer.body], [200, 'a.b.c'])
    assert.equal(answer.headers['content-type'], 'application/statuslist+jwt')
    assert.equal(answer.headers['cache-control'], 'public, max-age=60')
    assert.equal(answer.headers['etag'], '"tag"')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers['vary'], undefined)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
  assert.deepEqual(asked, ['default one', 'acme one'])
})

test('RFC 9110 §13.1.2: whoever has the list hears that it is still the one', async () => {
  const { app } = serving()
  for (const tag of ['"tag"', 'W/"tag"', '"other", "tag"', '*']) {
    const answer = await app.inject({ url: '/status-lists/one', headers: { 'if-none-match': tag } })
    assert.deepEqual([answer.statusCode, answer.body], [304, ''], tag)
    assert.equal(answer.headers['cache-control'], 'public, max-age=60')
    assert.equal(answer.headers['etag'], '"tag"')
  }
  const other = await app.inject({ url: '/status-lists/one', headers: { 'if-none-match': '"other"' } })
  assert.equal(other.statusCode, 200)
})

test('draft-ietf-oauth-status-list §8.4: lists of the past are not offered', async () => {
  const { app, asked } = serving()
  for (const query of ['?time=1686925000', '?time=x'])
    assert.equal((await app.inject({ url: `/status-lists/one${query}` })).statusCode, 501, query)
  assert.equal((await app.inject({ url: '/status-lists/one?time=1&time=2' })).statusCode, 400)
  assert.deepEqual(asked, [])
  // What a cache hangs on an address is nobody's business.
  assert.equal((await app.inject({ url: '/status-lists/one?cache=1' })).statusCode, 200)
})

test('an unknown list, a database that is away and other methods are said to be so, and kept by no cache', async () => {
  const { app } = serving()
  for (const [method, url, status] of [
    ['GET', '/status-lists/two', 404],
    ['GET', '/status-lists/', 404],
    ['GET', '/status-lists/one/two', 404],
    ['GET', '/t/default/status-lists/one', 404],
    ['GET', '/status-lists/away', 503],
    ['POST', '/status-lists/one', 405],
    ['DELETE', '/status-lists', 405],
  ] as const) {
    const answer = await app.inject({ method, url })
    assert.equal(answer.statusCode, status, `${method} ${url}`)
    assert.equal(answer.headers['cache-control'], 'no-store', `${method} ${url}`)
  }
})

test('draft-ietf-oauth-status-list §9.3: the aggregation is JSON that may be kept as long as a list', async () => {
  const { app } = serving()
  const answer = await app.inject({ url: '/t/acme/status-lists' })
  assert.deepEqual([answer.statusCode, answer.json()], [200, { status_lists: ['of acme'] }])
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.equal(answer.headers['cache-control'], 'public, max-age=60')
  assert.equal((await app.inject({ url: '/t/gone/status-lists' })).statusCode, 404)
})
