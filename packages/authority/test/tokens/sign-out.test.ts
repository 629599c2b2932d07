/** What dies with the sign-out, the password and the address that it came from, and what outlives them: docs/logout.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Form, formOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import {
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  machine,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { DeviceAtHome, poll } from '../support/device-client.ts'
import { authorizeQuery, codeOf, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'

const at = (id: string, redirect: string, more: JsonObject = {}): JsonObject => ({
  ...machine(id, 'openid profile offline_access invoices:read invoices:write'),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [redirect],
  ...more,
})
const unproven: JsonObject = { token_endpoint_auth_method: 'none', client_secret: null }
const redirects: Readonly<Record<string, string>> = {
  web: 'https://client.example/cb',
  spa: 'https://spa.example/cb',
  loopback: 'http://127.0.0.1:4711/cb',
  scheme: 'com.example.app:/cb',
  claimed: 'https://app.example/cb',
  one: 'https://one.example/cb',
  sister: 'https://one.example/cb',
  two: 'https://two.example/cb',
}

async function openWithClients(database: 'sqlite' | 'postgres'): Promise<Deployment> {
  const deployment = await openDeployment(database)
  const publicClient = (id: string, more: JsonObject = {}): JsonObject => {
    const { client_secret: _, ...rest } = { ...at(id, redirects[id] ?? ''), ...unproven, ...more }
    return rest
  }
  const pairwise = { subject_type: 'pairwise', post_logout_redirect_uris: ['https://one.example/bye'] }
  await declare(deployment, {
    ...declaration,
    clients: [
      ...declaration.clients,
      at('web', redirects['web'] ?? ''),
      publicClient('spa'),
      publicClient('loopback', { application_type: 'native', redirect_uris: ['http://127.0.0.1/cb'] }),
      publicClient('scheme', { application_type: 'native' }),
      publicClient('claimed', { application_type: 'native' }),
      at('one', redirects['one'] ?? '', pairwise),
      at('sister', redirects['sister'] ?? '', { subject_type: 'pairwise' }),
      at('two', redirects['two'] ?? '', { subject_type: 'pairwise' }),
      {
        ...machine('tv', 'openid offline_access invoices:read'),
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      },
    ],
    users: [{ username: 'alice', password: 'correct-horse' }],
  })
  return deployment
}

const request = (client: string, scope = 'invoices:read'): Form =>
  authorizeQuery({ client_id: client, redirect_uri: redirects[client] ?? '', scope })

const isPublic = (client: string) => ['spa', 'loopback', 'scheme', 'claimed'].includes(client)
const sent = (client: string, body: string) =>
  isPublic(client) ? { ...asking(`${body}&client_id=${client}`), authorization: null } : asking(body, { as: client })

const redeem = (it: Deployment, client: string, code: string) =>
  it.authority.token(sent(client, redemption(code, { redirect_uri: redirects[client] ?? '' })))

interface Held {
  readonly access: string
  readonly refresh: string
  readonly idToken: string
}

function heldOf(answer: Awaited<ReturnType<Deployment['authority']['token']>>): Held {
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  const {
    access_token: access = '',
    refresh_token: refresh = '',
    id_token: idToken = '',
  } = answer.value as Record<string, string>
  return { access, refresh, idToken }
}

async function held(it: Deployment, person: PersonAtBrowser, client: string, scope?: string): Promise<Held> {
  return heldOf(await redeem(it, client, await person.code(request(client, scope))))
}

const reasonOf = (answer: { readonly kind: string; readonly error?: { readonly reason?: string } }) =>
  answer.kind === 'ok' ? 'ok' : answer.error?.reason

const claimsOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

const refresh = (it: Deployment, client: string, { refresh: token }: Held) =>
  it.authority.token(sent(client, refreshing(token)))

for (const database of databases) {
  test(`${database}: a code dies with the session it was given in`, async () => {
    const it = await openWithClients(database)
    const person = new PersonAtBrowser(it.authority)
    const codes = new Map<string, string>()
    for (const client of ['web', 'spa', 'loopback', 'two']) {
      codes.set(client, await person.code(request(client, 'openid offline_access invoices:read')))
    }
    person.keep(await it.authority.browser.signOut(person.visitor()))
    for (const [client, code] of codes) assert.equal(reasonOf(await redeem(it, client, code)), 'grant_ended', client)
  })

  test(`${database}: a code dies with the password, whoever sets the new one, also in the session that is kept`, async () => {
    const it = await openWithClients(database)
    const person = new PersonAtBrowser(it.authority)
    const before = await person.code(request('web'))
    const reset = { username: 'alice', password: 'another-correct-horse' }
    assert.equal((await it.authority.admin.users.resetPassword(operator, root, reset)).kind, 'ok')
    assert.equal(reasonOf(await redeem(it, 'web', before)), 'grant_ended')

    it.clock += 2_000
    const again = new PersonAtBrowser(it.authority)
    await again.begin(request('web'))
    const code = codeOf(await again.signIn('alice', 'another-correct-horse'))
    const [account] = await it.authority.browser.accounts(again.visitor())
    assert.ok(account)
    const by = { current: 'another-correct-horse', next: 'a-third-correct-horse' }
    assert.equal(await it.authority.browser.account.changePassword(account, by, again.visitor()), 'changed')
    assert.equal((await it.authority.browser.accounts(again.visitor())).length, 1)
    assert.equal(reasonOf(await redeem(it, 'web', code)), 'grant_ended')
  })

  test(`${database}: a code dies with its redirect URI and its client, and does not come back with them`, async () => {
    const it = await openWithClients(database)
    const person = new PersonAtBrowser(it.authority)
    const { clients } = it.authority.admin
    const replaced = async (redirect_uris: readonly string[], disabled = false) => {
      const found = await clients.find(root, 'web')
      assert.ok(found.kind === 'ok')
      const metadata = { ...found.value.metadata, redirect_uris } as unknown as JsonObject
      const outcome = await clients.replace(operator, root, { ...found.value, metadata, disabled })
      assert.equal(outcome.kind, 'ok', JSON.stringify(outcome))
    }
    const uris = ['https://client.example/cb', 'https://client.example/other']
    await replaced(uris)
    const code = await person.code(request('web'))
    await replaced(uris.slice(1))
    assert.equal(reasonOf(await redeem(it, 'web', code)), 'grant_ended')
    await replaced(uris)
    assert.equal(reasonOf(await redeem(it, 'web', code)), 'grant_ended')
    const second = await person.code(request('web'))
    await replaced(uris, true)
    await replaced(uris)
    assert.equal(reasonOf(await redeem(it, 'web', second)), 'grant_ended')
    // Another address that comes and goes is nothing to a code.
    const third = await person.code(request('web'))
    await replaced(uris.slice(0, 1))
    assert.equal(reasonOf(await redeem(it, 'web', third)), 'ok')
  })

  test(`${database}: sign-out ends refresh tokens of web clients without offline_access, and no others`, async () => {
    const it = await openWithClients(database)
    const person = new PersonAtBrowser(it.authority)
    const offline = 'openid offline_access invoices:read'
    const ends: [string, Held][] = []
    const stays: [string, Held][] = []
    for (const client of ['web', 'spa', 'two']) ends.push([client, await held(it, person, client)])
    for (const client of ['loopback', 'scheme', 'claimed']) stays.push([client, await held(it, person, client)])
    for (const client of ['web', 'spa', 'one', 'loopback'])
      stays.push([client, await held(it, person, client, offline)])
    const device = await DeviceAtHome.ask(it.authority, 'scope=invoices:read')
    const entered = await it.authority.browser.enterUserCode(device.userCode, person.visitor())
    assert.ok(entered.did === 'entered', JSON.stringify(entered))
    person.interaction = entered.interaction
    await person.stand()
    await person.allow()
    stays.push(['tv', heldOf({ kind: 'ok', value: (await poll(it.authority, device.deviceCode)) as JsonObject })])

    person.keep(await it.authority.browser.signOut(person.visitor()))
    for (const [client, token] of [...ends, ...stays]) {
      assert.equal(await isActive(it.authority, token.access, { as: 'api' }), false, client)
    }
    for (const [client, token] of ends) assert.equal(reasonOf(await refresh(it, client, token)), 'grant_ended', client)
    for (const [client, token] of stays) {
      // In the very moment of the sign-out: no clock says that it is good.
      const next = heldOf(await refresh(it, client, token))
      assert.ok(await isActive(it.authority, next.access, { as: 'api' }), client)
      assert.equal(claimsOf(next.access)['sid'], undefined)
    }
  })

  test(`${database}: no refresh token dies of a session that runs out, and a renewed one hands on what ends with it`, async () => {
    const it = await openWithClients(database)
    const person = new PersonAtBrowser(it.authority)
    const token = await held(it, person, 'web')
    it.clock += 13 * 3_600_000
    const next = heldOf(await refresh(it, 'web', token))
    assert.ok(await isActive(it.authority, next.access, { as: 'api' }))

    const other = new PersonAtBrowser(it.authority)
    const first = await held(it, other, 'spa')
    it.clock += 2_000
    await other.begin(authorizeQuery({ client_id: 'web', scope: 'invoices:read', prompt: 'login' }))
    codeOf(await other.signIn())
    const renewed = heldOf(await refresh(it, 'spa', first))
    assert.ok(await isActive(it.authority, renewed.access, { as: 'api' }))
    other.keep(await it.authority.browser.signOut(other.visitor()))
    assert.equal(await isActive(it.authority, renewed.access, { as: 'api' }), false)
    assert.equal(reasonOf(await refresh(it, 'spa', renewed)), 'grant_ended')
  })

  test(`${database}: sign-out against redemptions: each code is refused, or what it gave is dead`, async () => {
    const it = await openWithClients(database)
    const other = it.node()
    for (let round = 0; round < 4; round++) {
      const person = new PersonAtBrowser(it.authority)
      const codes: string[] = []
      for (let n = 0; n < 3; n++) codes.push(await person.code(request('web')))
      const redeeming = codes.map((code, n) =>
        (n % 2 === 0 ? it.authority : other).token(
          sent('web', redemption(code, { redirect_uri: redirects['web'] ?? '' })),
        ),
      )
      const [, ...answers] = await Promise.all([other.browser.signOut(person.visitor()), ...redeeming])
      for (const answer of answers) {
        if (answer.kind === 'error') {
          assert.equal(answer.error.reason, 'grant_ended')
          continue
        }
        const token = heldOf(answer)
        assert.equal(await isActive(it.authority, token.access, { as: 'api' }), false)
        assert.equal(reasonOf(await refresh(it, 'web', token)), 'grant_ended')
      }
    }
  })

  test(`${database}: OIDC Core §8: a session has another sid in every sector, and each is resolved again`, async () => {
    const it = await openWithClients(database)
    const person = new PersonAtBrowser(it.authority)
    const offline = 'openid offline_access invoices:read'
    const [one, sister, two, web, spa] = [
      await held(it, person, 'one', offline),
      await held(it, person, 'sister', offline),
      await held(it, person, 'two', offline),
      await held(it, person, 'web', offline),
      await held(it, person, 'spa', offline),
    ]
    const sid = (token: Held) => {
      assert.equal(claimsOf(token.idToken)['sid'], claimsOf(token.access)['sid'])
      return claimsOf(token.idToken)['sid'] as string
    }
    const [account] = await it.authority.browser.accounts(person.visitor())
    assert.equal(sid(one), sid(sister))
    assert.equal(new Set([sid(one), sid(two), sid(web)]).size, 3)
    assert.deepEqual([sid(web), sid(spa)], [account?.session.id, account?.session.id])
    assert.ok(!`${one.idToken}${one.access}`.includes(Buffer.from(account?.session.id ?? '').toString('base64url')))
    // The same in what is refreshed, on another node, and to the API that asks.
    const again = heldOf(await it.node().token(sent('one', refreshing(one.refresh))))
    assert.equal(sid(again), sid(one))
    const seen = await it.authority.introspect(asking(`token=${again.access}`, { as: 'api' }))
    assert.equal(seen.kind === 'ok' && seen.value['sid'], sid(one))
    // Clients hear of the end by the name they know.
    const parties = await it.store.sessions.parties(root, account?.session.id ?? '')
    assert.deepEqual(
      parties.map((party) => [party.clientId, party.sid]),
      [['one', sid(one)]],
    )
    // A hint of this session needs no question, whichever sector it speaks of.
    for (const [client, token] of [['two', two] as const, ['one', one] as const]) {
      const form = formOf(new URLSearchParams({ id_token_hint: token.idToken, client_id: client }))
      const begun = await it.authority.browser.logout.begin(form, person.visitor())
      assert.ok(begun.kind === 'ok' && begun.value.go === 'hub')
      const left = await it.authority.browser.logout.continue(begun.value.interaction, person.visitor())
      assert.equal(left.go, 'left', client)
      if (client === 'two') {
        assert.equal(await isActive(it.authority, web.access, { as: 'api' }), false)
        person.keep({ sessions: [] })
      }
    }
  })
}
