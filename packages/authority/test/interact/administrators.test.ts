/** Administration needs who, not only scope: whatever a client asks and a person says, only an administrator holds it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import type { Actor } from '@grantor/protocol/events'
import type { JsonObject } from '@grantor/protocol/types'
import {
  asking,
  databases,
  declare,
  type Deployment,
  machine,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { answerOf, authorizeQuery, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'

const device = 'urn:ietf:params:oauth:grant-type:device_code'
const admin = 'admin:clients:read admin:clients:write'

const adminClient: JsonObject = {
  ...machine('web', `openid offline_access ${admin} metrics:read`),
  grant_types: ['authorization_code', 'refresh_token', device],
  response_types: ['code'],
  redirect_uris: [redirectUri],
}
const people = (alice: JsonObject = {}): JsonObject[] => [
  { username: 'alice', password: 'correct-horse', ...alice },
  { username: 'bob', password: 'battery-staple', administrator: 'owner' },
  // The others may cease to be one.
  { username: 'zoe', administrator: 'owner' },
]

async function open(database: (typeof databases)[number], alice: JsonObject = {}): Promise<Deployment> {
  const deployment = await openDeployment(database)
  await declare(deployment, { clients: [adminClient, machine('svc', admin)], users: people(alice) })
  return deployment
}

const query = (more: Record<string, string> = {}) =>
  authorizeQuery({ scope: `openid offline_access ${admin} metrics:read`, resource: '', ...more })

async function tokensOf(authority: Authority, code: string): Promise<Record<string, string>> {
  const answer = await authority.token(asking(redemption(code), { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value as Record<string, string>
}

async function refreshed(authority: Authority, token: string, more: Record<string, string> = {}) {
  const answer = await authority.token(asking(refreshing(token, more), { as: 'web' }))
  return answer.kind === 'ok' ? (answer.value as Record<string, string>) : { error: answer.error.reason }
}

/** What our own APIs see of a token. */
async function scopeInUse(authority: Authority, token: string): Promise<string> {
  const found = await authority.admin.tokens.inspect(root, token)
  assert.ok(found.kind === 'ok' && found.value['active'] === true)
  return found.value['scope'] as string
}

async function codeOf(authority: Authority, who: readonly [string, string], form = query()): Promise<string> {
  const person = new PersonAtBrowser(authority)
  await person.begin(form)
  const shown = await person.signIn(...who)
  return answerOf(shown.go === 'consent' ? await person.allow() : shown).get('code') ?? ''
}

const alice = ['alice', 'correct-horse'] as const
const bob = ['bob', 'battery-staple'] as const
const all = `${admin} metrics:read offline_access openid`

const setAdministrator = async (authority: Authority, username: string, administrator: string | null) => {
  const changed = await authority.admin.users.setAdministrator(operator, root, { username, administrator })
  assert.ok(changed.kind === 'ok')
}

