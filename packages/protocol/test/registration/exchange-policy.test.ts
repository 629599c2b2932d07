/** What an operator may write of the exchanges of a client, and what is refused with a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import { exchangeRules } from '../../src/registration/exchange-policy.ts'
import { served } from '../../src/documents/served.ts'

const grant_types = ['urn:ietf:params:oauth:grant-type:token-exchange']
const row = { audience: 'https://a.example', scopes: ['a:read'], as: 'delegate' }
const problems = (input: object): readonly string[] => {
  const checked = clientMetadata({ grant_types, scope: '', ...input }, served)
  return checked.kind === 'ok' ? [] : checked.error.map(({ field, problem }) => `${field} ${problem}`)
}

test('the schema says what the check does', () => {
  assert.deepEqual(exchangeRules.schema, {
    type: 'array',
    maxItems: 20,
    items: {
      type: 'object',
      required: ['audience', 'as'],
      properties: {
        audience: { type: 'string', maxLength: 2048 },
        scopes: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 100 },
        as: { type: 'string', enum: ['delegate', 'impersonate'] },
        client_id: { type: 'string', maxLength: 1024 },
      },
      additionalProperties: false,
    },
  })
})

test('rows for different audiences are accepted, with scopes or without; none at all exchanges nothing', () => {
  assert.deepEqual(problems({ exchange: [row, { audience: 'https://b.example', as: 'impersonate' }] }), [])
  assert.deepEqual(problems({}), [])
})

test('as many as may be are accepted', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ ...row, audience: `https://a.example/${n}` }))
  assert.deepEqual(problems({ exchange: rows }), [])
  const scopes = Array.from({ length: 100 }, (_, n) => `s${n}`)
  assert.deepEqual(problems({ exchange: [{ ...row, scopes, client_id: 'x'.repeat(1024) }] }), [])
  assert.deepEqual(problems({ exchange: [{ ...row, scopes: [] }] }), [])
})

const wrong: readonly [string, object, RegExp][] = [
  ['no list', { exchange: row }, /must be a list/],
  ['a row that is no object', { exchange: ['x'] }, /must be an object/],
  ['no audience', { exchange: [{ as: 'delegate' }] }, /must name an audience/],
  ['an audience that is no URI', { exchange: [{ ...row, audience: 'a' }] }, /must name an audience/],
  ['neither delegate nor impersonate', { exchange: [{ ...row, as: 'anyone' }] }, /must say as/],
  ['a misspelt member', { exchange: [{ ...row, scope: 'a:read' }] }, /nothing else/],
  ['scopes as a text', { exchange: [{ ...row, scopes: 'a:read' }] }, /must list at most/],
  ['two scopes in one', { exchange: [{ ...row, scopes: ['a:read b:read'] }] }, /by their names/],
  ['a scope that is no text', { exchange: [{ ...row, scopes: ['a:read', 7] }] }, /by their names/],
  [
    'too many scopes',
    { exchange: [{ ...row, scopes: Array.from({ length: 101 }, (_, n) => `s${n}`) }] },
    /at most 100/,
  ],
  ['a client there without a name', { exchange: [{ ...row, client_id: '' }] }, /a text for client_id/],
  ['a client there that is no text', { exchange: [{ ...row, client_id: 7 }] }, /a text for client_id/],
  ['a client there with a long name', { exchange: [{ ...row, client_id: 'x'.repeat(1025) }] }, /a text for client_id/],
  ['an audience twice', { exchange: [row, { ...row, audience: 'https://a.example/' }] }, /an audience twice/],
  [
    'too many',
    { exchange: Array.from({ length: 21 }, (_, n) => ({ ...row, audience: `https://a.example/${n}` })) },
    /more than 20/,
  ],
  [
    'a client without the grant',
    { exchange: [row], grant_types: ['client_credentials'] },
    /which the client does not have/,
  ],
  ['a client that cannot authenticate', { token_endpoint_auth_method: 'none' }, /cannot authenticate/],
]
for (const [what, input, problem] of wrong)
  test(`RFC 8693 §1.1: refused in the policy of exchanges: ${what}`, () =>
    assert.match(problems(input).join('; '), problem))
