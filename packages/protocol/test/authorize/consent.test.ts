import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { approvedScope, asksEachTime, consentQuestion, rememberedConsent } from '../../src/authorize/consent.ts'
import type { Client } from '../../src/registration/client.ts'
import { catalogue, client, scopeEntry } from '../samples.ts'

const names = ['a', 'b', 'c', 'd']
const optional = new Set(['c', 'd'])
const asked = catalogue({
  resources: [],
  scopes: names.map((name) => scopeEntry(name, null, optional.has(name) ? 'optional' : 'default')),
})
const asking = (scope: readonly string[], remembered: readonly string[] | null, prompt: readonly 'consent'[] = []) =>
  consentQuestion({
    request: { scope, resources: [], claims: null, prompt },
    remembered:
      remembered === null ? null : { scope: new Set(remembered), resources: new Set(), claims: new Set(), details: [] },
    eachTime: false,
    firstParty: false,
    catalogue: asked,
  })

test('what stands together is remembered together', () => {
  assert.equal(rememberedConsent([]), null)
  assert.deepEqual(
    rememberedConsent([
      { scope: 'a b', resources: ['https://a.example'], claims: null },
      { scope: '', resources: [], claims: { userinfo: { email: null }, id_token: { acr: null } } },
    ]),
    { scope: new Set(['a', 'b']), resources: new Set(['https://a.example']), claims: new Set(['email']), details: [] },
  )
})

test('a client that was never approved asks even when it wants nothing', () => {
  assert.notEqual(asking([], null), null)
  assert.equal(asking([], []), null)
})

test('OIDC Core §5.4: a claim that a requested scope stands for is not asked twice', () => {
  const claims = { userinfo: { email: null, name: null }, id_token: {} }
  const question = consentQuestion({
    request: { scope: ['email'], resources: [], claims, prompt: [] },
    remembered: null,
    eachTime: false,
    firstParty: false,
    catalogue: asked,
  })
  assert.deepEqual(question?.claims, new Set(['name']))
})

test('an Allow grants all that was asked but the optional scopes left out, and never more than was asked', () => {
  const some = fc.subarray(names)
  fc.assert(
    fc.property(some, fc.option(some), fc.subarray([...names, 'x']), (wanted, before, ticked) => {
      const question = asking(wanted, before)
      if (question === null) {
        assert.ok(before !== null && wanted.every((name) => before.includes(name)))
        return
      }
      const granted = approvedScope(question, new Set(ticked))
      for (const name of wanted) {
        const stays = before?.includes(name) === true || !optional.has(name) || ticked.includes(name)
        assert.equal(granted.has(name), stays, name)
      }
      assert.ok([...granted].every((name) => wanted.includes(name)))
    }),
  )
})

test('RFC 8252 §8.6: where any program could have asked, what was allowed before is confirmed, not answered for', () => {
  const remembered = { scope: new Set(names), resources: new Set<string>(), claims: new Set<string>(), details: [] }
  const request = { scope: names, resources: [], claims: null, prompt: [] }
  assert.equal(consentQuestion({ request, remembered, eachTime: false, firstParty: false, catalogue: asked }), null)
  const question = consentQuestion({ request, remembered, eachTime: true, firstParty: false, catalogue: asked })
  assert.ok(question !== null)
  assert.deepEqual([question.again, question.missing, question.already], [true, new Set(), new Set(names)])
  assert.deepEqual(approvedScope(question, new Set()), new Set(names))
  const more = consentQuestion({
    request,
    remembered: { ...remembered, scope: new Set(names.slice(1)) },
    eachTime: true,
    firstParty: false,
    catalogue: asked,
  })
  assert.deepEqual([more?.again, more?.missing], [false, new Set(names.slice(0, 1))])
})

test('RFC 8252 §8.6: asked each time are public clients and documents that lead back to the device, and only they', () => {
  const of = (method: 'none' | 'private_key_jwt' | 'client_secret_basic', origin: Client['origin']) =>
    client({ token_endpoint_auth_method: method }, { origin })
  const device = [
    'http://127.0.0.1:4711/cb',
    'http://[::1]/cb',
    'http://localhost:1/cb',
    'com.example.app:/cb',
    'cursor://x/cb',
  ]
  for (const uri of device) {
    assert.equal(asksEachTime(of('none', 'declared'), uri), true, uri)
    assert.equal(asksEachTime(of('none', 'dynamic'), uri), true, uri)
    assert.equal(asksEachTime(of('private_key_jwt', 'document'), uri), true, uri)
    assert.equal(asksEachTime(of('client_secret_basic', 'manual'), uri), false, uri)
  }
  for (const origin of ['declared', 'manual', 'dynamic', 'document'] as const)
    assert.equal(asksEachTime(of('none', origin), 'https://app.example/cb'), false)
})

test('an earlier yes is confirmed as such only where it covers scopes, claims, resources and details alike', () => {
  const detail = (amount: string) => ({ type: 'payment', amount })
  const before = {
    scope: new Set(['a']),
    resources: new Set(['https://a.example']),
    claims: new Set(['email']),
    details: [detail('1')],
  }
  const named = { userinfo: { email: null }, id_token: {} }
  const request = {
    scope: ['a'],
    resources: ['https://a.example'],
    claims: named,
    prompt: [],
    authorizationDetails: [detail('1')],
  }
  const ask = (more: Partial<Parameters<typeof consentQuestion>[0]['request']>, eachTime = true) =>
    consentQuestion({
      request: { ...request, ...more },
      remembered: before,
      eachTime,
      firstParty: false,
      catalogue: asked,
    })
  assert.equal(ask({}, false), null)
  const again = ask({})
  assert.deepEqual([again?.again, again?.details, again?.alreadyDetails], [true, [], [detail('1')]])
  const news = [
    { scope: ['a', 'b'] },
    { resources: ['https://a.example', 'https://b.example'] },
    { claims: { userinfo: { email: null, name: null }, id_token: {} } },
    { authorizationDetails: [detail('1'), detail('2')] },
    // Two kinds of news at once are no less news.
    { scope: ['a', 'b'], resources: ['https://b.example'] },
    { claims: { userinfo: { name: null }, id_token: {} }, authorizationDetails: [detail('2')] },
    { scope: ['a', 'b'], claims: { userinfo: { name: null }, id_token: {} } },
    { resources: ['https://b.example'], authorizationDetails: [detail('2')] },
  ]
  for (const more of news) {
    for (const eachTime of [true, false]) assert.equal(ask(more, eachTime)?.again, false, JSON.stringify(more))
  }
  const mixed = ask({ authorizationDetails: [detail('1'), detail('2')] })
  assert.deepEqual([mixed?.details, mixed?.alreadyDetails], [[detail('2')], [detail('1')]])
  // prompt=consent asks for everything anew, and calls none of it confirmed.
  const afresh = ask({ prompt: ['consent'] })
  assert.deepEqual([afresh?.again, afresh?.details, afresh?.alreadyDetails], [false, [detail('1')], []])
})
