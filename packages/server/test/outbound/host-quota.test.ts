/** Nobody makes us a nuisance to somebody else’s server: so many fetches of one host, and then none for a while. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { openOutbound } from '../../src/outbound/index.ts'

const ask = (host: string, n: number) => ({
  url: `https://${host}/${n}`,
  types: ['application/json'],
  maxBytes: 1000,
})

/** Names lead nowhere, at once: what is counted is how often anything was tried. */
function openNowhere() {
  const state = { now: Date.parse('2026-11-15T12:00:00Z') }
  const outbound = openOutbound({
    allow: new Set(),
    resolve: () => Promise.resolve([]),
    roots: () => createSecureContext(),
    now: () => state.now,
  })
  const tried = new Map<string, number>()
  outbound.watch(({ host }) => tried.set(host, (tried.get(host) ?? 0) + 1))
  const fetchMany = async (host: string, from: number, count: number) => {
    for (let n = from; n < from + count; n += 1) assert.equal((await outbound.fetch(ask(host, n))).kind, 'error')
    return tried.get(host) ?? 0
  }
  return { state, outbound, fetchMany }
}

test('one host is asked 300 times a minute, whatever addresses of it are named; each other host has its own', async (t) => {
  const { state, outbound, fetchMany } = openNowhere()
  t.after(() => outbound.close())
  assert.equal(await fetchMany('victim.grantor.dev', 0, 310), 300)
  assert.equal(await fetchMany('other.grantor.dev', 0, 5), 5)
  assert.equal(await fetchMany('sub.victim.grantor.dev', 0, 5), 5)
  state.now += 1000
  assert.equal(await fetchMany('victim.grantor.dev', 1000, 10), 305, 'five a second come free again')
})
