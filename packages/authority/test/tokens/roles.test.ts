/** A person gets at most what their roles allow, a client what it may ask, a consent what was given: the token is all three. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { formatScope } from '@grantor/protocol/oauth'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'
import { answerOf, authorizeQuery, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'

const granting = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
}
const [invoices, opaque] = declaration.resources
const everything = 'openid profile offline_access invoices:read invoices:write'

const objects: JsonObject = {
  ...declaration,
  resources: [{ ...invoices, require_roles: true }, { ...opaque }],
  clients: [
    ...declaration.clients,
    { ...machine('web', everything), ...granting },
    { ...machine('narrow', 'openid offline_access invoices:read'), ...granting },
  ],
  roles: [
    { name: 'reader', resource: api, scopes: ['invoices:read'] },
    { name: 'clerk', resource: api, scopes: ['invoices:read', 'invoices:write'] },
  ],
  groups: [{ name: 'Office', roles: ['clerk'] }],
  users: [
    { username: 'alice', password: 'correct-horse', groups: ['office'] },
    { username: 'bob', password: 'battery-staple', roles: ['reader'] },
    { username: 'cyd', password: 'staple-of-horses' },
    { username: 'dee', password: 'horse-of-batteries', roles: ['reader'] },
  ],
}
const passwords = {
  alice: 'correct-horse',
  bob: 'battery-staple',
  cyd: 'staple-of-horses',
  dee: 'horse-of-batteries',
} as const
type Name = keyof typeof passwords

interface Tokens extends JsonObject {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

/** Signs in, agrees to all that is asked, and redeems the code. */
async function tokensOf(authority: Authority, who: Name, more: Record<string, string> = {}) {
  const person = new PersonAtBrowser(authority)
  const client = more['client_id'] ?? 'web'
  await person.begin(authorizeQuery({ scope: everything, ...more }))
  const asked = await person.signIn(who, passwords[who])
  const shown = asked.go === 'consent' ? [...asked.question.missing, ...asked.question.already] : null
  const answer = answerOf(asked.go === 'consent' ? await person.allow(...(shown ?? [])) : asked)
  const code = answer.get('code')
  if (code === null) return { error: answer.get('error'), shown, tokens: null }
  const redeemed = await authority.token(asking(redemption(code), { as: client }))
  assert.ok(redeemed.kind === 'ok', JSON.stringify(redeemed))
  return { error: null, shown, tokens: redeemed.value as Tokens }
}

const scopeOf = async (authority: Authority, token: string): Promise<unknown> => {
  const answer = await authority.introspect(asking(`token=${token}`, { as: 'api' }))
  assert.ok(answer.kind === 'ok')
  return answer.value['active'] === true ? answer.value['scope'] : 'inactive'
}

