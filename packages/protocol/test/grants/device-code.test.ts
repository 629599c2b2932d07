/** The device grant as a table: what a poll is answered, in every state of its code. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { formOf } from '../../src/oauth/form.ts'
import { deviceCode } from '../../src/grants/device-code.ts'
import { deviceGrant } from '../../src/grants/grant-types.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { DeviceFacts } from '../../src/grants/grant.ts'
import type { Person } from '../../src/people/person.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Handle } from '../../src/types.ts'
import { at, catalogue, client, grant, issuer, person } from '../samples.ts'

const handleOf = (text: string) => createHash('sha256').update(text).digest('base64url') as Handle

const tv = (id = 'tv', grantTypes: readonly string[] = [deviceGrant, 'refresh_token']) =>
  client({ grant_types: grantTypes, scope: 'openid offline_access' }, { id })
const granted = grant({ clientId: 'tv' })
const salt = Uint8Array.from([1, 2, 3])
const waiting: DeviceFacts = {
  clientId: 'tv',
  expiresAt: at(600_000),
  interval: 5,
  polledAt: null,
  deniedAt: null,
  grant: null,
  redeemedAt: null,
  spentFor: null,
  successorSpentAt: null,
  salt,
}
interface Change {
  readonly device?: Partial<DeviceFacts> | null
  readonly client?: Client
  readonly person?: Person | null
  readonly resource?: string
  readonly now?: number
  readonly jkt?: string
}
function run(change: Change) {
  const params = deviceCode.parse(
    formOf([
      ['device_code', 'gd_1'],
      ...(change.resource === undefined ? [] : [['resource', change.resource] as const]),
    ]),
    handleOf,
  )
  assert.ok(params.kind === 'ok')
  return deviceCode.decide({
    params: params.value,
    facts: { device: change.device === null ? null : { ...waiting, ...change.device } },
    client: change.client ?? tv(),
    catalogue: catalogue(),
    issuer,
    policy: defaultPolicy,
    now: at(change.now ?? 20_000),
    person: change.person === undefined ? person() : change.person,
    ...(change.jkt === undefined ? {} : { possession: { jkt: change.jkt, certificate: null } }),
  })
}

const approved = { grant: granted }
const redeemed = { grant: granted, redeemedAt: at(15_000) }

type Row = readonly [title: string, change: Change, reason: string, also?: { revoke?: string; slower?: string }]
const refused: readonly Row[] = [
  ['an unknown code', { device: null }, 'device_code_unknown'],
  ['a code of another client', { device: approved, client: tv('other') }, 'device_code_of_another_client'],
  [
    'a redeemed code of another client ends nothing',
    { device: redeemed, client: tv('other'), now: 99_000 },
    'device_code_of_another_client',
  ],
  ['nobody has decided', {}, 'device_pending'],
  ['polled again after the interval', { device: { polledAt: at(15_000) } }, 'device_pending'],
  ['a network takes a little off the interval', { device: { polledAt: at(15_900) } }, 'device_pending'],
  ['as much as a network may take', { device: { polledAt: at(16_000) } }, 'device_pending'],
  ['a little more', { device: { polledAt: at(16_001) } }, 'device_polled_too_fast', { slower: handleOf('gd_1') }],
  ['polled too soon', { device: { polledAt: at(17_000) } }, 'device_polled_too_fast', { slower: handleOf('gd_1') }],
  [
    'polled at the old pace after slow_down',
    { device: { polledAt: at(14_000), interval: 10 } },
    'device_polled_too_fast',
    { slower: handleOf('gd_1') },
  ],
  ['denied', { device: { deniedAt: at(19_000) } }, 'device_denied'],
  ['denied, and polled too soon', { device: { deniedAt: at(19_000), polledAt: at(19_999) } }, 'device_denied'],
  ['over', { now: 600_000 }, 'device_code_expired'],
  ['approved, but not fetched in time', { device: approved, now: 600_000 }, 'device_code_expired'],
  ['redeemed more than a minute ago', { device: redeemed, now: 75_001 }, 'device_code_replayed', { revoke: 'g1' }],
  [
    'redeemed, and its refresh token used since',
    { device: { ...redeemed, successorSpentAt: at(16_000) } },
    'device_code_replayed',
    { revoke: 'g1' },
  ],
  ['approved, and the grant revoked since', { device: { grant: { ...granted, revokedAt: at(1) } } }, 'grant_ended'],
  [
    'approved, and the person disabled since',
    { device: approved, person: person({ disabledAt: at(1) }) },
    'subject_gone',
  ],
  ['approved, and the person gone', { device: approved, person: null }, 'subject_gone'],
  ['approved for another resource', { device: approved, resource: 'https://b.example' }, 'resource_outside_grant'],
]
for (const [title, change, reason, also] of refused)
  test(`RFC 8628 §3.5: ${title} → ${reason}`, () => {
    const decision = run(change)
    assert.ok(decision.do === 'refuse')
    assert.equal(decision.refusal.reason, reason)
    assert.deepEqual([decision.revoke, decision.slower], [also?.revoke ?? null, also?.slower ?? null])
  })

test('RFC 8628 §3.4: device_code is required, and one resource at most', () => {
  const parse = (pairs: readonly (readonly [string, string])[]) => {
    const params = deviceCode.parse(formOf(pairs), handleOf)
    return params.kind === 'error' ? params.error.reason : 'parsed'
  }
  assert.equal(parse([]), 'parameter_missing')
  const two = [['resource', 'https://a.example'] as const, ['resource', 'https://b.example'] as const]
  assert.equal(parse([['device_code', 'gd_1'], ...two]), 'resource_ambiguous')
})

test('RFC 8628 §3.5: an approved code is redeemed for what was granted, whatever the pace', () => {
  const decision = run({ device: { ...approved, polledAt: at(19_999) } })
  assert.ok(decision.do === 'issue')
  assert.deepEqual(decision.spend, {
    kind: 'device',
    handle: handleOf('gd_1'),
    spentFor: 'https://as.example offline_access openid',
  })
  assert.deepEqual(decision.refresh?.successorOf, { token: 'gd_1', salt })
  assert.deepEqual(
    [decision.grantId, decision.scope, decision.idToken],
    ['g1', granted.scope, { grant: granted, nonce: null }],
  )
})

test('a retry within the window brings the same refresh token and spends nothing, even when the code is over', () => {
  const decision = run({ device: { ...redeemed, expiresAt: at(16_000) } })
  assert.ok(decision.do === 'issue')
  assert.deepEqual(decision.spend, { kind: 'device-retry', handle: handleOf('gd_1') })
  assert.deepEqual(decision.refresh?.successorOf, { token: 'gd_1', salt })
})

test('RFC 9449 §5: whoever redeems a code again with a key, where the first had none, is not the first', () => {
  const { metadata } = tv()
  const open = { ...tv(), metadata: { ...metadata, token_endpoint_auth_method: 'none' } }
  assert.equal(run({ device: redeemed, client: open }).do, 'issue')
  const again = run({ device: redeemed, client: open, jkt: 'k' })
  assert.ok(again.do === 'refuse')
  assert.deepEqual([again.refusal.reason, again.revoke], ['device_code_replayed', 'g1'])
  assert.equal(run({ device: redeemed, jkt: 'k' }).do, 'issue', 'one that authenticates is')
})

test('a client without the refresh grant gets none', () => {
  const decision = run({ device: approved, client: tv('tv', [deviceGrant]) })
  assert.ok(decision.do === 'issue')
  assert.equal(decision.refresh, null)
})
