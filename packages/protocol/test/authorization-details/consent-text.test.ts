/** What people read of a detail: every field of it, in the sentence or below. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { detailText, templateProblem } from '../../src/authorization-details/consent-text.ts'
import type { AuthorizationDetail } from '../../src/authorization-details/detail.ts'
import type { JsonObject } from '../../src/types.ts'

const text = { type: 'string' }
const schema: JsonObject = {
  type: 'object',
  properties: {
    amount: { type: 'object', properties: { value: text, currency: text } },
    to: { type: 'array', items: text },
    urgent: { type: 'boolean', title: 'At once' },
    lines: { type: 'array', items: { type: 'object', properties: { what: text, count: { type: 'integer' } } } },
  },
}
const detail: AuthorizationDetail = {
  type: 'payment',
  locations: ['https://bank.example'],
  amount: { value: '1.00', currency: 'EUR' },
  to: ['Ann', 'Bob'],
  urgent: true,
  lines: [{ what: 'tea', count: 2 }],
}

test('RFC 9396 §2: a sentence has the fields it names, and the others stand below it', () => {
  const { sentence, others } = detailText('Pay {amount.value} {amount.currency} to {to}.', detail, schema)
  assert.deepEqual(sentence, [
    { words: 'Pay ' },
    { field: 'amount.value', values: ['1.00'] },
    { words: ' ' },
    { field: 'amount.currency', values: ['EUR'] },
    { words: ' to ' },
    { field: 'to', values: ['Ann', 'Bob'] },
    { words: '.' },
  ])
  assert.deepEqual(
    others.map(({ label, value }) => [label, value]),
    [
      ['At once', true],
      ['lines.what', 'tea'],
      ['lines.count', 2],
    ],
  )
})

test('a part in brackets is left out where a field of it is missing', () => {
  const template = 'Pay[ {amount.value}][ for {reference}]'
  const words = (it: AuthorizationDetail) =>
    detailText(template, it, schema)
      .sentence.map((part) => ('words' in part ? part.words : part.values.join('')))
      .join('')
  assert.equal(words(detail), 'Pay 1.00')
  assert.equal(words({ ...detail, reference: 'x' }), 'Pay 1.00 for x')
  assert.equal(words({ type: 'payment' }), 'Pay')
})

test('a template names fields that can be shown, and nothing else', () => {
  for (const good of ['Pay', 'Pay {amount.value}', '{to}[ at once: {urgent}]'])
    assert.equal(templateProblem(good, schema), null, good)
  for (const bad of [
    '{amount}',
    '{lines}',
    '{lines.what}',
    '{nothing}',
    '{toString}',
    '{',
    'a}',
    '[',
    '[[{to}]]',
    '{a b}',
  ])
    assert.notEqual(templateProblem(bad, schema), null, bad)
})

test('property: no field of a detail goes unsaid, whatever its value', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean())
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value), fc.boolean(), (members, mention) => {
      const it: AuthorizationDetail = { ...members, type: 'x' }
      const fields = Object.keys(members).filter((name) => name !== 'type' && name !== 'locations')
      const template = mention ? fields.map((name) => `{${name}}`).join(' ') : 'Something'
      const { sentence, others } = detailText(template, it, { type: 'object', properties: {} })
      const said = [...sentence.flatMap((part) => ('field' in part ? [part.field] : [])), ...others.map((o) => o.label)]
      assert.deepEqual(said.toSorted(), fields.toSorted())
    }),
  )
})