const refreshed = async (authority: Authority, token: string): Promise<Tokens> => {
  const answer = await authority.token(asking(refreshing(token), { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value as Tokens
}

const group = async ({ authority }: Deployment, name = 'Office', tenant: TenantId = root) => {
  const found = await authority.admin.groups.byName(tenant, name)
  assert.ok(found.kind === 'ok')
  return found.value
}

const idOf = async ({ store }: Deployment, who: Name): Promise<string> =>
  (await store.users.byUsername(root, who))?.id ?? ''

for (const database of databases) {
  describe(`roles on ${database}`, async () => {
    const it = await openDeployment(database)
    await declare(it, objects)
    const { admin } = it.authority

    test('a token holds what was asked, what the client may ask, what the roles allow and what was agreed to', async () => {
      for (const [who, more, scope] of [
        ['alice', {}, everything],
        [
          'alice',
          { client_id: 'narrow', scope: 'openid offline_access invoices:read' },
          'openid offline_access invoices:read',
        ],
        ['alice', { scope: 'openid invoices:write' }, 'openid invoices:write'],
        ['bob', {}, 'openid profile offline_access invoices:read'],
        ['cyd', {}, 'openid profile offline_access'],
      ] as const) {
        const { tokens, shown } = await tokensOf(it.authority, who, more)
        assert.deepEqual(tokens?.scope.split(' ').toSorted(), scope.split(' ').toSorted(), who)
        for (const name of shown ?? []) assert.ok(scope.includes(name), `${who} is not asked about ${name}`)
      }
    })

    test('whoever has no role for anything that was asked is refused, and told so', async () => {
      assert.deepEqual(await tokensOf(it.authority, 'cyd', { scope: 'invoices:read' }), {
        error: 'access_denied',
        shown: null,
        tokens: null,
      })
    })

    test('a client that acts for itself has no roles and needs none', async () => {
      const own = await tokenFrom(it.authority, `scope=invoices:write&resource=${api}`)
      assert.equal(await scopeOf(it.authority, own), 'invoices:write')
    })

    test('a role that is taken away is gone at once, on every node: from tokens that live, and from the next', async () => {
      const other = it.node()
      const [{ tokens }, id] = [await tokensOf(it.authority, 'alice'), await idOf(it, 'alice')]
      assert.ok(tokens !== null)
      const first = await refreshed(other, tokens.refresh_token)
      assert.match(first.scope, /invoices:write/)
      const { id: office } = await group(it)
      const left = await admin.groups.change(operator, root, { id: office, version: null, removeMembers: [id] })
      assert.ok(left.kind === 'ok')
      for (const node of [it.authority, other]) {
        assert.equal(await scopeOf(node, tokens.access_token), 'inactive')
        assert.equal(await scopeOf(node, first.access_token), 'inactive')
      }
      const second = await refreshed(other, first.refresh_token)
      assert.equal(second.scope, 'offline_access openid profile')
      const asked = await it.authority.token(
        asking(`${refreshing(second.refresh_token)}&scope=invoices:write`, { as: 'web' }),
      )
      assert.equal(asked.kind === 'error' && asked.error.reason, 'scope_exceeds_grant')
      const back = await admin.groups.change(operator, root, { id: office, version: null, addMembers: [id] })
      assert.ok(back.kind === 'ok')
      const third = await refreshed(it.authority, second.refresh_token)
      assert.match(third.scope, /invoices:write/, 'what was agreed to is still agreed to')
    })

    test('a role is taken while refreshes race it: whatever comes out afterwards has it no more', async () => {
      const [id, nodes] = [await idOf(it, 'alice'), [it.authority, it.node(), it.node()]]
      const { id: office } = await group(it)
      const chains = await Promise.all(
        [0, 1, 2].map(async () => (await tokensOf(it.authority, 'alice')).tokens?.refresh_token ?? ''),
      )
      const racing = chains.map((token, n) => refreshed(nodes[n] ?? it.authority, token))
      const removed = await admin.groups.change(operator, root, { id: office, version: null, removeMembers: [id] })
      assert.ok(removed.kind === 'ok')
      for (const tokens of await Promise.all(racing)) {
        // Decided before the end it is dead by it; decided after it, it is less.
        assert.notEqual(await scopeOf(it.authority, tokens.access_token), everything)
        assert.doesNotMatch(String(await scopeOf(it.authority, tokens.access_token)), /invoices/)
        assert.equal((await refreshed(it.authority, tokens.refresh_token)).scope, 'offline_access openid profile')
      }
      const back = await admin.groups.change(operator, root, { id: office, version: null, addMembers: [id] })
      assert.ok(back.kind === 'ok')
    })

    test('a file declares roles, groups and who has them; applied again it changes nothing, and export writes it back', async () => {
      const again = await admin.declared.plan(objects)
      assert.deepEqual(again.kind === 'ok' && again.value.steps, [])
      const written = await admin.declared.export()
      assert.ok(written.kind === 'ok')
      assert.deepEqual(written.value.groups, objects['groups'])
      assert.deepEqual(written.value.roles, (objects['roles'] as JsonObject[]).toReversed())
      assert.deepEqual(written.value.users?.find((user) => user['username'] === 'alice')?.['groups'], ['Office'])
      assert.deepEqual(
        written.value.resources?.find((resource) => resource['identifier'] === api)?.['require_roles'],
        true,
      )
    })

    test('a file that names what is not there changes nothing and says where', async () => {
      const fields = async (more: JsonObject) => {
        const planned = await admin.declared.plan({ ...objects, ...more })
        return planned.kind === 'error' && planned.error.reason === 'invalid'
          ? planned.error.problems.map(({ field }) => field)
          : []
      }
      const role = { name: 'x', resource: api, scopes: ['invoices:read'] }
      for (const [more, field] of [
        [{ roles: [{ ...role, scopes: ['files:read'] }] }, 'roles[0].scopes'],
        [{ roles: [{ ...role, scopes: ['admin:users:write'] }] }, 'roles[0].scopes'],
        [{ roles: [{ ...role, resource: 'https://nowhere.example' }] }, 'roles[0].resource'],
        [{ roles: [{ ...role, name: 'two words' }] }, 'roles[0].name'],
        [{ groups: [{ name: 'G', roles: ['none'] }] }, 'groups[0].roles'],
        [{ groups: [{ name: 'G' }, { name: 'g' }] }, 'groups[1].name'],
        [{ groups: [{ name: 'a\u202eb' }] }, 'groups[0].name'],
        [{ groups: [{ name: 'G', groups: ['Office'] }] }, 'groups[0].groups'],
        [{ users: [{ username: 'alice', roles: ['none'] }] }, 'users[0].roles'],
        [{ users: [{ username: 'alice', groups: ['none'] }] }, 'users[0].groups'],
        [{ users: [{ username: 'alice', attributes: { x: { y: 1 } } }] }, 'users[0].attributes'],
      ] as const)
        assert.deepEqual(await fields(more as JsonObject), [field], JSON.stringify(more))
    })

    test('roles and groups of one tenant are nothing in another', async () => {
      await declare(it, { tenants: [{ id: 'acme', name: 'Acme', users: [{ username: 'eve' }] }] })
      const acme = 'acme' as TenantId
      const eve = (await it.store.users.byUsername(acme, 'eve'))?.id ?? ''
      const office = await group(it)
      const reasonOf = (result: { kind: string; error?: { reason: string } }) => result.error?.reason
      const { groups, roles, users } = admin
      assert.equal(reasonOf(await groups.find(acme, office.id)), 'absent')
      assert.equal(reasonOf(await groups.members(acme, office.id, { after: null, limit: 9 })), 'absent')
      assert.equal(reasonOf(await groups.change(operator, acme, { id: office.id, version: null, name: 'X' })), 'absent')
      assert.equal(reasonOf(await groups.remove(operator, acme, { id: office.id, version: null })), 'absent')
      const joining = { id: office.id, version: null, addMembers: [eve] }
      assert.equal(reasonOf(await groups.change(operator, root, joining)), 'invalid')
      assert.equal(reasonOf(await groups.create(operator, acme, { name: 'Office', roles: ['clerk'] })), 'invalid')
      const role = { name: 'clerk', resource: api, scopes: ['invoices:read'] }
      assert.equal(reasonOf(await roles.put(operator, acme, { input: role, expected: null })), 'invalid')
      const found = await users.find(acme, eve)
      assert.ok(found.kind === 'ok')
      const { version, username, claims } = found.value
      const given = { id: eve, version, username, claims, disabled: false, administrator: null, roles: ['clerk'] }
      assert.equal(reasonOf(await users.replace(operator, acme, given)), 'invalid')
      assert.deepEqual(await users.holding(acme, { group: office.id, after: null, limit: 9 }), {
        kind: 'ok',
        value: [],
      })
      assert.equal((await group(it)).version, office.version)
    })

    test('the preview says of each scope why it would not be in the token', async () => {
      const subject = await idOf(it, 'dee')
      const asked = `${everything} files:read nowhere`
      const preview = await admin.clients.preview(root, { clientId: 'web', subject, scope: asked, resource: api })
      assert.ok(preview.kind === 'ok', JSON.stringify(preview))
      assert.deepEqual(preview.value.leftOut, [
        { scope: 'nowhere', why: 'not_declared' },
        { scope: 'files:read', why: 'not_registered' },
        { scope: 'invoices:write', why: 'roles_missing' },
      ])
      const steps = (shown: Awaited<ReturnType<typeof admin.clients.preview>>) =>
        shown.kind === 'ok'
          ? shown.value.steps.map(({ step, scope, unanswered }) => [
              step,
              formatScope(scope),
              ...(unanswered === undefined ? [] : [formatScope(unanswered)]),
            ])
          : assert.fail()
      const mine = 'invoices:read offline_access openid profile'
      assert.deepEqual(steps(preview), [
        ['asked', 'files:read invoices:read invoices:write nowhere offline_access openid profile'],
        ['client', 'invoices:read invoices:write offline_access openid profile'],
        ['person', mine],
        ['consent', mine, mine],
        ['token', mine],
      ])
      await tokensOf(it.authority, 'dee', { scope: 'openid invoices:read' })
      const agreed = await admin.clients.preview(root, { clientId: 'web', subject, scope: everything, resource: api })
      assert.deepEqual(steps(agreed)[3], ['consent', mine, 'offline_access profile'])
      const itself = await admin.clients.preview(root, { clientId: 'web', subject: null, scope: null, resource: api })
      assert.deepEqual(
        steps(itself).map(([step]) => step),
        ['asked', 'client', 'token'],
        'a client that acts for itself has no roles and asks nobody',
      )
    })
  })
}
