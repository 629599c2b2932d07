/** What a client may ask for by the back channel (CIBA §7.1), whatever a stranger writes into the form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  acceptBackchannelRequest,
  backchannelInteraction,
  backchannelResponse,
  hintNames,
} from '../../src/backchannel/request.ts'
import { cibaGrant } from '../../src/grants/grant-types.ts'
import { formOf } from '../../src/oauth/form.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import { catalogue, client, issuer } from '../samples.ts'

const bank = (metadata: Partial<ClientMetadata> = {}) =>
  client({ grant_types: [cibaGrant], scope: 'openid a:read', backchannel_token_delivery_mode: 'poll', ...metadata })
const polling = bank()
const pinged = bank({ backchannel_token_delivery_mode: 'ping' })
const on = (of = bank()) => ({ client: of, catalogue: catalogue(), issuer, policy: { backchannelTtl: 600 } })
const ask = (fields: Readonly<Record<string, string>>, of = bank()) =>
  acceptBackchannelRequest(formOf(Object.entries(fields)), on(of))
const plain = { scope: 'openid a:read', login_hint: 'alice' }
const reasonOf = (answer: ReturnType<typeof ask>) => (answer.kind === 'error' ? answer.error.reason : 'accepted')

const cases: readonly (readonly [
  title: string,
  more: Record<string, string>,
  of: ReturnType<typeof bank>,
  as: string,
])[] = [
  ['in poll mode no token is needed', {}, bank(), 'accepted'],
  ['in poll mode a token is not looked at', { client_notification_token: 'a b' }, bank(), 'accepted'],
  ['in ping mode a token is needed', {}, pinged, 'parameter_missing'],
  ['a token that fits a header', { client_notification_token: 'aZ09-._~+/==' }, pinged, 'accepted'],
  ['a token that does not', { client_notification_token: 'a\nb' }, pinged, 'parameter_malformed'],
  ['the longest token', { client_notification_token: 'x'.repeat(1024) }, pinged, 'accepted'],
  ['a longer one', { client_notification_token: 'x'.repeat(1025) }, pinged, 'parameter_malformed'],
  ['no scope', { scope: '' }, bank(), 'parameter_missing'],
  ['a scope that is none', { scope: 'openid "' }, bank(), 'scope_malformed'],
  ['a scope without openid', { scope: 'a:read' }, bank(), 'scope_lacks_openid'],
  ['a resource that is none', { resource: 'a' }, bank(), 'resource_malformed'],
  ['details that are none', { authorization_details: '{}' }, bank(), 'details_malformed'],
  ['no hint', { login_hint: '' }, bank(), 'hint_not_single'],
  ['two hints', { id_token_hint: 'x' }, bank(), 'hint_not_single'],
  ['the longest hint', { login_hint: 'x'.repeat(1024) }, bank(), 'accepted'],
  ['a longer one', { login_hint: 'x'.repeat(1025) }, bank(), 'parameter_malformed'],
  ['the longest token as a hint', { login_hint: '', login_hint_token: 'x'.repeat(16_384) }, bank(), 'accepted'],
  ['a longer one', { login_hint: '', login_hint_token: 'x'.repeat(16_385) }, bank(), 'parameter_malformed'],
  ['an ID token as a hint', { login_hint: '', id_token_hint: 'x'.repeat(1025) }, bank(), 'accepted'],
  ['the longest code of a person', { user_code: 'x'.repeat(64) }, bank(), 'accepted'],
  ['a longer one', { user_code: 'x'.repeat(65) }, bank(), 'user_code_wrong'],
  ['the longest list of levels', { acr_values: 'x'.repeat(1024) }, bank(), 'accepted'],
  ['a longer one', { acr_values: 'x'.repeat(1025) }, bank(), 'parameter_malformed'],
  ['the longest message', { binding_message: 'x'.repeat(100) }, bank(), 'accepted'],
  ['a longer one', { binding_message: 'x'.repeat(101) }, bank(), 'binding_message_invalid'],
  ['an expiry of nothing', { requested_expiry: '0' }, bank(), 'parameter_malformed'],
  ['an expiry that is no number', { requested_expiry: 'x' }, bank(), 'parameter_malformed'],
  ['fapi-ciba: no message', {}, bank({ profile: 'fapi-ciba' }), 'parameter_missing'],
  ['fapi-ciba: a message', { binding_message: 'W4SCT' }, bank({ profile: 'fapi-ciba' }), 'accepted'],
  ['another grant', {}, client(), 'grant_type_not_allowed'],
  ['who does not authenticate', {}, bank({ token_endpoint_auth_method: 'none' }), 'grant_type_not_allowed'],
]
for (const [title, more, of, as] of cases)
  test(`CIBA §7.1: ${title} → ${as}`, () => assert.equal(reasonOf(ask({ ...plain, ...more }, of)), as))

const accepted = (fields: Readonly<Record<string, string>>, of = bank()) => {
  const answer = ask({ ...plain, ...fields }, of)
  assert.ok(answer.kind === 'ok')
  return answer.value
}

test('CIBA §7.1: what was asked for is what is kept', () => {
  const { access: _, ...rest } = accepted({})
  const terms = { acrValues: [], bindingMessage: null }
  const hint = { name: 'login_hint', value: 'alice' }
  assert.deepEqual(rest, { hint, terms, userCode: null, notificationToken: null, expiresIn: 600 })
  const told = accepted({ client_notification_token: 't', user_code: '1234', binding_message: 'W4 §' }, pinged)
  assert.deepEqual([told.notificationToken, told.userCode, told.terms.bindingMessage], ['t', '1234', 'W4 §'])
  const byToken = accepted({ login_hint: '', id_token_hint: 'e.y.J' })
  assert.deepEqual(byToken.hint, { name: 'id_token_hint', value: 'e.y.J' })
})

test('CIBA §7.1: a client can ask for less time than is usual, and not for more', () => {
  for (const [asked, kept] of [
    ['1', 1],
    ['599', 599],
    ['600', 600],
    ['601', 600],
    ['999999999', 600],
  ] as const)
    assert.equal(accepted({ requested_expiry: asked }).expiresIn, kept)
})

test('CIBA §7.1: levels are kept once each, twenty at most; where none is asked for, those of the client', () => {
  const levels = (acr: string, of = bank()) => accepted({ acr_values: acr }, of).terms.acrValues
  assert.deepEqual(levels('a  b a '), ['a', 'b'])
  const many = Array.from({ length: 21 }, (_, n) => `level${n}`)
  assert.deepEqual(levels(many.join(' ')), many.slice(0, 20))
  const defaults = bank({ default_acr_values: ['usual'] })
  assert.deepEqual(levels(' ', defaults), ['usual'])
  assert.deepEqual(levels('a', defaults), ['a'])
})

test('CIBA §7.3: the answer, and the interaction of the one person whom it is about', () => {
  const answer = backchannelResponse({ authReqId: 'r', expiresIn: 600, interval: 5 })
  assert.deepEqual(answer, { auth_req_id: 'r', expires_in: 600, interval: 5 })
  const { access, terms } = accepted({ acr_values: 'a' })
  const request = backchannelInteraction(bank(), { access, terms, subject: 'alice' })
  assert.deepEqual([request.subject, request.acrValues], ['alice', ['a']])
})

const names = [
  'scope',
  ...hintNames,
  'binding_message',
  'user_code',
  'requested_expiry',
  'acr_values',
  'resource',
] as const
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.constantFrom(
    'openid',
    'openid a:read',
    'alice',
    '1',
    '10',
    '0',
    '-1',
    '1e3',
    '999999999999',
    'W4SCT',
    'pay\u202e1',
  ),
)

test('CIBA §7.1: any form is refused with a reason, or all that was accepted holds', () => {
  const forms = fc.dictionary(fc.constantFrom(...names, 'client_notification_token'), anything, { maxKeys: 11 })
  fc.assert(
    fc.property(forms, fc.constantFrom(polling, pinged), (fields, of) => {
      const answer = ask(fields, of)
      if (answer.kind === 'error') return assert.equal(typeof answer.error.reason, 'string')
      const { access, terms, hint, notificationToken, expiresIn } = answer.value
      assert.ok(access.scope.includes('openid'))
      const hinted = hintNames.filter((name) => (fields[name] ?? '') !== '')
      assert.deepEqual(hinted, [hint.name])
      assert.ok(Number.isInteger(expiresIn) && expiresIn >= 1 && expiresIn <= 600)
      assert.ok(terms.bindingMessage === null || /^[\P{C}]{1,100}$/u.test(terms.bindingMessage))
      if (of === polling) assert.equal(notificationToken, null)
      if (of === pinged) assert.match(notificationToken ?? '', /^[\w.~+/-]{1,1024}=*$/)
      // It waits in the store as JSON, and must read back as it was.
      assert.deepEqual(JSON.parse(JSON.stringify({ access, terms })), { access, terms })
    }),
    { numRuns: 2_000 },
  )
})

test('CIBA §7.1: a message that people compare holds nothing that cannot be seen', () => {
  const unseen = fc.constantFrom(
    '\u0000',
    '\u001b',
    '\u200b',
    '\u200e',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\n',
    '\u2028',
    '\ue000',
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), unseen, fc.string({ maxLength: 40 }), (before, it, after) => {
      assert.equal(reasonOf(ask({ ...plain, binding_message: `${before}${it}${after}` })), 'binding_message_invalid')
    }),
  )
})
