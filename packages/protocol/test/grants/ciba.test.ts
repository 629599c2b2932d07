/** The CIBA grant: what a poll is answered in every state of its request, and in any order of what may happen to it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { ciba } from '../../src/grants/ciba.ts'
import { cibaGrant } from '../../src/grants/grant-types.ts'
import type { DeviceFacts } from '../../src/grants/grant.ts'
import { formOf } from '../../src/oauth/form.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { Handle } from '../../src/types.ts'
import { at, catalogue, client, grant, issuer, person } from '../samples.ts'

const handleOf = (text: string) => createHash('sha256').update(text).digest('base64url') as Handle
const bank = (id = 'bank') =>
  client({ grant_types: [cibaGrant, 'refresh_token'], scope: 'openid offline_access' }, { id })
const granted = grant({ clientId: 'bank' })
const waiting: DeviceFacts = {
  backchannel: true,
  clientId: 'bank',
  expiresAt: at(600_000),
  interval: 5,
  polledAt: null,
  deniedAt: null,
  grant: null,
  redeemedAt: null,
  spentFor: null,
  successorSpentAt: null,
  salt: Uint8Array.from([1]),
}

interface Poll {
  readonly request: DeviceFacts | null
  readonly by?: string
  readonly now?: number
}

function poll({ request, by = 'bank', now = 20_000 }: Poll) {
  const params = ciba.parse(formOf([['auth_req_id', 'gx_1']]), handleOf)
  assert.ok(params.kind === 'ok')
  return ciba.decide({
    params: params.value,
    facts: { request },
    client: bank(by),
    catalogue: catalogue(),
    issuer,
    policy: defaultPolicy,
    now: at(now),
    person: person(),
  })
}

const approved = { ...waiting, grant: granted }
const { backchannel: _, ...device } = approved

const refused: readonly (readonly [title: string, poll: Poll, reason: string])[] = [
  ['an unknown one', { request: null }, 'auth_req_id_unknown'],
  ['the code of a device, even an approved one', { request: device }, 'auth_req_id_unknown'],
  ['one of another client', { request: approved, by: 'other' }, 'auth_req_id_of_another_client'],
  ['one that waits', { request: waiting }, 'device_pending'],
  ['one asked for too soon', { request: { ...waiting, polledAt: at(18_000) } }, 'device_polled_too_fast'],
  ['a denied one', { request: { ...waiting, deniedAt: at(1_000) } }, 'device_denied'],
  ['a denied one whose time is over', { request: { ...waiting, deniedAt: at(1) }, now: 700_000 }, 'device_denied'],
  ['one that nobody answered in time', { request: waiting, now: 600_000 }, 'auth_req_id_expired'],
  ['an approved one that was not fetched in time', { request: approved, now: 600_000 }, 'auth_req_id_expired'],
  ['a redeemed one', { request: { ...approved, redeemedAt: at(19_000) } }, 'auth_req_id_used'],
]
for (const [title, asked, reason] of refused)
  test(`CIBA §11: ${title} → ${reason}`, () => {
    const decision = poll(asked)
    assert.ok(decision.do === 'refuse')
    assert.equal(decision.refusal.reason, reason)
    // A replay by the client itself ends nothing, and nobody else could make one.
    assert.equal(decision.revoke, null)
  })

test('CIBA §10.1.1: an approved one brings tokens at once, however short ago it was asked for', () => {
  const decision = poll({ request: { ...approved, polledAt: at(19_999) } })
  assert.ok(decision.do === 'issue')
  assert.equal(decision.idToken?.grant, granted)
  assert.ok(decision.refresh)
})

type Happening =
  | { readonly is: 'poll'; readonly by: 'bank' | 'other' }
  | { readonly is: 'approve' }
  | { readonly is: 'deny' }
  | { readonly is: 'wait'; readonly ms: number }

const happenings: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Happening>({ is: 'poll', by: 'bank' }) },
    fc.constant<Happening>({ is: 'poll', by: 'other' }),
    fc.constantFrom<Happening>({ is: 'approve' }, { is: 'deny' }),
    fc.record({ is: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 250_000 }) }),
  ),
  { maxLength: 40 },
)

test('in any order of polls, answers and time: tokens once, for who asked, after the approval, before the end', () => {
  fc.assert(
    fc.property(happenings, (order) => {
      let now = 20_000
      let request = waiting
      let issued = 0
      for (const it of order) {
        const decided = request.grant !== null || request.deniedAt !== null
        const alive = now < request.expiresAt
        if (it.is === 'wait') now += it.ms
        // As the store guards it: the first answer counts, and none that comes too late.
        else if (it.is === 'approve') request = decided || !alive ? request : { ...request, grant: granted }
        else if (it.is === 'deny') request = decided || !alive ? request : { ...request, deniedAt: at(now) }
        else {
          const decision = poll({ request, by: it.by, now })
          if (decision.do === 'issue') {
            issued += 1
            assert.ok(it.by === 'bank' && alive && request.grant !== null && request.deniedAt === null)
            request = { ...request, redeemedAt: at(now) }
            continue
          }
          assert.ok(decision.do === 'refuse')
          const { reason } = decision.refusal
          if (it.by === 'other') assert.equal(reason, 'auth_req_id_of_another_client')
          else if (reason === 'device_pending' || reason === 'device_polled_too_fast') {
            assert.ok(!decided && alive)
            assert.equal(decision.slower !== null, reason === 'device_polled_too_fast')
            const interval = decision.slower === null ? request.interval : request.interval + 5
            request = { ...request, polledAt: at(now), interval }
          } else if (reason === 'device_denied') assert.notEqual(request.deniedAt, null)
          else if (reason === 'auth_req_id_used') assert.equal(issued, 1)
          else assert.deepEqual([reason, alive], ['auth_req_id_expired', false])
        }
      }
      assert.ok(issued <= 1)
    }),
    { numRuns: 500 },
  )
})
