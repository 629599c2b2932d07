/** /v1/resources, scopes, tenants, keys, registration-tokens and devices over HTTP: made, changed at a version, ended. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { builtInScopes } from '@grantor/protocol/oauth'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import { api, databases, machine, operator, redirectUri, startFeedDeployment } from '../feed/feed-deployment.ts'
import type { CallAnswer, CallOptions } from '../feed/https-client.ts'
import { codeIn, itemsIn } from './admin-deployment.ts'
import { consoleAnswer, verifier } from './console-session.ts'

const scope = builtInScopes
  .map(({ name }) => name)
  .filter((name) => name.startsWith('admin:'))
  .join(' ')
const claimsIn = (jwt: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Readonly<Record<string, unknown>>
const billing = 'https://billing.example/v1'

for (const database of databases) {
  describe(`nouns of the directory on ${database}`, async () => {
    const it = await startFeedDeployment(database)
    const applied = await it.deployment.authority.admin.declared.apply(operator, { clients: [machine('robot', scope)] })
    assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    const token = await it.token('robot', { scope })
    const call = (path: string, how: CallOptions = {}): Promise<CallAnswer> =>
      it.ask(path, { ...how, headers: { authorization: `Bearer ${token}`, ...how.headers } })
    const eventsOf = async (name: string) =>
      itemsIn(await call(`/v1/events?name=${name}&sort=-seq&limit=20`)).map(({ actor, data }) => [actor, data])
    const robot = { kind: 'client', id: 'robot' }

    test('a resource and its scope: made, changed at a version, kept while needed, removed; each with its event', async () => {
      const made = await call('/v1/resources', { json: { identifier: billing, name: 'Billing' } })
      assert.equal(made.status, 201, made.body)
      const path = `/v1/resources/${encodeURIComponent(billing)}`
      assert.equal(decodeURIComponent(String(made.headers['location'])), `/v1/resources/${billing}`)
      assert.equal((await call('/v1/resources', { json: { identifier: billing } })).status, 409)
      assert.equal((await call('/v1/resources', { json: { identifier: 'no address' } })).status, 400)
      const words = { en: 'See bills', de: 'Rechnungen sehen' }
      const scoped = await call('/v1/scopes', { json: { name: 'bills:read', description: words, resource: billing } })
      assert.equal(scoped.status, 201, scoped.body)
      assert.deepEqual(scoped.json()['description'], words)
      const based = { 'if-match': String(scoped.headers['etag']) }
      const higher = { method: 'PATCH', json: { sensitivity: 'high' }, headers: based }
      assert.equal((await call('/v1/scopes/bills:read', higher)).json()['sensitivity'], 'high')
      assert.equal((await call('/v1/scopes/bills:read', higher)).status, 412)
      assert.equal((await call('/v1/scopes/bills:read', { method: 'PATCH', json: { name: 'x' } })).status, 400)
      assert.equal(
        (await call('/v1/scopes', { json: { name: 'y', description: 'Y', resource: 'https://no' } })).status,
        400,
      )
      assert.deepEqual(
        itemsIn(await call(`/v1/scopes?resource=${encodeURIComponent(billing)}`)).map(({ id }) => id),
        ['bills:read'],
      )
      const needed = await call(path, { method: 'DELETE' })
      assert.deepEqual([needed.status, codeIn(needed)], [400, 'validation_error'])
      const declared = itemsIn(await call('/v1/scopes?built_in=false&limit=100'))
      assert.ok(declared.some(({ id }) => id === 'bills:read') && declared.every((it) => it['built_in'] === false))
      assert.ok(itemsIn(await call('/v1/scopes?built_in=true')).every((it) => it['built_in'] === true))
      const builtIn = await call('/v1/scopes/admin:keys:read', { method: 'DELETE' })
      assert.deepEqual([builtIn.status, codeIn(builtIn)], [403, 'forbidden'])
      assert.equal((await call('/v1/scopes/bills:read', { method: 'DELETE' })).status, 204)
      const changed = await call(path, { method: 'PUT', json: { identifier: billing, access_token_ttl: 60 } })
      assert.equal(changed.json()['access_token_ttl'], 60, changed.body)
      assert.equal((await call(path, { method: 'DELETE' })).status, 204)
      assert.equal((await call(path)).status, 404)
      assert.deepEqual(await eventsOf('admin.resource_changed').then((them) => them.slice(0, 3)), [
        [robot, { identifier: billing, removed: true }],
        [robot, { identifier: billing }],
        [robot, { identifier: billing }],
      ])
    })

    test('claims that an API and a client declare: kept as they were sent, and refused where the protocol says them', async () => {
      const good = [{ claim: 'department', from: 'attributes.department', scope: 'profile' }]
      const bad = [{ claim: 'sub', value: 'x' }]
      for (const [path, made] of [
        ['/v1/resources', { identifier: 'https://claims.example/v1' }],
        ['/v1/clients', { client_name: 'Claims', redirect_uris: [redirectUri] }],
      ] as const) {
        const refused = await call(path, { json: { ...made, claim_mappings: bad } })
        assert.deepEqual([refused.status, codeIn(refused)], [400, 'validation_error'], refused.body)
        const kept = await call(path, { json: { ...made, claim_mappings: good } })
        assert.equal(kept.status, 201, kept.body)
        assert.deepEqual(kept.json()['claim_mappings'], good)
        const item = `${path}/${encodeURIComponent(String(kept.json()['id']))}`
        assert.equal((await call(item, { method: 'PATCH', json: { claim_mappings: bad } })).status, 400)
        assert.deepEqual((await call(item)).json()['claim_mappings'], good)
        assert.equal((await call(item, { method: 'PATCH', json: { claim_mappings: null } })).status, 200)
        assert.equal((await call(item)).json()['claim_mappings'], undefined)
        assert.equal((await call(item, { method: 'DELETE' })).status, 204)
      }
    })

    test('a policy service and a hook of an API: checked, kept, and the secret of the hook shown to who may change it', async () => {
      const identifier = 'https://decided.example/v1'
      const service = { url: 'https://pdp.example/access/v1/evaluation', on_failure: 'allow' }
      const hook = { url: 'https://hook.example/issuing', claims: ['plan'] }
      for (const bad of [
        { policy_service: { url: 'https://192.168.1.1/x' } },
        { policy_service: { ...service, deadline_ms: 1 } },
        { issuance_hook: { ...hook, claims: ['sub'] } },
      ])
        assert.equal((await call('/v1/resources', { json: { identifier, ...bad } })).status, 400)
      const made = await call('/v1/resources', { json: { identifier, policy_service: service, issuance_hook: hook } })
      assert.equal(made.status, 201, made.body)
      assert.deepEqual([made.json()['policy_service'], made.json()['issuance_hook']], [service, hook])
      const item = `/v1/resources/${encodeURIComponent(identifier)}`
      const shown = await call(`${item}/hook-secret`, { method: 'POST', json: {} })
      assert.equal(shown.status, 200, shown.body)
      assert.match(String(shown.json()['secret']), /^whsec_/)
      const before = String(made.headers['etag'])
      const change = { method: 'PATCH', json: { issuance_hook: { key: 2 } }, headers: { 'if-match': before } }
      const changed = await call(item, change)
      assert.equal(changed.status, 200, changed.body)
      assert.notEqual(changed.headers['etag'], before)
      const next = await call(`${item}/hook-secret`, { method: 'POST', json: {} })
      assert.notEqual(next.json()['secret'], shown.json()['secret'])
      assert.equal((await call(item, { method: 'PATCH', json: { issuance_hook: null } })).status, 200)
      assert.equal((await call(`${item}/hook-secret`, { method: 'POST', json: {} })).status, 404)
      assert.equal((await call(item, { method: 'DELETE' })).status, 204)
    })

    test('a provider: made, shown without its secret, changed at a version, removed; each with its event', async () => {
      const secret = 'never to be seen again'
      const input = { kind: 'oidc', name: 'Corp', issuer: 'https://corp.example', client_id: 'us' }
      const made = await call('/v1/providers', { json: { ...input, client_secret: secret, domains: ['corp.example'] } })
      assert.equal(made.status, 201, made.body)
      assert.equal(made.json()['has_secret'], true)
      assert.equal((await call('/v1/providers', { json: input })).status, 409)
      const etag = String(made.headers['etag'])
      const change = { method: 'PATCH', json: { create: true }, headers: { 'if-match': etag } }
      const changed = await call('/v1/providers/corp', change)
      assert.deepEqual([changed.status, changed.json()['create'], changed.json()['has_secret']], [200, true, true])
      assert.equal((await call('/v1/providers/corp', change)).status, 412)
      for (const json of [{ kind: 'saml' }, { name: '' }, { issuer: 'http://corp.example' }, { trust_email: 'yes' }])
        assert.equal((await call('/v1/providers/corp', { method: 'PATCH', json })).status, 400, JSON.stringify(json))
      const apple = { kind: 'apple', client_id: 'us', team_id: 'T', key_id: 'K', client_secret: 'no key' }
      const refused = await call('/v1/providers', { json: apple })
      assert.equal(refused.status, 400)
      assert.match(refused.body, /client_secret/)
      assert.equal((await call('/v1/providers', { json: { kind: 'google', client_id: 'us' } })).status, 400)
      const listed = await call('/v1/providers')
      assert.deepEqual(
        itemsIn(listed).map(({ id }) => id),
        ['corp'],
      )
      const exported = await it.deployment.authority.admin.declared.export()
      const log = await call('/v1/events?limit=100')
      for (const text of [listed.body, JSON.stringify(exported), log.body])
        assert.doesNotMatch(text, /never to be seen|sealed/)
      assert.equal((await call('/v1/providers/corp', { method: 'DELETE' })).status, 204)
      assert.equal((await call('/v1/providers/corp')).status, 404)
      assert.deepEqual(await eventsOf('admin.provider_changed'), [
        [robot, { provider: 'corp', removed: true }],
        [robot, { provider: 'corp' }],
        [robot, { provider: 'corp' }],
      ])
    })

    test('a declared provider: planned without its secret, the same file changes nothing, a left out one is pruned', async () => {
      const { declared } = it.deployment.authority.admin
      const one = { id: 'one', kind: 'google', client_id: 'us', client_secret: 'declared and sealed' }
      const two = { id: 'two', kind: 'oidc', name: 'Two', issuer: 'https://two.example', client_id: 'us' }
      const kinds = async (providers: readonly JsonObject[], prune = false) => {
        const plan = await declared.apply(operator, { providers }, { prune })
        assert.ok(plan.kind === 'ok', JSON.stringify(plan))
        assert.doesNotMatch(JSON.stringify(plan), /declared and sealed|another one/)
        return plan.value.steps.map(({ kind, id, act, fields }) => [kind, id, act, ...fields.map(({ field }) => field)])
      }
      assert.deepEqual(await kinds([one, two]), [
        ['provider', 'one', 'create'],
        ['provider', 'two', 'create'],
      ])
      assert.deepEqual(await kinds([one, two]), [])
      assert.deepEqual(await kinds([{ ...one, client_secret: 'another one' }]), [
        ['provider', 'one', 'change', 'client_secret'],
      ])
      const { client_secret: _secret, ...bare } = one
      assert.deepEqual(await kinds([bare]), [], 'a secret that is left out stays')
      assert.deepEqual(await kinds([bare], true), [['provider', 'two', 'remove']])
      const bad = await declared.plan({
        providers: [
          { ...two, kind: 'gitlab' },
          { ...two, id: 'NO' },
        ],
      })
      assert.ok(bad.kind === 'error' && bad.error.reason === 'invalid')
      assert.deepEqual(
        bad.error.problems.map(({ field }) => field),
        ['providers[1].id'],
      )
      const lacking = await declared.plan({ providers: [{ ...two, kind: 'gitlab' }] })
      assert.ok(lacking.kind === 'error' && lacking.error.reason === 'invalid')
      assert.deepEqual(
        lacking.error.problems.map(({ field }) => field),
        ['providers[0].client_secret'],
      )
      await kinds([], true)
    })

    test('roles and groups: made, changed at a version, filled, listed by their members, removed; each with its event', async () => {
      const staff = 'https://staff.example/v1'
      await call('/v1/resources', { json: { identifier: staff, require_roles: true } })
      await call('/v1/scopes', { json: { name: 'staff:read', description: 'See staff', resource: staff } })
      const role = { name: 'viewer', resource: staff, scopes: ['staff:read'] }
      const made = await call('/v1/roles', { json: role })
      assert.equal(made.status, 201, made.body)
      assert.equal((await call('/v1/roles', { json: role })).status, 409)
      for (const json of [
        { ...role, name: 'a b' },
        { ...role, name: 'other', resource: 'https://nowhere.example' },
        { ...role, name: 'other', scopes: ['admin:users:write'] },
      ])
        assert.equal((await call('/v1/roles', { json })).status, 400, JSON.stringify(json))
      const based = { 'if-match': String(made.headers['etag']) }
      const described = { method: 'PATCH', json: { description: 'Sees staff' }, headers: based }
      assert.equal((await call('/v1/roles/viewer', described)).json()['description'], 'Sees staff')
      assert.equal((await call('/v1/roles/viewer', described)).status, 412)
      const needed = await call(`/v1/resources/${encodeURIComponent(staff)}`, { method: 'DELETE' })
      assert.equal(needed.status, 400)

      const ids: string[] = []
      for (const username of ['gus', 'gil', 'gem']) {
        const person = await call('/v1/users', { json: { username, attributes: { floor: 3 } } })
        assert.equal(person.status, 201, person.body)
        ids.push(String(person.json()['id']))
      }
      const group = await call('/v1/groups', { json: { name: 'Staff', roles: ['viewer'], external_id: 'e-1' } })
      assert.equal(group.status, 201, group.body)
      const path = `/v1/groups/${String(group.json()['id'])}`
      assert.equal((await call('/v1/groups', { json: { name: 'sTAFF' } })).status, 409)
      for (const json of [{ name: '' }, { name: ' x' }, { name: 'a\u0000b' }, { name: 'New', roles: ['none'] }])
        assert.equal((await call('/v1/groups', { json })).status, 400, JSON.stringify(json))
      assert.equal((await call(`${path}/change-members`, { json: { add: ids } })).status, 204)
      assert.equal((await call(`${path}/change-members`, { json: { add: ['nobody'], remove: ids } })).status, 400)
      assert.equal((await call(`${path}/change-members`, { json: { remove: String(ids[2]) } })).status, 204)
      const listed = itemsIn(await call(`/v1/users?group_id=${String(group.json()['id'])}&limit=1`))
      assert.equal(listed.length, 1)
      const all = itemsIn(await call(`/v1/users?group_id=${String(group.json()['id'])}`))
      assert.deepEqual(all.map(({ id }) => id).toSorted(), ids.slice(0, 2).toSorted())
      assert.deepEqual([all[0]?.['all_roles'], all[0]?.['groups']], [['viewer'], ['Staff']])
      for (const query of [
        'role=viewer',
        `role=viewer&member=${ids[0]}`,
        `member=${ids[0]}`,
        'name=STAFF',
        'name[prefix]=st',
        'external_id=e-1',
      ])
        assert.deepEqual(
          itemsIn(await call(`/v1/groups?${query}`)).map(({ name }) => name),
          ['Staff'],
          query,
        )
      assert.deepEqual(itemsIn(await call(`/v1/groups?member=${ids[2]}`)), [])
      assert.deepEqual(itemsIn(await call('/v1/groups?role=none')), [])
      assert.deepEqual(
        itemsIn(await call('/v1/roles?name[prefix]=vie')).map(({ name }) => name),
        ['viewer'],
      )
      assert.deepEqual(itemsIn(await call('/v1/users?role=viewer')), [], 'by their group only')

      const person = await call(`/v1/users/${ids[2]}`)
      const give = {
        method: 'PATCH',
        json: { roles: ['viewer'] },
        headers: { 'if-match': String(person.headers['etag']) },
      }
      const given = await call(`/v1/users/${ids[2]}`, give)
      assert.deepEqual(
        [given.status, given.json()['roles'], given.json()['attributes']],
        [200, ['viewer'], { floor: 3 }],
      )
      const holders = itemsIn(await call('/v1/users?role=viewer&limit=1'))
      assert.deepEqual(
        holders.map(({ id, role }) => [id, role]),
        [[ids[2], 'viewer']],
      )
      const some = await it.token('robot', { scope: 'admin:users:write admin:users:read' })
      const alone = { method: 'PATCH', json: { roles: [] }, headers: { authorization: `Bearer ${some}` } }
      assert.equal((await call(`/v1/users/${ids[2]}`, alone)).status, 403, 'writing people alone gives no roles')
      assert.equal((await call(`/v1/users/${ids[2]}`, { ...alone, json: { name: 'Gem' } })).status, 200)

      const groupsOnly = {
        authorization: `Bearer ${await it.token('robot', { scope: 'admin:groups:write admin:groups:read' })}`,
      }
      for (const [at, how] of [
        ['/v1/groups', { json: { name: 'Climbers', roles: ['viewer'] } }],
        [path, { method: 'PATCH', json: { roles: [] } }],
        [path, { method: 'DELETE' }],
        [`${path}/change-members`, { json: { add: ids } }],
        [`${path}/change-members`, { json: { remove: ids } }],
      ] as const)
        assert.equal((await call(at, { ...how, headers: groupsOnly })).status, 403, `writing groups alone: ${at}`)
      const plain = await call('/v1/groups', { json: { name: 'Plain' }, headers: groupsOnly })
      assert.equal(plain.status, 201, plain.body)
      const plainPath = `/v1/groups/${String(plain.json()['id'])}`
      assert.equal((await call(`${plainPath}/change-members`, { json: { add: ids }, headers: groupsOnly })).status, 204)
      assert.equal((await call(plainPath, { method: 'DELETE', headers: groupsOnly })).status, 204)

      const invite = { email: 'new@example.org', link: true, roles: 'viewer', groups: ['staff'] }
      for (const [scope, left] of [
        ['admin:users:write', { groups: [] }],
        ['admin:users:write', { roles: [] }],
        ['admin:users:write admin:roles:write', {}],
        ['admin:users:write admin:groups:write', {}],
        ['admin:users:write admin:groups:write', { roles: [] }],
      ] as const) {
        const headers = { authorization: `Bearer ${await it.token('robot', { scope })}` }
        const refused = await call('/v1/users/invite', { json: { ...invite, ...left }, headers })
        assert.equal(refused.status, 403, `${scope} ${JSON.stringify(left)}`)
      }
      assert.equal((await call('/v1/users/invite', { json: { ...invite, groups: 'none' } })).status, 400)
      const invited = await call('/v1/users/invite', { json: invite })
      assert.deepEqual(
        [invited.status, invited.json()['roles'], invited.json()['groups']],
        [200, ['viewer'], ['Staff']],
      )

      assert.equal((await call(path, { method: 'DELETE' })).status, 204)
      assert.equal((await call('/v1/roles/viewer', { method: 'DELETE' })).status, 204)
      assert.equal((await call(`/v1/users/${ids[2]}`)).json()['all_roles'], undefined)
      const events = await eventsOf('admin.group_changed')
      assert.deepEqual(
        events.map(([actor]) => actor),
        [robot, robot, robot, robot, robot, robot, robot],
      )
      assert.deepEqual(await eventsOf('admin.role_changed').then((them) => them[0]), [
        robot,
        { name: 'viewer', removed: true },
      ])
    })

    test('a token is tested as an API would take it, and is neither issued nor used up by that', async () => {
      await call('/v1/resources', { json: { identifier: billing, name: 'Billing' } })
      await call('/v1/scopes', { json: { name: 'bills:pay', description: 'Pay bills', resource: billing } })
      const { admin } = it.deployment.authority
      const applied = await admin.declared.apply(operator, { clients: [machine('payer', 'bills:pay')] })
      assert.ok(applied.kind === 'ok', JSON.stringify(applied))
      const path = `/v1/resources/${encodeURIComponent(billing)}/test-token`
      const verdict = async (sent: string, at = path) => (await call(at, { json: { token: sent } })).json()
      const good = await it.token('payer', { scope: 'bills:pay', resource: billing })
      const taken = await verdict(good)
      assert.equal(taken['accepted'], true, JSON.stringify(taken))
      assert.deepEqual(
        [(taken['claims'] as { scope: string }).scope, (taken['claims'] as { aud: string }).aud],
        ['bills:pay', billing],
      )
      const elsewhere = await verdict(good, `/v1/resources/${encodeURIComponent(api)}/test-token`)
      assert.deepEqual([elsewhere['accepted'], elsewhere['code']], [false, 'audience_mismatch'])
      const forged = `${good.slice(0, good.lastIndexOf('.'))}.${'A'.repeat(86)}`
      for (const sent of [forged, 'nonsense', 'gk_x', '\u202egnp.', `${'e'.repeat(5000)}.e30.`]) {
        const refused = await verdict(sent)
        assert.deepEqual([refused['accepted'], refused['status'], refused['code']], [false, 401, 'invalid_token'])
        assert.equal(refused['claims'], undefined)
      }
      assert.ok((await admin.tokens.revoke(operator, 'default' as TenantId, good)).kind === 'ok')
      assert.equal((await verdict(good))['code'], 'token_revoked')
      assert.equal((await call(path, { json: { token: '' } })).status, 400)
      assert.equal((await call('/v1/resources/nowhere/test-token', { json: { token: good } })).status, 404)
    })

    test('what a consent page would say of some scopes is told in either language, in the order of the page', async () => {
      const words = { en: 'See bills', de: 'Rechnungen sehen' }
      const row = { name: 'bills:see', description: words, sensitivity: 'high', mode: 'optional' }
      await call('/v1/scopes', { json: row })
      const ask = (json: JsonObject) => call('/v1/scopes/consent', { json })
      const told = (await ask({ scope: 'offline_access bills:see openid nowhere', language: 'de' })).json()
      const lines = told['lines'] as { scope: string; text: string }[]
      assert.deepEqual(
        lines.map(({ scope: name }) => name),
        ['openid', 'bills:see', 'offline_access'],
      )
      assert.deepEqual(lines[1], { scope: 'bills:see', text: words.de, sensitive: true, optional: true })
      assert.deepEqual(told['unknown'], ['nowhere'])
      assert.equal(((await ask({ scope: 'bills:see' })).json()['lines'] as { text: string }[])[0]?.text, words.en)
      for (const wrong of [{}, { scope: '' }, { scope: 'a  "b"' }, { scope: 'openid', language: 'xx' }])
        assert.equal((await ask(wrong)).status, 400, JSON.stringify(wrong))
    })

    test('of two administrators who change one scope at once, one is told', async () => {
      await call('/v1/scopes', { json: { name: 'race', description: 'Race' } })
      const etag = String((await call('/v1/scopes/race')).headers['etag'])
      const change = (description: string) =>
        call('/v1/scopes/race', { method: 'PATCH', json: { description }, headers: { 'if-match': etag } })
      const both = await Promise.all([change('one'), change('two')])
      assert.deepEqual(
        both.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 412],
      )
    })

    test('a tenant is made with all that is said of it, changed, and removed once it is disabled', async () => {
      const made = await call('/v1/tenants', { json: { name: 'Zürich & Söhne', registration: { mode: 'off' } } })
      assert.equal(made.status, 201, made.body)
      assert.equal(made.json()['id'], 'zu-rich-so-hne')
      assert.deepEqual(made.json()['registration'], { mode: 'off' })
      assert.equal((await call('/v1/tenants/chosen', { method: 'PUT', json: { name: 'Chosen' } })).status, 201)
      assert.equal((await call('/v1/tenants/Not%20One', { method: 'PUT', json: { name: 'x' } })).status, 400)
      const path = '/v1/tenants/chosen'
      const renamed = await call(path, { method: 'PATCH', json: { name: 'Renamed', profile: 'fapi2-security' } })
      assert.deepEqual([renamed.json()['name'], renamed.json()['profile']], ['Renamed', 'fapi2-security'], renamed.body)
      const wrong = await call(path, { method: 'PATCH', json: { require_pushed_authorization_requests: false } })
      assert.equal(wrong.status, 400, wrong.body)
      assert.deepEqual((await call(path, { method: 'DELETE' })).status, 409)
      assert.equal((await call(path, { method: 'PATCH', json: { disabled: true } })).status, 200)
      assert.equal((await it.ask('/t/chosen/jwks')).status, 404)
      assert.equal((await call(path, { method: 'DELETE' })).status, 204)
      for (const json of [{ disabled: true }])
        assert.equal((await call('/v1/tenants/default', { method: 'PATCH', json })).status, 403)
      assert.equal((await call('/v1/tenants/default', { method: 'DELETE' })).status, 403)
    })

    test('keys are listed with their times, rotated, and gone once dropped', async () => {
      const before = itemsIn(await call('/v1/keys'))
      assert.ok(before.every(({ state, rotates_at: at }) => state === 'current' && at !== undefined))
      assert.ok(
        before.every((key) => !JSON.stringify(key).includes('"d":')),
        'no private half',
      )
      const rotated = await call('/v1/keys/rotate', { json: { now: true } })
      assert.equal(rotated.status, 200, rotated.body)
      const states = new Set(itemsIn(await call('/v1/keys')).map(({ state }) => state))
      assert.deepEqual(states, new Set(['current', 'retiring']))
      const [old] = before
      assert.ok(old !== undefined)
      assert.notEqual((await call(`/v1/keys/${old.id}`)).json()['leaves_at'], undefined)
    })

    test('RFC 7591 §3: a registration token is shown once, lets so many in, and is revoked', async () => {
      const made = await call('/v1/registration-tokens', { json: { uses_left: 1 } })
      assert.equal(made.status, 201, made.body)
      const { token: opens, id } = made.json()
      const register = () =>
        it.ask('/register', {
          json: { redirect_uris: ['https://self.example/cb'] },
          headers: { authorization: `Bearer ${String(opens)}` },
        })
      assert.equal((await register()).status, 201)
      assert.equal((await register()).status, 401)
      const other = (await call('/v1/registration-tokens', { json: {} })).json()
      assert.equal((await call(`/v1/registration-tokens/${String(other['id'])}`)).json()['token'], undefined)
      const path = `/v1/registration-tokens/${String(other['id'])}`
      assert.equal((await call(path, { method: 'DELETE' })).status, 204)
      assert.equal((await call(path)).status, 404)
      const past = { expires_at: '2020-01-01T00:00:00Z' }
      assert.equal((await call('/v1/registration-tokens', { json: past })).status, 400)
      assert.ok(id !== undefined)
    })

    test('RFC 8628: devices that wait are listed without their codes, and one that is denied is told so', async () => {
      const asked = async () =>
        (await it.ask('/device_authorization', { form: { client_id: 'grantor-cli', scope: 'openid' } })).json()
      const [one, two] = [await asked(), await asked()]
      const waiting = itemsIn(await call('/v1/devices?client_id=grantor-cli&limit=1'))
      assert.equal(waiting.length, 1)
      const all = itemsIn(await call('/v1/devices'))
      assert.equal(all.length, 2)
      for (const { user_code: typed, device_code: code } of [one, two])
        for (const hidden of [typed, code]) assert.ok(!JSON.stringify(all).includes(String(hidden)))
      for (const { id } of all) assert.equal((await call(`/v1/devices/${id}`, { method: 'DELETE' })).status, 204)
      assert.deepEqual(itemsIn(await call('/v1/devices')), [])
      const polled = await it.ask('/token', {
        form: {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          client_id: 'grantor-cli',
          device_code: String(one['device_code']),
        },
      })
      assert.equal(polled.json()['error'], 'access_denied')
      assert.deepEqual((await eventsOf('admin.device_denied')).length, 2)
    })

    test('clients are found by a part of their name, where they came from and what they are', async () => {
      const named = async (query: string) => {
        const ids: string[] = []
        for (let next: unknown = `/v1/clients?limit=2&${query}`; typeof next === 'string';) {
          const page = await call(next)
          ids.push(...itemsIn(page).map(({ id }) => id))
          next = page.json()['next']
        }
        return ids
      }
      const client = { client_name: 'Zebra Schönwetter', redirect_uris: ['https://a.example/cb'] }
      for (const id of ['zebra-1', 'zebra-2', 'zebra-3'])
        assert.equal((await call(`/v1/clients/${id}`, { method: 'PUT', json: client })).status, 201)
      const all = ['zebra-1', 'zebra-2', 'zebra-3']
      assert.deepEqual(await named('client_name[contains]=SCHÖN'), all)
      assert.deepEqual(await named('client_name[contains]=ebra-2'), ['zebra-2'])
      assert.deepEqual(await named('client_name[contains]=SCHÖN&sort=-id'), all.toReversed())
      assert.deepEqual(await named('client_name[contains]=schön&origin=declared'), [])
      assert.deepEqual(await named('client_name[contains]=schön&origin[in]=manual,dynamic'), all)
      assert.deepEqual(await named('client_name[contains]=schön&disabled=true'), [])
      assert.deepEqual(await named('client_name[contains]=schön&application_type=native'), [])
      assert.deepEqual(await named('client_name[contains]=%25'), [], 'no wildcard')
      assert.deepEqual(await named('client_name[contains]=schön&kind=web'), all)
      assert.deepEqual(await named('client_name[contains]=schön&kind[in]=machine,mcp'), [])
      assert.equal((await call('/v1/clients?kind=magic')).status, 400)
      const [used, unused] = all as [string, string]
      await it.deployment.store.clients.noteUses([
        { tenant: 'default' as TenantId, id: used, at: Date.now() as Instant },
      ])
      const lastUse = async (id: string) => (await call(`/v1/clients/${id}`)).json()['last_used_at']
      assert.match(String(await lastUse(used)), /^\d{4}-.*Z$/)
      assert.equal(await lastUse(unused), undefined)
      assert.ok((await named('origin=declared')).includes('svc'))
      assert.equal((await call('/v1/clients?origin=elsewhere')).status, 400)
      assert.equal((await call('/v1/clients?client_name[prefix]=Z')).status, 400)
    })

    test('one token is ended by the jti of its event, and nothing else of its client', async () => {
      const [one, other] = [await it.token('svc'), await it.token('svc')]
      const jti = String(claimsIn(one)['jti'])
      const revoke = (json: Readonly<Record<string, string>>, at = '') =>
        call(`${at}/v1/grants/revoke-token`, { json: json as never })
      const isActive = async (token: string) => (await it.post('/introspect', 'api', { token })).json()['active']
      assert.equal((await revoke({ jti })).json()['revoked'], true)
      assert.equal((await revoke({ jti })).json()['revoked'], false)
      assert.deepEqual([await isActive(one), await isActive(other)], [false, true])
      const unknown = '01930000-0000-7000-8000-000000000000'
      for (const [sent, status] of [
        [{ jti: unknown }, 404],
        [{ jti: 'none' }, 404],
        [{}, 400],
      ] as const)
        assert.equal((await revoke(sent)).status, status, JSON.stringify(sent))
      const elsewhere = String(claimsIn(await it.token('svc', undefined, '/t/acme'))['jti'])
      assert.equal((await revoke({ jti: elsewhere })).status, 404, 'a token of another tenant')
      const [event] = itemsIn(await call(`/v1/events?name=token.revoked&jti=${jti}`))
      assert.deepEqual([event?.['actor'], event?.['client_id']], [robot, 'svc'])
    })

    test('a token is previewed as it would be issued', async () => {
      const preview = async (id: string, json: object) => call(`/v1/clients/${id}/preview`, { json: json as never })
      const real = claimsIn(await it.token('svc'))
      const shown = (await preview('svc', { scope: 'invoices:read' })).json()
      const claims = shown['claims'] as Record<string, unknown>
      assert.deepEqual(Object.keys(claims).toSorted(), Object.keys(real).toSorted())
      for (const name of ['iss', 'sub', 'aud', 'client_id', 'scope']) assert.deepEqual(claims[name], real[name], name)
      const [alice] = itemsIn(await call('/v1/users?username=alice'))
      const person = (await preview('web', { subject: alice?.id, scope: 'openid invoices:read nothing' })).json()
      const said = person['claims'] as Record<string, unknown>
      assert.deepEqual([said['sub'], said['scope'], said['aud']], [alice?.id, 'invoices:read openid', api])
      assert.deepEqual(person['left_out'], [{ scope: 'nothing', why: 'not_declared' }])
      const admin = (await preview('robot', { subject: alice?.id, scope: 'admin:keys:read' })).json()
      assert.deepEqual(admin['left_out'], [{ scope: 'admin:keys:read', why: 'administrators_only' }])
      assert.notEqual(
        ((await preview('pairwise', { subject: alice?.id })).json()['claims'] as typeof said)['sub'],
        alice?.id,
      )
      assert.equal((await preview('web', { subject: 'nobody' })).status, 400)
      assert.equal('id_token' in shown || 'userinfo' in shown, false, 'nobody signs in')
    })

    test('the ID token and the userinfo of a preview are those that the person gets', async () => {
      const [alice] = itemsIn(await call('/v1/users?username=alice'))
      for (const id of ['web', 'pairwise']) {
        const client = { id, redirectUri }
        const who = { username: 'alice', password: 'correct-horse', scope: 'openid', client }
        const code = (await consoleAnswer(it, who)).address.searchParams.get('code') ?? ''
        const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
        const got = (await it.post('/token', id, form)).json()
        const real = claimsIn(String(got['id_token']))
        const told = await it.ask('/userinfo', { headers: { authorization: `Bearer ${String(got['access_token'])}` } })
        const asked = await call(`/v1/clients/${id}/preview`, { json: { subject: alice?.id ?? '', scope: 'openid' } })
        const shown = asked.json() as Record<string, Record<string, unknown>>
        assert.deepEqual(Object.keys(shown['id_token'] ?? {}).toSorted(), Object.keys(real).toSorted(), id)
        for (const name of ['iss', 'sub', 'aud']) assert.deepEqual(shown['id_token']?.[name], real[name], name)
        assert.deepEqual(shown['userinfo'], told.json(), id)
        assert.deepEqual(
          Object.keys(shown['claims'] ?? {}).toSorted(),
          Object.keys(claimsIn(String(got['access_token']))).toSorted(),
        )
      }
      const without = { json: { subject: alice?.id ?? '', scope: 'invoices:read' } }
      const silent = (await call('/v1/clients/web/preview', without)).json()
      assert.equal('id_token' in silent || 'userinfo' in silent, false, 'without openid there is neither')
    })

    test('a redirect URI is matched as it would be', async () => {
      const match = async (redirect_uri: string) =>
        (await call('/v1/clients/web/match-redirect-uri', { json: { redirect_uri } })).json()['matches']
      assert.deepEqual(
        [await match(redirectUri), await match(`${redirectUri}/`), await match(redirectUri.toUpperCase())],
        [true, false, false],
      )
    })

    test('hostile names are kept as they are or refused, and never more than text', async () => {
      const names = [
        '<script>alert(1)</script>',
        '\u202Egnp.exe',
        '🦆'.repeat(20),
        'x'.repeat(10_000),
        '\u0000',
        "'; drop table clients; --",
      ]
      for (const [at, name] of names.entries()) {
        const bodies: readonly (readonly [string, object, string])[] = [
          ['/v1/clients', { client_name: name, redirect_uris: ['https://a.example/cb'] }, 'client_name'],
          ['/v1/users', { username: `hostile-${at}`, name }, 'name'],
          ['/v1/resources', { identifier: `https://hostile-${at}.example`, name }, 'name'],
          ['/v1/scopes', { name: `hostile:${at}`, description: name }, 'description'],
          [`/v1/tenants/hostile-${at}`, { name }, 'name'],
        ]
        for (const [path, json, field] of bodies) {
          const method = path.startsWith('/v1/tenants') ? 'PUT' : 'POST'
          const answer = await call(path, { method, json: json as never })
          assert.ok(
            answer.status === 201 || answer.status === 400,
            `${path} ${answer.status} ${answer.body.slice(0, 200)}`,
          )
          if (answer.status === 201) assert.equal(answer.json()[field], name)
          assert.match(String(answer.headers['content-type']), /^application\/(problem\+)?json/)
          assert.equal(answer.headers['x-content-type-options'], 'nosniff')
        }
      }
    })

    after(() => it[Symbol.asyncDispose]())
  })
}
