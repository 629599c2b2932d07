/** What the pages about clients and the start page work out by themselves: kinds, redirect URIs, lines to copy, concerns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKind, type ClientMetadata } from '@grantor/protocol/registration'
import { kindNames, kinds } from '../src/pages/clients/kinds.ts'
import { matchingRedirect } from '../src/pages/clients/redirect-match.ts'
import { snippetOf } from '../src/pages/clients/snippets.ts'
import { concernsOf, type CountedSeries, dayOf } from '../src/pages/home/statistics.ts'

test('a client made by the wizard is shown as the kind that was chosen', () => {
  for (const name of kindNames) {
    const { metadata, scope, redirect } = kinds[name]
    const registered = { ...metadata, redirect_uris: redirect === null ? [] : [redirect], scope }
    assert.equal(clientKind(registered as unknown as ClientMetadata), name)
  }
})

test('RFC 8252 §7.3: only the port of a loopback address may differ, and only for native apps', () => {
  const registered = ['https://a.example/cb', 'http://127.0.0.1/cb', 'http://[::1]:8000/cb']
  assert.equal(matchingRedirect(registered, 'https://a.example/cb', false), 'https://a.example/cb')
  for (const uri of [
    'https://a.example/cb/',
    'https://a.example:443/cb',
    'https://A.example/cb',
    'https://a.example/cb?x',
  ])
    assert.equal(matchingRedirect(registered, uri, true), null, uri)
  assert.equal(matchingRedirect(registered, 'http://127.0.0.1:5123/cb', true), 'http://127.0.0.1/cb')
  assert.equal(matchingRedirect(registered, 'http://[::1]/cb', true), 'http://[::1]:8000/cb')
  assert.equal(matchingRedirect(registered, 'http://127.0.0.1:5123/cb', false), null)
  assert.equal(matchingRedirect(registered, 'http://127.0.0.1:5123/other', true), null)
  assert.equal(matchingRedirect(registered, 'http://localhost:5123/cb', true), null)
})

test('what a stranger chose does not break out of the lines to copy', () => {
  const hostile = "a'; rm -rf / #`$(x)\\"
  for (const name of kindNames) {
    const { curl, code } = snippetOf(name, {
      issuer: 'https://as.example',
      clientId: hostile,
      secret: hostile,
      redirectUri: 'https://a.example/cb',
      scope: hostile,
    })
    assert.doesNotMatch(curl.replaceAll("'\\''", ''), /a'; rm/, name)
    assert.doesNotMatch(code, /[^\\]'; rm/, name)
  }
})

const series = (id: CountedSeries['id'], values: number[], reasons?: Record<string, number[]>): CountedSeries => ({
  id,
  description: id,
  step: 'hour',
  from: '2026-11-15T10:00:00.000Z',
  to: '2026-11-15T12:00:00.000Z',
  total: values.reduce((sum, n) => sum + n, 0),
  values,
  ...(reasons === undefined ? {} : { reasons }),
})

test('a quiet day names nothing; guesses, replays and a flood of refusals are named with their number', () => {
  const quiet = dayOf([series('issued', [5, 5]), series('sign_in_failed', [3, 0]), series('signed_in', [1, 0])])
  assert.deepEqual(quiet.times, [1_794_736_800, 1_794_740_400])
  assert.deepEqual(concernsOf(quiet), [])
  const loud = dayOf([
    series('sign_in_failed', [10, 2]),
    series('replayed', [0, 1]),
    series('refused', [40, 20], { secret: [10, 5], scope: [30, 15] }),
  ])
  assert.deepEqual(concernsOf(loud), [
    { kind: 'failures', n: 12 },
    { kind: 'replays', n: 1 },
    { kind: 'refusals', n: 60, reason: 'scope' },
  ])
})
