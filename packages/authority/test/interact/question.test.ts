/** What a person is asked at each step, as the pages get it: about whom, with which choices, and what they would allow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { questionAt } from '../../src/interact/question.ts'

const here = (name: string) => ({
  person: { id: `id-${name}`, username: name, claims: {} },
  authentication: { subject: `id-${name}`, sessionId: `session-${name}` },
})
const displayed = (name: string) => ({ subject: `id-${name}`, username: name, name })
const [alice, bob] = [here('alice'), here('bob')]
const api = { identifier: 'https://api.example', name: 'API', accessTtl: null }
const slow = { identifier: 'https://slow.example', name: 'Slow', accessTtl: 900 }
const quick = { identifier: 'https://quick.example', name: 'Quick', accessTtl: 60 }
const pay = { type: 'pay' }

interface Scene {
  readonly request?: object
  readonly catalogue?: object
  readonly state?: object
}

async function asked(step: object, { request = {}, catalogue = {}, state = {} }: Scene = {}) {
  const metadata = { grant_types: ['refresh_token'] }
  const question = await questionAt(
    {
      visitor: { tenant: 'default' },
      row: { handle: 'i' },
      request: {
        redirectUri: 'https://client.example/cb',
        uiLocales: ['de'],
        loginHint: null,
        resources: [],
        scope: ['openid'],
        ...request,
      },
      device: null,
      client: { id: 'web', origin: 'manual', metadata },
      catalogue: { tenant: { disabledAt: null }, resources: [api, slow, quick], scopes: [], ...catalogue },
      accounts: [alice, bob],
      pendingSecondFactor: null,
      factors: new Map(),
      ...state,
    } as never,
    step as never,
    {
      clock: { now: () => 5 },
      // Nobody has passkeys for a bare address.
      issuers: { issuerOf: () => 'https://127.0.0.1' },
      logos: { cachedVersion: () => 'v1' },
      policy: { accessTtl: 600, refreshIdleTtl: 7, refreshMaxTtl: 8, rememberedBrowserTtl: 9 },
      store: { factors: { passkeys: async () => [] } },
    } as never,
  )
  const { client, logo, redirectUri, uiLocales, device, ...rest } = question
  assert.deepEqual(
    [client.id, logo, redirectUri, uiLocales, device],
    ['web', 'v1', 'https://client.example/cb', ['de'], null],
  )
  return rest
}

test('whoever must show again who they are need not type their name, nor whoever the client names', async () => {
  for (const [again, loginHint, username] of [
    [null, null, ''],
    [null, 'carol', 'carol'],
    [bob.authentication, null, 'bob'],
    [bob.authentication, 'carol', 'bob'],
    [{ subject: 'gone' }, 'carol', 'carol'],
  ] as const)
    assert.deepEqual(await asked({ go: 'login', again }, { request: { loginHint } }), {
      go: 'login',
      again: again !== null,
      username,
      providers: [],
      byAddress: false,
      passkey: null,
    })
})

test('a second factor is asked of whoever is half way in or signed in, with what they have', async () => {
  const has = { otp: true, passkey: false, recoveryCodes: 3 }
  const factors = new Map([['id-bob', has]])
  for (const [passkeyOnly, state] of [
    [false, { factors }],
    [true, { factors, accounts: [alice], pendingSecondFactor: bob }],
    [false, { accounts: [], pendingSecondFactor: bob }],
  ] as const)
    assert.deepEqual(await asked({ go: 'second-factor', subject: 'id-bob', passkeyOnly }, { state }), {
      go: 'second-factor',
      account: displayed('bob'),
      factors: 'factors' in state ? has : { otp: false, passkey: false, recoveryCodes: 0 },
      passkeyOnly,
      rememberFor: 9,
      passkey: null,
    })
  await assert.rejects(asked({ go: 'second-factor', subject: 'id-carol', passkeyOnly: false }))
})

test('accounts are offered by name, and a new password and terms are asked of the one that answers', async () => {
  assert.deepEqual(await asked({ go: 'choose' }), { go: 'choose', accounts: [displayed('alice'), displayed('bob')] })
  const account = bob.authentication
  assert.deepEqual(await asked({ go: 'new-password', account }), { go: 'new-password', account: displayed('bob') })
  const terms = { version: '2', url: 'https://as.example/terms' }
  assert.deepEqual(await asked({ go: 'terms', account, terms }), { go: 'terms', account: displayed('bob'), terms })
})

test('consent says for whom, to which APIs, and for how long', async () => {
  const question = { missing: new Set(['openid']) }
  const consent = async (scene: Scene = {}) => {
    const shown = await asked({ go: 'consent', account: bob.authentication, question }, scene)
    assert.ok(shown.go === 'consent')
    return shown
  }
  const { scopes, ...bare } = await consent()
  assert.equal(scopes.has('invoices:read'), false)
  assert.deepEqual(bare, {
    go: 'consent',
    account: displayed('bob'),
    question,
    detailTypes: [],
    resources: [],
    accessTtl: 600,
    lasting: null,
    now: 5,
  })
  const catalogue = { scopes: [{ name: 'invoices:read' }], authorizationDetailTypes: [pay] }
  const declared = await consent({ catalogue })
  assert.deepEqual([declared.scopes.has('invoices:read'), declared.detailTypes], [true, [pay]])
  for (const [resources, names, accessTtl] of [
    [[api], ['API'], 600],
    [[slow], ['Slow'], 900],
    [[api, quick, slow], ['API', 'Slow', 'Quick'], 900],
    [[quick], ['Quick'], 600],
  ] as const) {
    const shown = await consent({ request: { resources: resources.map((it) => it.identifier) } })
    const shownNames = shown.resources.map(({ name }) => name)
    assert.deepEqual([shownNames, shown.accessTtl], [names, accessTtl])
  }
  const lasting = await consent({ request: { scope: ['openid', 'offline_access'] } })
  assert.deepEqual(lasting.lasting, { idle: 7, max: 8 })
  await assert.rejects(asked({ go: 'consent', account: { sessionId: 'gone' }, question }))
})
