/** People by SCIM over HTTP, as Entra and Okta provision them, and as nobody may: on both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultTenant, type Json, type TenantId } from '@grantor/protocol/types'
import { databases, eventually } from '../feed/feed-deployment.ts'
import { granted } from '../feed/granted.ts'
import { enterpriseUrn, errorIn, patch, type ScimDeployment, startScimDeployment, userUrn } from './scim-deployment.ts'

const root = defaultTenant as TenantId
const total = (answer: { json(): Record<string, unknown> }): unknown => answer.json()['totalResults']
const encoded = encodeURIComponent

for (const database of databases) {
  describe(`SCIM users on ${database}`, () => {
    let deployment: ScimDeployment
    before(async () => {
      deployment = await startScimDeployment(database)
    })
    after(() => deployment[Symbol.asyncDispose]())
    const scim: ScimDeployment['scim'] = (...args) => deployment.scim(...args)
    const made: ScimDeployment['made'] = (user) => deployment.made(user)

    test('RFC 7644 §4: the service describes itself to anybody, with its bounds', async () => {
      const { ask } = deployment.it
      for (const path of [
        '/ServiceProviderConfig',
        '/ResourceTypes',
        '/Schemas',
        `/Schemas/${userUrn}`,
        '/ResourceTypes/User',
      ])
        assert.equal((await ask(`/scim/v2${path}`)).status, 200, path)
      const config = (await ask('/t/acme/scim/v2/ServiceProviderConfig')).json()
      assert.deepEqual(config['bulk'], { supported: true, maxOperations: 100, maxPayloadSize: 1_048_576 })
      assert.equal((await ask('/scim/v2/Schemas/nothing')).status, 404)
      assert.equal((await ask('/scim/v2/Schemas?filter=id%20pr')).status, 403)
      assert.equal((await ask('/t/nobody/scim/v2/Schemas')).status, 404)
      const known = (await ask('/t/acme/.well-known/grantor')).json()
      assert.ok(String(known['scim_endpoint']).endsWith('/t/acme/scim/v2'))
    })

    test('Entra: test of the connection, match, creation, change of attributes, disabling, deletion', async () => {
      const probe = await scim(`/Users?filter=${encoded('userName eq "07ac2a3a-0000-4b6e-9c2a-000000000000"')}`)
      assert.deepEqual([probe.status, total(probe), probe.json()['Resources']], [200, 0, []])
      const created = await scim('/Users', {
        body: {
          schemas: [userUrn, enterpriseUrn],
          externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
          userName: 'Test.User@contoso.example',
          active: true,
          addresses: [{ primary: false, type: 'work', country: 'US' }],
          displayName: 'lennay',
          emails: [{ primary: true, type: 'work', value: 'test.user@contoso.example' }],
          meta: { resourceType: 'User' },
          name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
          phoneNumbers: [{ primary: false, type: 'mobile', value: '+1 555 0100' }],
          roles: [],
          title: 'Engineer',
          [enterpriseUrn]: { department: 'D1', employeeNumber: '7' },
          'urn:ietf:params:scim:schemas:extension:custom:2.0:User': { unknown: 'x' },
        },
      })
      assert.equal(created.status, 201, created.body)
      assert.equal(created.headers['content-type'], 'application/scim+json')
      const user = created.json()
      const id = String(user['id'])
      assert.equal(created.headers.location, (user['meta'] as Record<string, unknown>)['location'])
      assert.deepEqual(user['schemas'], [userUrn, enterpriseUrn])
      assert.deepEqual((await scim(`/Users/${id}`)).json(), user)
      for (const filter of [
        'userName eq "test.user@contoso.example"',
        'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
        'emails[type eq "work"].value eq "test.user@contoso.example"',
        `${enterpriseUrn}:department eq "D1"`,
        `id eq "${id}" and active eq true`,
      ]) {
        const found = await scim(`/Users?filter=${encoded(filter)}`)
        assert.deepEqual(
          (found.json()['Resources'] as Json[]).map((it) => (it as { id: string }).id),
          [id],
          filter,
        )
      }
      const changed = await scim(`/Users/${id}`, {
        method: 'PATCH',
        body: patch(
          { op: 'Replace', path: 'displayName', value: 'Lennay' },
          { op: 'Add', path: 'emails[type eq "work"].value', value: 'new@contoso.example' },
          { op: 'Replace', path: `${enterpriseUrn}:department`, value: 'D2' },
          { op: 'Add', path: `${enterpriseUrn}:manager`, value: 'u-manager' },
          { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0101' },
          { op: 'Remove', path: 'title' },
        ),
      })
      assert.equal(changed.status, 200, changed.body)
      const after = changed.json()
      assert.equal(after['displayName'], 'Lennay')
      assert.deepEqual(after['emails'], [{ primary: true, type: 'work', value: 'new@contoso.example' }])
      assert.deepEqual(after[enterpriseUrn], { department: 'D2', employeeNumber: '7', manager: { value: 'u-manager' } })
      assert.equal(after['title'], undefined)
      assert.notEqual(changed.headers.etag, created.headers.etag)
      const off = await scim(`/Users/${id}`, {
        method: 'PATCH',
        body: patch({ op: 'Replace', path: 'active', value: 'False' }),
      })
      assert.equal(off.json()['active'], false)
      const person = await deployment.it.deployment.store.users.byId(root, id)
      assert.ok(person !== null && person.disabledAt !== null)
      assert.deepEqual(person.claims, {
        given_name: 'givenName',
        family_name: 'familyName',
        name: 'Lennay',
        email: 'new@contoso.example',
        phone_number: '+1 555 0101',
      })
      assert.equal((await scim(`/Users/${id}`, { method: 'DELETE' })).status, 204)
      assert.deepEqual(errorIn(await scim(`/Users/${id}`)), [404, undefined])
      assert.deepEqual(errorIn(await scim(`/Users/${id}`, { method: 'DELETE' })), [404, undefined])
    })

    test('Okta: import, match, creation with a password, replacement, disabling and enabling', async () => {
      const list = await scim('/Users?startIndex=1&count=2')
      assert.equal((list.json()['Resources'] as Json[]).length, 2)
      const found = await scim(
        `/Users?filter=${encoded('userName eq "test.okta@okta.example"')}&startIndex=1&count=100`,
      )
      assert.equal(total(found), 0)
      const body = {
        schemas: [userUrn],
        userName: 'test.okta@okta.example',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: 'test.okta@okta.example', type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      }
      const created = await scim('/Users', { body })
      assert.equal(created.status, 201, created.body)
      assert.ok(!created.body.includes('1mz050nq') && !created.body.includes('password'))
      const { id } = created.json()
      const { password: _password, ...profile } = body
      const replaced = await scim(`/Users/${String(id)}`, {
        method: 'PUT',
        body: {
          ...profile,
          id: 'another',
          meta: { resourceType: 'User' },
          name: { givenName: 'Another', familyName: 'User' },
        } as Json,
      })
      assert.equal(replaced.status, 200, replaced.body)
      assert.deepEqual(
        [replaced.json()['id'], replaced.json()['name']],
        [id, { givenName: 'Another', familyName: 'User' }],
      )
      const off = await scim(`/Users/${String(id)}`, {
        method: 'PATCH',
        body: patch({ op: 'replace', value: { active: false } }),
      })
      assert.equal(off.json()['active'], false)
      for (const nothing of [
        { op: 'remove', path: 'active' },
        { op: 'replace', path: 'active', value: null },
      ])
        assert.equal(
          (await scim(`/Users/${String(id)}`, { method: 'PATCH', body: patch(nothing) })).json()['active'],
          false,
          'whoever is off stays so until somebody says otherwise',
        )
      const on = await scim(`/Users/${String(id)}`, {
        method: 'PATCH',
        body: patch({ op: 'replace', value: { active: true } }),
      })
      assert.equal(on.json()['active'], true)
    })

    test('whoever is disabled or deleted loses sessions, grants and tokens at once, and the feed says so', async () => {
      for (const [name, end] of [
        ['leaver', { method: 'PATCH', body: patch({ op: 'Replace', path: 'active', value: 'False' }) }],
        ['goner', { method: 'DELETE' }],
      ] as const) {
        const { id } = await made({ userName: name, password: 'correct-horse' })
        const { it } = deployment
        const { token, refresh } = await granted(it, name)
        const path = '/introspect'
        assert.equal((await it.post(path, 'web', { token })).json()['active'], true)
        const answer = await scim(`/Users/${String(id)}`, end)
        assert.ok(answer.status < 300, answer.body)
        assert.equal((await it.post(path, 'web', { token })).json()['active'], false)
        const again = await it.post('/token', 'web', { grant_type: 'refresh_token', refresh_token: refresh })
        assert.equal(again.json()['error'], 'invalid_grant')
        const log = () => it.deployment.store.events.after(root, 0, 10_000)
        const ends = async () =>
          (await log()).findLast(({ name: kind, subject }) => kind === 'admin.user_changed' && subject === id)
        await eventually(async () => (await ends())?.data?.['cutoff'] === true, 'the end of access in the log')
        const last = await ends()
        assert.deepEqual([last?.actor, last?.data?.['provisioned']], [{ kind: 'client', id: 'directory' }, true])
        assert.ok(!JSON.stringify(await log()).includes('correct-horse'))
      }
    })

    test('RFC 7644 §3.14: a version that is not the one is refused, and one that is known is not sent again', async () => {
      const { id } = await made({ userName: 'versioned' })
      const path = `/Users/${String(id)}`
      const tag = String((await scim(path)).headers.etag)
      assert.equal((await scim(path, { headers: { 'if-none-match': tag } })).status, 304)
      const title = (value: string) => patch({ op: 'add', path: 'title', value })
      const wrong = { 'if-match': 'W/"99"' }
      assert.deepEqual(errorIn(await scim(path, { method: 'PATCH', body: title('A'), headers: wrong })), [
        412,
        undefined,
      ])
      assert.deepEqual(errorIn(await scim(path, { method: 'DELETE', headers: wrong })), [412, undefined])
      const right = await Promise.all(
        ['B', 'C'].map((value) => scim(path, { method: 'PATCH', body: title(value), headers: { 'if-match': tag } })),
      )
      assert.deepEqual(
        right.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 412],
      )
      // Without a version both are made, one after the other.
      const changes = [
        patch({ op: 'add', path: 'nickName', value: 'N' }),
        patch({ op: 'add', path: 'userType', value: 'T' }),
      ]
      await Promise.all(changes.map((body) => scim(path, { method: 'PATCH', body })))
      const { nickName, userType } = (await scim(path)).json()
      assert.deepEqual([nickName, userType], ['N', 'T'])
    })

    test('two creations of one name at once make one person, whatever the spelling', async () => {
      const body = (userName: string): Json => ({ schemas: [userUrn], userName })
      const answers = await Promise.all(
        ['Twin@x.example', 'twin@X.example'].map((name) => scim('/Users', { body: body(name) })),
      )
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 409],
      )
      const lost = answers.find(({ status }) => status === 409)
      assert.deepEqual(lost && errorIn(lost), [409, 'uniqueness'])
      const { id } = await made({ userName: 'third' })
      const renamed = await scim(`/Users/${String(id)}`, {
        method: 'PATCH',
        body: patch({ op: 'replace', path: 'userName', value: 'TWIN@x.example' }),
      })
      assert.deepEqual(errorIn(renamed), [409, 'uniqueness'])
    })

    test('a token of another issuer, without the scope, or none is refused; and a person of another tenant is not there', async () => {
      const { id } = await made({ userName: 'of-the-root' })
      const path = `/Users/${String(id)}`
      const bare = await deployment.it.ask(`/scim/v2${path}`)
      assert.deepEqual([errorIn(bare)[0], bare.headers['www-authenticate']?.startsWith('Bearer ')], [401, true])
      assert.equal((await scim(path, { by: 'stranger' })).status, 403)
      assert.equal((await scim(path, { by: 'reader' })).status, 200)
      for (const [method, body] of [
        ['DELETE'],
        ['PATCH', patch({ op: 'add', path: 'title', value: 'x' })],
        ['PUT', { schemas: [userUrn], userName: 'x' }],
      ] as const)
        assert.equal(
          (await scim(path, { method, by: 'reader', ...(body === undefined ? {} : { body }) })).status,
          403,
          method,
        )
      assert.equal((await scim('/Bulk', { by: 'reader', body: {} })).status, 403)
      assert.deepEqual(errorIn(await scim(path, { tenant: '/t/acme' })), [404, undefined])
      assert.equal(total(await scim('/Users', { tenant: '/t/acme' })), 0)
      const token = await deployment.it.token('directory', { scope: 'scim:read' })
      const crossed = await deployment.it.ask('/t/acme/scim/v2/Users', {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(errorIn(crossed)[0], 401)
    })

    test('whoever writes clients hands on no right to provision that they do not have over people themselves', async () => {
      const { it } = deployment
      const scope = 'admin:clients:write admin:users:read admin:groups:read'
      const headers = { authorization: `Bearer ${await it.token('registrar', { scope })}` }
      const asks = (wanted: string) =>
        it.ask('/v1/clients', {
          headers,
          json: { client_name: 'X', grant_types: ['client_credentials'], response_types: [], scope: wanted },
        })
      assert.equal((await asks('scim:write')).status, 403)
      assert.equal((await asks('scim:read scim:write')).status, 403)
      const allowed = await asks('scim:read')
      assert.equal(allowed.status, 201, allowed.body)
    })

    test('an administrator is not changed here, only taken away; and the last owner is neither', async () => {
      const { users } = deployment.it.deployment.store
      const helper = await users.byUsername(root, 'helper')
      const owner = await users.byUsername(root, 'root')
      assert.ok(helper !== null && owner !== null)
      const ask = (id: string, ...operations: readonly Json[]) =>
        scim(`/Users/${id}`, { method: 'PATCH', body: patch(...operations) })
      for (const operation of [
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'thief@example.com' },
        { op: 'replace', path: 'password', value: 'another-horse' },
        { op: 'replace', path: 'userName', value: 'thief' },
      ])
        assert.deepEqual(errorIn(await ask(helper.id, operation)), [403, undefined], operation.path)
      assert.deepEqual(errorIn(await ask(owner.id, { op: 'replace', path: 'active', value: false })), [403, undefined])
      assert.deepEqual(errorIn(await scim(`/Users/${owner.id}`, { method: 'DELETE' })), [403, undefined])
      assert.equal((await users.byId(root, owner.id))?.disabledAt, null)
      assert.equal((await ask(helper.id, { op: 'replace', path: 'active', value: false })).status, 200)
      assert.deepEqual(errorIn(await ask(helper.id, { op: 'replace', path: 'active', value: true })), [403, undefined])
      const made = await scim('/Users', {
        body: { schemas: [userUrn], userName: 'climber', administrator: 'owner', roles: [{ value: 'owner' }] },
      })
      assert.equal((await users.byId(root, String(made.json()['id'])))?.administrator, null)
    })

    test('a guess at the password of an administrator is answered alike, right or wrong, alone and in bulk', async () => {
      const { users } = deployment.it.deployment.store
      const owner = await users.byUsername(root, 'root')
      assert.ok(owner !== null)
      const path = `/Users/${owner.id}`
      for (const password of ['correct-horse', 'another-horse']) {
        const changed = patch({ op: 'replace', path: 'password', value: password })
        const whole = { schemas: [userUrn], userName: 'root', password }
        assert.deepEqual(errorIn(await scim(path, { method: 'PATCH', body: changed })), [403, undefined], password)
        assert.deepEqual(errorIn(await scim(path, { method: 'PUT', body: whole })), [403, undefined], password)
        const bulk = await scim('/Bulk', {
          body: {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
            Operations: [
              { method: 'PATCH', path, data: changed },
              { method: 'PUT', path, data: whole },
            ],
          },
        })
        const operations = bulk.json()['Operations'] as readonly { readonly status: string }[]
        assert.deepEqual(
          operations.map(({ status }) => status),
          ['403', '403'],
          password,
        )
      }
      assert.equal((await users.byId(root, owner.id))?.version, owner.version)
    })

    test('of two owners who are taken away at once one stays', async () => {
      const { users } = deployment.it.deployment.store
      const second = await deployment.it.deployment.authority.admin.users.create(
        { kind: 'operator', id: 'test' },
        root,
        {
          username: 'second-root',
          password: null,
          claims: {},
          administrator: 'owner',
        },
      )
      const owner = await users.byUsername(root, 'root')
      assert.ok(second.kind === 'ok' && owner !== null)
      const answers = await Promise.all(
        [second.value.id, owner.id].map((id) => scim(`/Users/${id}`, { method: 'DELETE' })),
      )
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [204, 403],
      )
    })

    test('RFC 7644 §3.9: an answer holds the attributes that were asked for, and never a password', async () => {
      const { id } = await made({
        userName: 'shown',
        password: 'correct-horse',
        displayName: 'S',
        emails: [{ value: 's@x.example', type: 'work' }],
      })
      const ask = async (query: string) => (await scim(`/Users/${String(id)}?${query}`)).json()
      assert.deepEqual(Object.keys(await ask('attributes=userName,password')), ['schemas', 'id', 'userName'])
      assert.deepEqual((await ask('attributes=emails.value'))['emails'], [{ value: 's@x.example' }])
      const without = await ask('excludedAttributes=emails,id,meta.location')
      assert.deepEqual([without['emails'], without['id'], without['displayName']], [undefined, id, 'S'])
      const search = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        filter: 'userName eq "shown"',
        attributes: ['displayName'],
      }
      for (const path of ['/Users/.search', '/.search']) {
        const [found] = (await scim(path, { body: search })).json()['Resources'] as Record<string, unknown>[]
        assert.deepEqual(found, { schemas: [userUrn], id, displayName: 'S' })
      }
    })

    test('RFC 7644 §3.4.2.4: pages follow each other without gaps or repetitions, and numbers out of range are put right', async () => {
      for (const n of [1, 2, 3]) await made({ userName: `page-${n}` })
      const all: string[] = []
      const count = Number(total(await scim('/Users?count=0')))
      for (let from = 1; from <= count; from += 2) {
        const page = (await scim(`/Users?startIndex=${from}&count=2`)).json()
        assert.equal(page['startIndex'], from)
        all.push(...(page['Resources'] as { id: string }[]).map(({ id }) => id))
      }
      assert.equal(new Set(all).size, count)
      assert.equal((await scim('/Users?startIndex=-5&count=1')).json()['startIndex'], 1)
      assert.deepEqual((await scim('/Users?count=-1')).json()['Resources'], [])
      const some = (await scim(`/Users?filter=${encoded('userName sw "page-"')}&startIndex=2&count=1`)).json()
      assert.deepEqual([some['totalResults'], some['itemsPerPage']], [3, 1])
    })

    const bad: readonly (readonly [string, string, Json, number, string | undefined])[] = [
      ['a filter bomb', `/Users?filter=${encoded('('.repeat(500))}`, null, 400, 'invalidFilter'],
      [
        'too many terms',
        `/Users?filter=${encoded(Array.from({ length: 60 }, () => 'id pr').join(' or '))}`,
        null,
        400,
        'tooMany',
      ],
      ['a filter by a password', `/Users?filter=${encoded('password sw "a"')}`, null, 400, 'invalidFilter'],
      ['a filter given twice', '/Users?filter=id%20pr&filter=id%20pr', null, 400, 'invalidValue'],
      ['a page that is no number', '/Users?startIndex=x', null, 400, 'invalidValue'],
      ['an unknown endpoint', '/Things', null, 404, undefined],
      ['another case', '/users', null, 404, undefined],
      ['a resource below a resource', '/Users/a/b', null, 404, undefined],
      ['/Me', '/Me', null, 501, undefined],
      ['no schemas', '/Users', { userName: 'x' }, 400, 'invalidSyntax'],
      ['no userName', '/Users', { schemas: [userUrn] }, 400, 'invalidValue'],
      ['a name with a space', '/Users', { schemas: [userUrn], userName: 'a b' }, 400, 'invalidValue'],
      ['a short password', '/Users', { schemas: [userUrn], userName: 'short', password: 'abc' }, 400, 'invalidValue'],
      ['a list', '/Users', [], 400, 'invalidSyntax'],
      ['an object for a name', '/Users', { schemas: [userUrn], userName: { a: 1 } }, 400, 'invalidValue'],
      [
        'more than is kept',
        '/Users',
        {
          schemas: [userUrn],
          userName: 'much',
          addresses: Array.from({ length: 50 }, () => ({ formatted: 'x'.repeat(1000) })),
        },
        400,
        'invalidValue',
      ],
    ]

    test('what is wrong with a request is told in SCIM’s form, and changes nothing', async () => {
      const before = total(await scim('/Users?count=0'))
      for (const [title, path, body, status, scimType] of bad)
        assert.deepEqual(errorIn(await scim(path, body === null ? {} : { body })), [status, scimType], title)
      assert.equal((await scim('/Users', { method: 'PUT', body: {} })).status, 405)
      assert.equal((await scim('/Schemas', { method: 'POST', body: {} })).status, 405)
      const { it } = deployment
      const authorization = `Bearer ${await it.token('directory', { scope: 'scim:write' })}`
      const raw = (body: string, type = 'application/scim+json') =>
        it.ask('/scim/v2/Users', { method: 'POST', body, headers: { authorization, 'content-type': type } })
      const deep = `{"schemas":["${userUrn}"],"userName":"deep","x":${'['.repeat(5000)}${']'.repeat(5000)}}`
      assert.deepEqual(errorIn(await raw(deep)), [400, 'invalidSyntax'])
      assert.deepEqual(errorIn(await raw('{"schemas":[')), [400, 'invalidSyntax'])
      assert.deepEqual(errorIn(await raw(`{"schemas":["${userUrn}"],"userName":"a","userName":"b"}`)), [
        400,
        'invalidSyntax',
      ])
      assert.deepEqual(errorIn(await raw(`{"schemas":["${userUrn}"],"userName":"p","__proto__":{"active":false}}`)), [
        400,
        'invalidSyntax',
      ])
      assert.equal(errorIn(await raw('a=b', 'application/x-www-form-urlencoded'))[0], 415)
      assert.equal(
        errorIn(await raw(JSON.stringify({ schemas: [userUrn], userName: 'big', title: 'x'.repeat(10_000_000) })))[0],
        413,
      )
      assert.equal(total(await scim('/Users?count=0')), before)
    })

    test('RFC 7644 §3.7: a bulk request is done in the order of its references, within its bounds', async () => {
      const bulk = (operations: readonly Json[], more: Record<string, Json> = {}) =>
        scim('/Bulk', {
          body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations, ...more },
        })
      const user = (bulkId: string, userName: string, managerId?: string): Json => ({
        method: 'POST',
        path: '/Users',
        bulkId,
        data: {
          schemas: [userUrn],
          userName,
          ...(managerId === undefined ? {} : { [enterpriseUrn]: { manager: { value: `bulkId:${managerId}` } } }),
        },
      })
      const statuses = (answer: { json(): Record<string, unknown> }) =>
        (answer.json()['Operations'] as { status: string }[]).map(({ status }) => status)
      const done = await bulk([
        user('a', 'bulk-a', 'b'),
        user('b', 'bulk-b'),
        { method: 'PATCH', path: '/Users/bulkId:a', data: patch({ op: 'add', path: 'title', value: 'T' }) },
      ])
      assert.deepEqual([done.status, statuses(done)], [200, ['201', '201', '200']])
      const [first, second] = done.json()['Operations'] as { location: string }[]
      const made = (await scim(`/Users/${String(first?.location.split('/').at(-1))}`)).json()
      assert.equal(made['title'], 'T')
      assert.equal(
        (made[enterpriseUrn] as { manager: { value: string } }).manager.value,
        second?.location.split('/').at(-1),
      )
      const circle = await bulk([user('c', 'bulk-c', 'd'), user('d', 'bulk-d', 'c'), user('e', 'bulk-e')])
      assert.deepEqual(statuses(circle), ['409', '409', '201'])
      const failing = await bulk([user('f', 'bulk-a'), user('g', 'bulk-g')], { failOnErrors: 1 })
      assert.deepEqual(statuses(failing), ['409'])
      assert.deepEqual(errorIn(await bulk(Array.from({ length: 101 }, (_, n) => user(`n${n}`, `many-${n}`)))), [
        413,
        'tooMany',
      ])
      assert.deepEqual(
        statuses(
          await bulk([
            { method: 'DELETE', path: '/Nothing/x' },
            { method: 'POST', path: '/Users/x', bulkId: 'z', data: {} },
          ]),
        ),
        ['400', '400'],
      )
      assert.deepEqual(errorIn(await bulk([user('h', 'bulk-h'), user('h', 'bulk-i')])), [400, 'invalidValue'])
      // Where it is belongs to every answer, but to that of one that was not made.
      const failed = await bulk([
        { method: 'DELETE', path: '/Users/nobody' },
        { method: 'PUT', path: new URL(String(first?.location)).pathname.slice('/scim/v2'.length), version: 'W/"99"' },
        user('i', 'bulk-a'),
      ])
      const located = (failed.json()['Operations'] as { status: string; location?: string }[]).map((it) => [
        it.status,
        it.location,
      ])
      const root = String(first?.location).split('/Users/')[0] ?? ''
      assert.deepEqual(located, [
        ['404', `${root}/Users/nobody`],
        ['400', first?.location],
        ['409', undefined],
      ])
    })
  })
}
