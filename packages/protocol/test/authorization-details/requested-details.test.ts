/** Details that are asked for, and those of a grant that go into a token: nothing that is not declared, here and now. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthorizationDetail } from '../../src/authorization-details/detail.ts'
import { countsAt, detailsOfToken, livingDetails } from '../../src/authorization-details/granted-details.ts'
import {
  acceptableDetails,
  detailRefusal,
  detailTypeOf,
  placesOf,
} from '../../src/authorization-details/requested-details.ts'
import { undeclaredNames } from '../../src/registration/undeclared-names.ts'
import type { JsonObject } from '../../src/types.ts'
import { catalogue, client, resource } from '../samples.ts'

const [a, b] = ['https://a.example', 'https://b.example']
const schema = {
  type: 'object',
  properties: { amount: { type: 'string' } },
  required: ['amount'],
  additionalProperties: false,
}
const known = catalogue({
  authorizationDetailTypes: [
    { type: 'pay', schema, description: 'Pay', resources: [a, b] },
    {
      type: 'read',
      schema: { type: 'object', properties: {}, additionalProperties: false },
      description: 'Read',
      resources: [a],
    },
  ] as never,
})
const on = { client: client({ authorization_details_types: ['pay'] }), catalogue: known }
const pay = (more: JsonObject = {}): AuthorizationDetail => ({ type: 'pay', amount: '1', ...more })

const cases: readonly (readonly [what: string, detail: AuthorizationDetail, reason: string | null])[] = [
  ['all that its type says', pay(), null],
  ['at a place of its type', pay({ locations: [b] }), null],
  ['at a place of another spelling', pay({ locations: [`${a}/`] }), null],
  ['an unknown type', { type: 'x', amount: '1' }, 'details_type_unknown'],
  ['a type that the client may not ask for', { type: 'read' }, 'details_type_not_allowed'],
  ['a member that is missing', { type: 'pay' }, 'details_misfit'],
  ['a member too many', pay({ more: 1 }), 'details_misfit'],
  ['a member of another kind', pay({ amount: 1 }), 'details_misfit'],
  ['at no place', pay({ locations: [] }), 'details_of_another_resource'],
  ['at another place', pay({ locations: [a, 'https://c.example'] }), 'details_of_another_resource'],
  ['at what is no place', pay({ locations: [a, 7] }), 'details_of_another_resource'],
  ['at a place that is no list', pay({ locations: a }), 'details_of_another_resource'],
]
for (const [what, detail, reason] of cases)
  test(`RFC 9396 §5: ${what} → ${reason ?? 'accepted'}`, () => {
    assert.equal(detailRefusal(detail, on)?.reason ?? null, reason)
    const all = acceptableDetails([pay(), detail], on)
    assert.equal(all.kind === 'error' ? all.error.reason : null, reason)
  })

test('RFC 9396 §5: a client without types may ask for none; a catalogue without them knows none', () => {
  assert.equal(detailRefusal(pay(), { ...on, client: client() })?.reason, 'details_type_not_allowed')
  assert.equal(detailTypeOf(catalogue(), pay()), null)
  assert.equal(detailTypeOf(known, pay())?.type, 'pay')
  assert.deepEqual(acceptableDetails([pay()], on), { kind: 'ok', value: [pay()] })
})

test('RFC 9396 §2.2: a detail counts where it says, else wherever its type does, as far as that is declared', () => {
  assert.deepEqual(placesOf(pay(), known), [a, b])
  assert.deepEqual(placesOf(pay({ locations: [`${b}/`, 'https://c.example'] }), known), [b])
  assert.deepEqual(placesOf({ type: 'x' }, known), [])
  assert.equal(countsAt(pay({ locations: [b] }), { resource: resource(b) }, on), true)
  assert.equal(countsAt(pay({ locations: [b] }), { resource: resource(a) }, on), false)
  assert.equal(countsAt(pay(), { resource: null }, on), false)
})

test('RFC 9396 §6: into a token go the granted ones of its resource, or those that the request names', () => {
  const [here, there, dead] = [pay({ locations: [a] }), pay({ amount: '2', locations: [b] }), { type: 'read' }]
  const granted = [here, there, dead]
  const of = (asked: readonly AuthorizationDetail[] | null) => {
    const details = detailsOfToken({ granted, asked, target: { resource: resource(a) } }, on)
    return details.kind === 'ok' ? details.value : details.error.reason
  }
  assert.deepEqual(livingDetails(granted, on), [here, there])
  assert.deepEqual(of(null), [here])
  assert.deepEqual(of([here]), [here])
  assert.deepEqual(of([]), [])
  assert.equal(of([here, there]), 'details_of_another_resource')
  assert.equal(of([here, dead]), 'details_exceed_grant')
  assert.equal(of([pay({ locations: [a], amount: '0.5' })]), 'details_exceed_grant')
})

test('a type that is not declared is named, unless the client had it before it left', () => {
  const names = (types: readonly string[], held: readonly string[] | null, of = known) =>
    undeclaredNames(
      { scope: '', authorization_details_types: types },
      of,
      held === null ? null : { scope: '', authorization_details_types: held },
    )
  assert.deepEqual(names(['pay', 'x'], null), [
    { field: 'authorization_details_types', problem: 'names x, which is not declared' },
  ])
  assert.deepEqual(names(['pay', 'x'], ['x']), [])
  assert.equal(names(['pay'], null, catalogue()).length, 1)
  assert.deepEqual(undeclaredNames({ scope: 'x' }, known, { scope: 'y' }), [
    { field: 'scope', problem: 'names x, which is not declared' },
  ])
})