for (const database of databases) {
  describe(`administrators on ${database}`, () => {
    test('who is none is neither asked for the scopes of administration nor given them', async () => {
      const { authority } = await open(database)
      const person = new PersonAtBrowser(authority)
      await person.begin(query())
      const consent = await person.signIn(...alice)
      assert.ok(consent.go === 'consent')
      assert.deepEqual([...consent.question.missing].toSorted(), ['offline_access', 'openid'])
      const tokens = await tokensOf(authority, answerOf(await person.allow()).get('code') ?? '')
      assert.equal(tokens['scope'], 'offline_access openid')
      // Consent is remembered now, and brings no more than was given.
      const again = answerOf(await person.begin(query({ prompt: 'none' })))
      assert.equal((await tokensOf(authority, again.get('code') ?? ''))['scope'], 'offline_access openid')
    })

    test('a request for nothing else is answered with access_denied', async () => {
      const { authority } = await open(database)
      const person = new PersonAtBrowser(authority)
      await person.begin(query({ scope: admin }))
      assert.equal(answerOf(await person.signIn(...alice)).get('error'), 'access_denied')
    })

    test('an owner is asked, and gets what they allow', async () => {
      const { authority } = await open(database)
      const tokens = await tokensOf(authority, await codeOf(authority, bob))
      assert.equal(tokens['scope'], all)
      assert.equal(await scopeInUse(authority, tokens['access_token'] ?? ''), all)
    })

    test('who ceases to be one loses it in issued tokens, at refresh and in codes, on every node, and keeps the rest', async () => {
      const deployment = await open(database)
      const { authority } = deployment
      const elsewhere = deployment.node()
      const tokens = await tokensOf(authority, await codeOf(authority, bob))
      const code = await codeOf(authority, bob)
      assert.equal(await scopeInUse(elsewhere, tokens['access_token'] ?? ''), all)
      await setAdministrator(authority, 'bob', null)
      for (const node of [authority, elsewhere])
        assert.equal(await scopeInUse(node, tokens['access_token'] ?? ''), 'offline_access openid')
      assert.equal((await tokensOf(elsewhere, code))['scope'], 'offline_access openid')
      const next = await refreshed(elsewhere, tokens['refresh_token'] ?? '')
      assert.equal(next['scope'], 'offline_access openid')
      const asked = await refreshed(elsewhere, next['refresh_token'] ?? '', { scope: `openid ${admin}` })
      assert.equal(asked['scope'], 'openid')
      const only = await refreshed(elsewhere, asked['refresh_token'] ?? '', { scope: admin })
      assert.equal(only['error'], 'scope_exceeds_grant')
      const introspected = await authority.introspect(asking(`token=${tokens['access_token']}`, { as: 'web' }))
      assert.ok(introspected.kind === 'ok')
      assert.equal(introspected.value['scope'], 'offline_access openid')
    })

    test('consent that was given as an owner counts for nothing while the person is none', async () => {
      const { authority } = await open(database)
      const person = new PersonAtBrowser(authority)
      await person.begin(query())
      await person.signIn(...bob)
      await person.allow()
      await setAdministrator(authority, 'bob', null)
      const silent = answerOf(await person.begin(query({ prompt: 'none' })))
      assert.equal((await tokensOf(authority, silent.get('code') ?? ''))['scope'], 'offline_access openid')
    })

    test('somebody who loses it between the question and the answer gives none of it', async () => {
      const { authority } = await open(database)
      const person = new PersonAtBrowser(authority)
      await person.begin(query())
      const consent = await person.signIn(...bob)
      assert.ok(consent.go === 'consent' && consent.question.missing.has('admin:clients:read'))
      await setAdministrator(authority, 'bob', null)
      const tokens = await tokensOf(authority, answerOf(await person.allow()).get('code') ?? '')
      assert.equal(tokens['scope'], 'offline_access openid')
    })

    test('a device gets no more than a browser does', async () => {
      const { authority } = await open(database)
      const request = { ...asking(`scope=${encodeURIComponent(`openid ${admin}`)}`, { as: 'web' }), userAgent: null }
      const begun = await authority.deviceAuthorization(request)
      assert.ok(begun.kind === 'ok', JSON.stringify(begun))
      const person = new PersonAtBrowser(authority)
      person.keep(authority.browser.nameBrowser(person.visitor()))
      const entered = await authority.browser.enterUserCode(begun.value['user_code'] as string, person.visitor())
      assert.ok('interaction' in entered, JSON.stringify(entered))
      person.interaction = entered.interaction
      const consent = await person.signIn(...alice)
      assert.ok(consent.go === 'consent')
      assert.deepEqual([...consent.question.missing], ['openid'])
      await person.allow()
      const polled = new URLSearchParams({ grant_type: device, device_code: begun.value['device_code'] as string })
      const answer = await authority.token(asking(polled.toString(), { as: 'web' }))
      assert.ok(answer.kind === 'ok', JSON.stringify(answer))
      assert.equal(answer.value['scope'], 'openid')
    })

    test('a client holds them by its own credentials, as it is registered', async () => {
      const { authority } = await open(database)
      const answer = await authority.token(asking(`grant_type=client_credentials&scope=${encodeURIComponent(admin)}`))
      assert.ok(answer.kind === 'ok')
      assert.equal(await scopeInUse(authority, answer.value['access_token'] as string), admin)
    })

    test('an administrator is named by the machine or by an owner, never by a client or anybody else', async () => {
      const { authority, store } = await open(database)
      const { users } = authority.admin
      const idOf = async (name: string) => (await store.users.byUsername(root, name))?.id ?? null
      const client: Actor = { kind: 'client', id: 'svc' }
      const nobody: Actor = { kind: 'user', id: await idOf('alice') }
      const owner: Actor = { kind: 'user', id: await idOf('bob') }
      const carol = { username: 'carol', password: 'correct-horse', claims: {}, administrator: 'owner' }
      for (const by of [client, nobody, { kind: 'resource_server', id: 'svc' } as const]) {
        const acts = [
          await users.create(by, root, carol),
          await users.setAdministrator(by, root, { username: 'alice', administrator: 'owner' }),
          await users.setAdministrator(by, root, { username: 'bob', administrator: null }),
          // Each of these would be a way to become the owner, or to shut the owner out.
          await users.resetPassword(by, root, { username: 'bob', password: 'another-password' }),
          await users.resetFactors(by, root, 'bob'),
          await users.setDisabled(by, root, { username: 'bob', disabled: true }),
        ]
        for (const act of acts) assert.equal(act.kind === 'error' && act.error.reason, 'forbidden')
      }
      assert.equal(await idOf('carol'), null)
      assert.ok((await users.create(client, root, { ...carol, administrator: null })).kind === 'ok')
      assert.ok(
        (await users.setAdministrator(owner, root, { username: 'carol', administrator: 'owner' })).kind === 'ok',
      )
      await users.setDisabled(operator, root, { username: 'bob', disabled: true })
      const disabled = await users.setAdministrator(owner, root, { username: 'alice', administrator: 'owner' })
      assert.equal(disabled.kind === 'error' && disabled.error.reason, 'forbidden')
    })

    test('a kind that is not known is refused, by name', async () => {
      const { authority } = await open(database)
      const { users, declared } = authority.admin
      for (const kind of ['king', 'root', 'toString', '']) {
        const input = { username: 'dora', password: 'correct-horse', claims: {}, administrator: kind }
        const refusals = [
          await users.create(operator, root, input),
          await users.setAdministrator(operator, root, { username: 'alice', administrator: kind }),
          await declared.plan({ users: [{ username: 'alice', administrator: kind }] }),
        ]
        for (const refused of refusals) {
          assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid', kind)
          assert.match(refused.error.problems[0]?.field ?? '', /administrator$/)
          assert.equal(refused.error.problems[0]?.problem, 'must be one of owner, operator, support, auditor')
        }
      }
    })

    test('a file says who is one; what is exported is planned as no change', async () => {
      const { authority, store } = await open(database)
      const { declared } = authority.admin
      const exported = await declared.export()
      assert.ok(exported.kind === 'ok')
      const people = exported.value['users'] as { readonly username: string }[]
      assert.deepEqual(
        people.toSorted((a, b) => a.username.localeCompare(b.username)),
        [
          { username: 'alice' },
          { username: 'bob', administrator: 'owner' },
          { username: 'zoe', administrator: 'owner' },
        ],
      )
      const same = await declared.plan(exported.value)
      assert.deepEqual(same.kind === 'ok' && same.value.steps, [])
      assert.ok((await declared.apply(operator, { users: [{ username: 'bob' }] })).kind === 'ok')
      assert.equal((await store.users.byUsername(root, 'bob'))?.administrator, null)
    })

    test('of many nodes that start at once one makes the first owner, who must choose a password', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, { clients: [adminClient] })
      const nodes = Array.from({ length: 8 }, () => deployment.node())
      const system: Actor = { kind: 'system', id: 'start' }
      const made = await Promise.all(
        nodes.map((node, n) =>
          node.admin.firstOwner.ensure(system, { password: `one-time-${n}`, mustChangePassword: true }),
        ),
      )
      const outcomes = made.map((it) => (it.kind === 'ok' ? it.value : it.error.reason))
      assert.deepEqual(outcomes.toSorted(), [...Array.from({ length: 7 }, () => 'has-owner'), 'made'])
      const { authority } = deployment
      const person = new PersonAtBrowser(authority)
      await person.begin(query())
      const password = `one-time-${outcomes.indexOf('made')}`
      const asked = await person.signIn('admin', password)
      assert.ok(asked.go === 'new-password' && asked.account.username === 'admin')
      const choose = async (next: string) => {
        const chosen = await authority.browser.chooseNewPassword(person.at(), next)
        return chosen.kind === 'ok' ? chosen.value : chosen.error.reason
      }
      // Nothing goes on before it: not consent, not another request, not a silent one.
      await authority.browser.answerConsent(person.at(), { allow: true, ticked: new Set() })
      assert.equal((await person.stand()).go, 'new-password')
      const { interaction } = person
      assert.equal((await person.begin(query())).go, 'new-password')
      assert.equal(answerOf(await person.begin(query({ prompt: 'none' }))).get('error'), 'login_required')
      person.interaction = interaction
      assert.deepEqual([await choose('short'), await choose(password)], ['too_short', 'unchanged'])
      assert.equal(await choose('correct-horse-battery'), 'changed')
      assert.equal((await person.stand()).go, 'consent')
      // A second post changes nothing: the one-time right is gone.
      assert.equal(await choose('an-intruder-was-here'), 'changed')
      const next = new PersonAtBrowser(authority)
      await next.begin(query())
      assert.equal((await next.signIn('admin', 'an-intruder-was-here')).go, 'login')
      assert.equal((await next.signIn('admin', password)).go, 'login')
      assert.equal((await next.signIn('admin', 'correct-horse-battery')).go, 'consent')
    })

    test('no owner is made where one is declared, and nobody becomes one for being called admin', async () => {
      const declared = await open(database)
      const input = { password: 'one-time-password', mustChangePassword: true }
      const ensured = await declared.authority.admin.firstOwner.ensure(operator, input)
      assert.equal(ensured.kind === 'ok' && ensured.value, 'has-owner')
      assert.equal(await declared.store.users.byUsername(root, 'admin'), null)
      const taken = await openDeployment(database)
      await declare(taken, { users: [{ username: 'admin', password: 'correct-horse' }] })
      const refused = await taken.authority.admin.firstOwner.ensure(operator, input)
      assert.equal(refused.kind === 'ok' && refused.value, 'name-taken')
      assert.equal((await taken.store.users.byUsername(root, 'admin'))?.administrator, null)
    })
  })
}
