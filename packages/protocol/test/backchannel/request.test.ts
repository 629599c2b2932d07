/** What a client may ask for by the back channel (CIBA §7.1), whatever a stranger writes into the form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { acceptBackchannelRequest, hintNames } from '../../src/backchannel/request.ts'
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
  ['fapi-ciba: no message', {}, bank({ profile: 'fapi-ciba' }), 'parameter_missing'],
  ['fapi-ciba: a message', { binding_message: 'W4SCT' }, bank({ profile: 'fapi-ciba' }), 'accepted'],
  ['another grant', {}, client(), 'grant_type_not_allowed'],
  ['who does not authenticate', {}, bank({ token_endpoint_auth_method: 'none' }), 'grant_type_not_allowed'],
]
for (const [title, more, of, as] of cases)
  test(`CIBA §7.1: ${title} → ${as}`, () => assert.equal(reasonOf(ask({ ...plain, ...more }, of)), as))

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
