/** Around the session: where the console stands, what outlives the way to the sign-in page, and what a problem is about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { ApiProblem, faultsByField, isTemporary } from '../src/api/problem.ts'
import { matching } from '../src/app/frame/matching.ts'
import { placeOf, resourceMetadataUrl } from '../src/app/place.ts'
import { parseSearch, stringifySearch } from '../src/app/search-params.ts'
import type { Authorization, SignedIn } from '../src/app/session/authorization.ts'
import {
  draftsToKeep,
  dropDraft,
  keepDraft,
  latestDraft,
  restoredDraft,
  restoreDrafts,
} from '../src/app/session/drafts.ts'
import { keepPending, takePending } from '../src/app/session/pending-sign-in.ts'
import { Session } from '../src/app/session/session.ts'

test('the console of a tenant is below the address of its issuer', () => {
  const root = placeOf('https://as.example', '/console/clients')
  assert.deepEqual(root, { issuer: 'https://as.example', tenant: null, basePath: '/console' })
  assert.equal(resourceMetadataUrl(root), 'https://as.example/.well-known/oauth-protected-resource')
  const acme = placeOf('https://as.example', '/t/acme/console')
  assert.deepEqual(acme, { issuer: 'https://as.example/t/acme', tenant: 'acme', basePath: '/t/acme/console' })
  assert.equal(resourceMetadataUrl(acme), 'https://as.example/.well-known/oauth-protected-resource/t/acme')
})

function memory(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage
}

test('a sign-in under way is taken once, and only by its own state', () => {
  const pending = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/console', subject: null, drafts: {} }
  const storage = memory()
  keepPending(storage, pending)
  assert.equal(takePending(storage, 'another'), null)
  assert.equal(takePending(storage, 's'), null, 'a wrong state used it up')
  keepPending(storage, pending)
  assert.deepEqual(takePending(storage, 's'), pending)
  assert.equal(takePending(storage, 's'), null)
})

const draftWith = (name: string) => ({ base: {}, version: null, values: { name }, lacksSecrets: false })

test('what was typed is kept until its form was sent', () => {
  keepDraft('client/a', draftWith('A'))
  keepDraft('client/b', draftWith('B'))
  dropDraft('client/a')
  assert.deepEqual(draftsToKeep(), { 'client/b': draftWith('B') })
  restoreDrafts({ 'client/b': draftWith('B') })
  assert.deepEqual(restoredDraft('client/b'), draftWith('B'))
  dropDraft('client/b')
  assert.equal(restoredDraft('client/b'), undefined)
})

test('what was typed outlives a second sign-in, too, whether its form was opened in between or not', () => {
  restoreDrafts({ 'client/a': draftWith('A'), 'client/b': draftWith('B') })
  keepDraft('client/a', draftWith('A, and more'))
  assert.deepEqual(draftsToKeep(), { 'client/a': draftWith('A, and more'), 'client/b': draftWith('B') })
  assert.deepEqual(latestDraft('client/a'), draftWith('A, and more'))
  assert.deepEqual(latestDraft('client/b'), draftWith('B'))
  for (const form of ['client/a', 'client/b']) dropDraft(form)
  assert.deepEqual(draftsToKeep(), {})
})

test('RFC 9457: the faults of a problem are told by the field they are about', () => {
  const errors = [
    { pointer: '#/redirect_uris/0', detail: 'no fragment' },
    { pointer: '#/redirect_uris/2', detail: 'not https' },
    { pointer: '#/a~1b', detail: 'odd' },
    { parameter: 'sort', detail: 'unknown' },
  ]
  assert.deepEqual(
    [...faultsByField(new ApiProblem(422, { errors }))],
    [
      ['redirect_uris', 'no fragment not https'],
      ['a/b', 'odd'],
      ['sort', 'unknown'],
    ],
  )
  assert.ok(isTemporary(new ApiProblem(503, {})) && isTemporary(new TypeError('Failed to fetch')))
  assert.ok(!isTemporary(new ApiProblem(403, {})))
})

test('filters are plain text in the address, and empty ones are left out', () => {
  assert.equal(stringifySearch({ name: 'a b', empty: '', none: undefined, n: '1' }), '?name=a+b&n=1')
  assert.deepEqual(parseSearch('?name=a+b&n=1'), { name: 'a b', n: '1' })
})

test('the palette finds beginnings of words before other parts, without case and accents', () => {
  const entries = ['Audit', 'New client', 'Clients', 'Schlüssel'].map((name) => ({ name }))
  assert.deepEqual(matching(entries, 'cli'), [{ name: 'Clients' }, { name: 'New client' }])
  assert.deepEqual(matching(entries, 'SCHLUSS'), [{ name: 'Schlüssel' }])
  assert.equal(matching(entries, ' ').length, 4)
})

test('a call without content has none, also in a browser that does not tell so of a request', async (t) => {
  const proof = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
  const authorization = { proof } as Partial<Authorization> as Authorization
  const sent: (RequestInit | undefined)[] = []
  t.mock.method(globalThis, 'fetch', async (_address: string, init?: RequestInit) => {
    sent.push(init)
    return new Response('{}')
  })
  const signedIn = { accessToken: 'token', expiresAt: Date.now() + 3_600_000, scope: new Set() } as unknown as SignedIn
  const session = new Session(authorization, signedIn)
  const plain = (method: string, body: string | null = null): Request => {
    const request = new Request('https://as.example/v1/clients', { method, body })
    // Firefox has no `Request.body`.
    Object.defineProperty(request, 'body', { value: undefined })
    return request
  }
  await session.fetch(plain('GET'))
  await session.fetch(plain('DELETE'))
  await session.fetch(plain('POST', '{"a":1}'))
  assert.deepEqual(
    sent.map((it) => it?.body),
    [null, null, '{"a":1}'],
  )
})
