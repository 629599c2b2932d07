/** What a person's yes makes: how long it lives, what it is bound to, what is written down of it, and for whom. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicy, type Policy } from '@grantor/protocol/oauth'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { consentGranted, newConsent, newGrant } from '../../src/interact/new-grant.ts'
import { approveDevice, denyDevice, settledDevice } from '../../src/interact/settle-device.ts'
import { api, root } from '../support/deployment.ts'

const now = 1_800_000_000_000 as Instant
const redirectUri = 'https://client.example/cb'
const client = {
  tenant: root,
  id: 'web',
  version: 2,
  origin: 'declared',
  disabledAt: null,
  metadata: { client_name: 'Invoices', redirect_uris: [redirectUri], grant_types: ['authorization_code'] },
}
const request = {
  resources: [api],
  claims: null,
  nonce: 'n',
  dpopJkt: null,
  redirectUri,
  scope: ['openid', 'invoices:read'],
  subject: 'asked-for',
}
const visitor = { tenant: root, browser: 'gb_x', ip: '192.0.2.1', traceId: null }
const approval = { subject: 'alice', scope: ['openid'] }
const catalogue = {
  tenant: { id: root, revision: 7 },
  resources: [
    { identifier: api, accessTtl: 2_000 },
    { identifier: 'https://other.example', accessTtl: 9_000 },
    { identifier: 'https://plain.example' },
  ],
}
const state = (more: object = {}) =>
  ({
    visitor,
    request,
    client,
    catalogue,
    device: null,
    row: { handle: 'i' },
    progress: { approval },
    ...more,
  }) as never
const account = { subject: 'alice', sessionId: 's1', at: now, acr: 'x', amr: [] }
const step = (...scope: string[]) => ({ go: 'respond', account, scope: new Set(scope) }) as never
const policy: Policy = { ...defaultPolicy, accessTtl: 300, codeTtl: 60 }
const ids = { id: () => 'id', handleOf: (text: string) => `#${text}` }
const deps = {
  clock: { now: () => now },
  ids,
  policy,
  consentTextVersion: 'v1',
  store: { keys: { derived: () => '' } },
}
const parts = deps as never
const asking = (more: object) => ({ request: { ...request, ...more } })

describe('a grant', () => {
  test('lives as long as the last token of the APIs that were asked for, and of no others', () => {
    const asked = [[api], [], ['https://plain.example'], [api, 'https://other.example']]
    const lives = (scope: string) =>
      asked.map((resources) => (newGrant(state(asking({ resources })), step(scope), parts).expiresAt - now) / 1000)
    assert.deepEqual(lives('profile'), [2_060, 360, 360, 9_060])
    // An ID token says who signed in for as long as it lives.
    assert.deepEqual(lives('openid'), [2_060, 660, 660, 9_060])
  })

  test('is the person’s, of this client, as it was asked for; it ends with its session, and a device’s does not', () => {
    assert.deepEqual(newGrant(state(), step('openid'), parts), {
      id: 'id',
      tenant: root,
      clientId: 'web',
      authentication: account,
      scope: new Set(['openid']),
      resources: [api],
      claims: null,
      nonce: 'n',
      confirmation: null,
      pairwiseSubject: null,
      pairwiseSid: null,
      createdAt: now,
      expiresAt: now + 2_060_000,
      revokedAt: null,
      endsWithSession: 's1',
      sessionEndedAt: null,
    })
    assert.equal(newGrant(state(), step('offline_access'), parts).endsWithSession, null)
    assert.equal(newGrant(state({ device: {} }), step('openid'), parts).endsWithSession, null)
  })

  test('is bound to the key that was named, and says what was asked for in detail', () => {
    const details = [{ type: 'payment' }]
    const bound = newGrant(state(asking({ dpopJkt: 'jkt', authorizationDetails: details })), step(), parts)
    assert.deepEqual([bound.confirmation, bound.authorizationDetails], [{ jkt: 'jkt' }, details])
    const older = newGrant(state(asking({ dpopJkt: undefined })), step(), parts)
    assert.equal(older.confirmation, null, 'requests of earlier releases say nothing of it')
  })
})

test('a record of consent says what was shown, to whom and where; the log names it', () => {
  const grant = newGrant(state(), step('openid', 'invoices:read'), parts)
  const consent = newConsent(state(), grant, parts)
  assert.deepEqual(consent, {
    id: 'id',
    tenant: root,
    subject: 'alice',
    clientId: 'web',
    client: { name: 'Invoices', host: 'client.example' },
    scope: 'invoices:read openid',
    resources: [api],
    authorizationDetails: null,
    claims: null,
    grantedAt: now,
    expiresAt: null,
    how: 'page',
    textVersion: 'v1',
    grantId: 'id',
  })
  const details = [{ type: 'payment' }] as never
  assert.deepEqual(newConsent(state(), { ...grant, authorizationDetails: details }, parts).authorizationDetails, {
    details,
  })
  const { name, actor, subject, clientId, grantId, scope, data } = consentGranted(state(), consent, parts)
  assert.deepEqual(
    [name, actor, subject, clientId, grantId, scope, data],
    [
      'consent.granted',
      { kind: 'user', id: 'alice' },
      'alice',
      'web',
      'id',
      'invoices:read openid',
      { consent_id: 'id', resources: [api], how: 'page' },
    ],
  )
})

describe('a device', () => {
  const byPing = { handle: 'd', backchannel: { bindingMessage: null } }
  type Settled = JsonObject & { readonly events: readonly JsonObject[]; readonly grant: { readonly expiresAt: number } }

  function store(outcome: string) {
    const done: Settled[] = []
    const settle = async (it: Settled) => (done.push(it), outcome)
    const devicePolicy = { ...policy, deviceTtl: 600, backchannelTtl: 120 }
    return {
      done,
      deps: {
        ...deps,
        policy: devicePolicy,
        store: { ...deps.store, devices: { approve: settle, deny: settle } },
      } as never,
    }
  }
  const at = (device: object, more: object = {}) => state({ device, ...more })
  const names = (it: Settled | undefined) => it?.events.map(({ name }) => name)

  test('what was allowed can be fetched as long as its code lives, or its request by the back channel', async () => {
    for (const [device, life, how, events] of [
      [{ handle: 'd' }, 600, 'device', ['consent.granted']],
      [byPing, 120, 'back_channel', ['consent.granted', 'backchannel.approved']],
    ] as const) {
      const it = store('opened')
      const shown = await approveDevice(at(device), step('openid'), it.deps)
      const backchannel = device === byPing
      assert.deepEqual(shown, {
        kind: 'ok',
        value: { go: 'device', outcome: 'approved', client: 'Invoices', backchannel },
      })
      const [only = assert.fail()] = it.done
      assert.equal(only.grant.expiresAt - now, (life + 2_000) * 1000)
      assert.deepEqual([names(only), (only['consent'] as JsonObject)['how']], [events, how])
      assert.deepEqual([only['device'], only['interaction'], only['at']], ['d', 'i', now])
    }
  })

  test('without an approval given just now nothing is approved; who was outrun is told so, and stale facts are', async () => {
    const reason = { kind: 'error', error: { reason: 'interaction_gone' } }
    const none = store('opened')
    assert.deepEqual(await approveDevice(at(byPing, { progress: { approval: null } }), step(), none.deps), reason)
    assert.deepEqual(none.done, [])
    assert.deepEqual(await approveDevice(at(byPing), step(), store('gone').deps), reason)
    assert.equal(await approveDevice(at(byPing), step(), store('stale').deps), 'stale')
    assert.deepEqual(await denyDevice(at(byPing), store('gone').deps), reason)
  })

  test('a denial by the back channel is written down for whom it asked; that of a device leaves no trace', async () => {
    const it = store('denied')
    const shown = await denyDevice(at(byPing), it.deps)
    assert.deepEqual(shown, {
      kind: 'ok',
      value: { go: 'device', outcome: 'denied', client: 'Invoices', backchannel: true },
    })
    const [{ events: [event], ...denial } = assert.fail()] = it.done
    assert.deepEqual(denial, { tenant: root, device: 'd', interaction: 'i', at: now })
    assert.deepEqual(
      [
        event?.['name'],
        event?.['subject'],
        event?.['actor'],
        event?.['clientId'],
        event?.['grantId'],
        event?.['scope'],
      ],
      ['backchannel.denied', 'asked-for', { kind: 'user', id: 'asked-for' }, 'web', null, 'openid invoices:read'],
    )
    const quiet = store('denied')
    await denyDevice(at({ handle: 'd' }), quiet.deps)
    assert.deepEqual(quiet.done[0]?.events, [])
  })

  test('what became of it is told to its browser, by the name of its client or its id', async () => {
    const row = { kind: 'device', browser: '#gb_x', request: { device: byPing, clientId: 'web' } }
    const waits = { approved: false, deniedAt: null, expiresAt: now + 1 }
    const told = async (device: object | null, more: { row?: object | null; client?: object | null } = {}) => {
      const held = more.row === undefined ? row : more.row
      const known = more.client === undefined ? client : more.client
      const result = await settledDevice(
        'gi' as never,
        visitor as never,
        {
          ...deps,
          directory: { currentClient: async () => known },
          store: { interactions: { find: async () => held }, devices: { find: async () => device } },
        } as never,
      )
      return result.kind === 'error' ? result.error.reason : result.value
    }
    const shown = { go: 'device', client: 'Invoices', backchannel: true }
    assert.deepEqual(await told({ ...waits, approved: true }), { ...shown, outcome: 'approved' })
    assert.deepEqual(await told({ ...waits, deniedAt: 1, expiresAt: 0 }), { ...shown, outcome: 'denied' })
    assert.deepEqual(await told({ ...waits, expiresAt: now }), { ...shown, outcome: 'expired' })
    assert.deepEqual(await told(null, { client: null }), { ...shown, client: 'web', outcome: 'expired' })
    assert.equal(await told(waits), 'interaction_gone')
    for (const other of [null, { ...row, kind: 'authorize' }, { ...row, browser: '#gb_y' }])
      assert.equal(await told(null, { row: other }), 'interaction_gone')
  })
})
