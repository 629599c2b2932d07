import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { approvedScope, consentQuestion, rememberedConsent } from '../../src/authorize/consent.ts'
import { catalogue, scopeEntry } from '../samples.ts'

const names = ['a', 'b', 'c', 'd']
const optional = new Set(['c', 'd'])
const asked = catalogue({
  resources: [],
  scopes: names.map((name) => scopeEntry(name, null, optional.has(name) ? 'optional' : 'default')),
})
const asking = (scope: readonly string[], remembered: readonly string[] | null, prompt: readonly 'consent'[] = []) =>
  consentQuestion({
    request: { scope, resources: [], claims: null, prompt },
    remembered: remembered === null ? null : { scope: new Set(remembered), resources: new Set(), claims: new Set() },
    catalogue: asked,
  })

test('what stands together is remembered together', () => {
  assert.equal(rememberedConsent([]), null)
  assert.deepEqual(
    rememberedConsent([
      { scope: 'a b', resources: ['https://a.example'], claims: null },
      { scope: '', resources: [], claims: { userinfo: { email: null }, id_token: { acr: null } } },
    ]),
    { scope: new Set(['a', 'b']), resources: new Set(['https://a.example']), claims: new Set(['email']) },
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
