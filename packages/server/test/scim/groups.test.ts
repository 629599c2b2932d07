/** Groups by SCIM over HTTP, as Entra and Okta send them, and as nobody may: on both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultTenant, type Json, type JsonObject, type TenantId } from '@grantor/protocol/types'
import { databases } from '../feed/feed-deployment.ts'
import { errorIn, groupUrn, patch, type ScimDeployment, startScimDeployment, userUrn } from './scim-deployment.ts'

const root = defaultTenant as TenantId
const encoded = encodeURIComponent
const ids = (answer: { json(): Record<string, unknown> }): readonly string[] =>
  ((answer.json()['Resources'] ?? []) as { id: string }[]).map(({ id }) => id)
const memberIds = (group: Record<string, unknown>): readonly string[] =>
  ((group['members'] ?? []) as { value: string }[]).map(({ value }) => value).toSorted()

for (const database of databases) {
  describe(`SCIM groups on ${database}`, () => {
    let deployment: ScimDeployment
    let people: readonly string[] = []
    before(async () => {
      deployment = await startScimDeployment(database)
      const made = await Promise.all(['ada', 'ben', 'eve'].map((name) => deployment.made({ userName: name })))
      people = made.map((it) => String(it['id']))
    })
    after(() => deployment[Symbol.asyncDispose]())
    const scim: ScimDeployment['scim'] = (...args) => deployment.scim(...args)
    const person = (n: number): string => people[n] ?? ''
    const members = (...which: readonly number[]): Json => which.map((n) => ({ value: person(n) }))

    async function made(group: JsonObject): Promise<string> {
      const answer = await scim('/Groups', { body: { schemas: [groupUrn], ...group } })
      assert.equal(answer.status, 201, answer.body)
      return String(answer.json()['id'])
    }
    const read = async (id: string): Promise<Record<string, unknown>> => (await scim(`/Groups/${id}`)).json()
    const patched = (id: string, ...operations: readonly Json[]) =>
      scim(`/Groups/${id}`, { method: 'PATCH', body: patch(...operations) })

    test('RFC 7643 §4.2, §6: the kind and its schema are described, and people tell their groups as read-only', async () => {
      const { ask } = deployment.it
      const types = (await ask('/scim/v2/ResourceTypes')).json()['Resources'] as { id: string }[]
      assert.deepEqual(
        types.map(({ id }) => id),
        ['User', 'Group'],
      )
      assert.equal((await ask(`/scim/v2/Schemas/${groupUrn}`)).status, 200)
      const user = (await ask(`/scim/v2/Schemas/${userUrn}`)).json()
      const groups = (user['attributes'] as { name: string; mutability: string }[]).find((it) => it.name === 'groups')
      assert.equal(groups?.mutability, 'readOnly')
    })

    test('Entra: a group is matched, made, filled, renamed, emptied and deleted', async () => {
      const probe = await scim(`/Groups?excludedAttributes=members&filter=${encoded('displayName eq "Entra team"')}`)
      assert.deepEqual([probe.status, ids(probe)], [200, []])
      const created = await scim('/Groups', {
        body: {
          schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
          externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
          displayName: 'Entra team',
          meta: { resourceType: 'Group' },
        },
      })
      assert.equal(created.status, 201, created.body)
      const id = String(created.json()['id'])
      assert.equal(created.headers.location, (created.json()['meta'] as Record<string, unknown>)['location'])
      const added = await patched(id, { op: 'Add', path: 'members', value: members(0, 1) })
      assert.deepEqual([added.status, added.body], [204, ''])
      assert.deepEqual(memberIds(await read(id)), [person(0), person(1)].toSorted())
      assert.deepEqual(ids(await scim(`/Groups?filter=${encoded(`id eq "${id}" and members eq "${person(0)}"`)}`)), [
        id,
      ])
      const user = (await scim(`/Users/${person(0)}`)).json()
      const [shown] = user['groups'] as Record<string, unknown>[]
      assert.deepEqual([shown?.['value'], shown?.['display'], shown?.['type']], [id, 'Entra team', 'direct'])
      assert.ok(String(shown?.['$ref']).endsWith(`/scim/v2/Groups/${id}`))
      assert.equal((await patched(id, { op: 'Remove', path: 'members', value: members(0) })).status, 204)
      assert.equal((await patched(id, { op: 'Remove', path: `members[value eq "${person(1)}"]` })).status, 204)
      assert.deepEqual(memberIds(await read(id)), [])
      await patched(id, { op: 'Replace', path: 'displayName', value: 'Entra crew' })
      await patched(id, { op: 'Replace', value: { displayName: 'Entra group', externalId: 'x-1' } })
      const renamed = await read(id)
      assert.deepEqual([renamed['displayName'], renamed['externalId']], ['Entra group', 'x-1'])
      assert.deepEqual(ids(await scim(`/Groups?filter=${encoded('externalId eq "x-1"')}`)), [id])
      assert.equal((await scim(`/Groups/${id}`, { method: 'DELETE' })).status, 204)
      assert.deepEqual(errorIn(await scim(`/Groups/${id}`)), [404, undefined])
    })

    test('Okta: a pushed group, its name, members one by one and as a whole, and PUT', async () => {
      const id = await made({ displayName: 'Okta push', members: [{ value: person(0), display: 'ada' }] })
      const named = await patched(id, { op: 'replace', value: { id, displayName: 'Okta pushed' } })
      assert.equal(named.status, 204, named.body)
      const both = await patched(
        id,
        { op: 'remove', path: `members[value eq "${person(0)}"]` },
        { op: 'add', path: 'members', value: [{ value: person(1), display: 'bob' }] },
      )
      assert.equal(both.status, 204, both.body)
      assert.deepEqual(memberIds(await read(id)), [person(1)])
      await patched(id, { op: 'replace', path: 'members', value: members(0, 2) })
      assert.deepEqual(memberIds(await read(id)), [person(0), person(2)].toSorted())
      const body = { schemas: [groupUrn], id, displayName: 'Okta put', members: members(2) }
      const put = await scim(`/Groups/${id}`, { method: 'PUT', body })
      assert.deepEqual([put.status, memberIds(put.json())], [200, [person(2)]])
      const nameOnly = await scim(`/Groups/${id}`, {
        method: 'PUT',
        body: { schemas: [groupUrn], displayName: 'Okta' },
      })
      assert.deepEqual([nameOnly.json()['displayName'], memberIds(nameOnly.json())], ['Okta', [person(2)]])
      await patched(id, { op: 'remove', path: 'members' })
      assert.deepEqual(memberIds(await read(id)), [])
      const asked = await scim(`/Groups/${id}?attributes=members`, {
        method: 'PATCH',
        body: patch({ op: 'add', value: { members: members(1) } }),
      })
      assert.deepEqual([asked.status, memberIds(asked.json())], [200, [person(1)]])
    })

    test('filters of groups, and of people by their group', async () => {
      const one = await made({ displayName: 'Filter one', externalId: 'f-1', members: members(0, 1) })
      const two = await made({ displayName: 'Filter two', members: members(1) })
      const found = async (filter: string) => ids(await scim(`/Groups?filter=${encoded(filter)}`)).toSorted()
      for (const [filter, expected] of [
        ['displayName eq "FILTER ONE"', [one]],
        ['displayName sw "filter"', [one, two]],
        ['displayName co "ter tw"', [two]],
        [`displayName sw "filter" and members.value eq "${person(0)}"`, [one]],
        [`displayName sw "filter" and not (members.value eq "${person(0)}")`, [two]],
        [`displayName sw "filter" and members[value eq "${person(0)}" or value eq "${person(1)}"]`, [one, two]],
        ['externalId eq "f-1"', [one]],
        [`urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "filter two"`, [two]],
      ] as const)
        assert.deepEqual(await found(filter), expected.toSorted(), filter)
      assert.deepEqual(
        ids(await scim(`/Users?filter=${encoded(`groups.value eq "${one}"`)}`)).toSorted(),
        [person(0), person(1)].toSorted(),
      )
      for (const filter of ['members pr', 'members.value co "a"', 'members.display eq "x"', 'members[type eq "User"]'])
        assert.deepEqual(errorIn(await scim(`/Groups?filter=${encoded(filter)}`)), [400, 'invalidFilter'], filter)
      const page = (await scim('/Groups?startIndex=1&count=1')).json()
      assert.equal(page['itemsPerPage'], 1)
      assert.ok(Number(page['totalResults']) >= 2)
    })

    test('filters that explode are refused: too long, too deep, too wide', async () => {
      const wide = Array.from({ length: 51 }, () => 'displayName pr').join(' or ')
      const deep = `${'('.repeat(9)}displayName pr${')'.repeat(9)}`
      assert.deepEqual(errorIn(await scim(`/Groups?filter=${encoded(wide)}`)), [400, 'tooMany'])
      assert.deepEqual(errorIn(await scim(`/Groups?filter=${encoded(deep)}`)), [400, 'invalidFilter'])
      const long = `displayName eq "${'a'.repeat(2048)}"`
      assert.deepEqual(errorIn(await scim(`/Groups?filter=${encoded(long)}`)), [400, 'invalidFilter'])
    })

    test('nothing is changed by a request that is wrong', async () => {
      const id = await made({ displayName: 'Steady', members: members(0) })
      await made({ displayName: 'Other' })
      const before = await read(id)
      for (const [operations, expected] of [
        [[{ op: 'add', path: 'members', value: [{ value: 'nobody' }] }], 'invalidValue'],
        [[{ op: 'add', path: 'members', value: [{ value: id, type: 'Group' }] }], 'invalidValue'],
        [
          [
            { op: 'add', path: 'members', value: members(1) },
            { op: 'add', path: 'members', value: [{ type: 'User' }] },
          ],
          'invalidValue',
        ],
        [[{ op: 'remove', path: 'members[display eq "x"]' }], 'invalidPath'],
        [[{ op: 'replace', path: 'members[value eq "x"].value', value: 'y' }], 'mutability'],
        [[{ op: 'remove', path: 'displayName' }], 'invalidValue'],
        [[{ op: 'replace', path: 'displayName', value: 'a\u202Eb' }], 'invalidValue'],
        [[{ op: 'replace', path: 'displayName', value: 'OTHER' }], 'uniqueness'],
      ] as const) {
        const answer = await patched(id, ...(operations as readonly Json[]))
        assert.equal(errorIn(answer)[1], expected, JSON.stringify(operations))
      }
      assert.deepEqual(await read(id), before)
      const many = Array.from({ length: 10_001 }, (_, n) => ({ value: `m${n}` }))
      assert.deepEqual(errorIn(await patched(id, { op: 'add', path: 'members', value: many })), [400, 'invalidValue'])
      assert.deepEqual(errorIn(await scim('/Groups', { body: { schemas: [groupUrn] } })), [400, 'invalidValue'])
      const taken = { schemas: [groupUrn], displayName: 'steady' }
      assert.deepEqual(errorIn(await scim('/Groups', { body: taken })), [409, 'uniqueness'])
    })

    test('RFC 7644 §3.14: versions of groups, and what changes without one', async () => {
      const id = await made({ displayName: 'Versioned', members: members(0) })
      const first = await scim(`/Groups/${id}`)
      const etag = String(first.headers.etag)
      assert.equal((await scim(`/Groups/${id}`, { headers: { 'if-none-match': etag } })).status, 304)
      const change = patch({ op: 'add', path: 'members', value: members(1) })
      const headers = { 'if-match': etag }
      assert.equal((await scim(`/Groups/${id}`, { method: 'PATCH', body: change, headers })).status, 204)
      assert.equal((await scim(`/Groups/${id}`, { method: 'PATCH', body: change, headers })).status, 412)
      assert.equal((await scim(`/Groups/${id}`, { method: 'DELETE', headers })).status, 412)
      // A person who goes leaves the group without a change of it; a reader is told all the same.
      const gone = String((await deployment.made({ userName: 'gone' }))['id'])
      await patched(id, { op: 'add', path: 'members', value: [{ value: gone }] })
      const with3 = String((await scim(`/Groups/${id}`)).headers.etag)
      await scim(`/Users/${gone}`, { method: 'DELETE' })
      const now = await scim(`/Groups/${id}`, { headers: { 'if-none-match': with3 } })
      assert.deepEqual([now.status, memberIds(now.json()).includes(gone)], [200, false])
      // Whoever saw other members does not replace these; whoever saw none named the version alone.
      const whole = { schemas: [groupUrn], displayName: 'Versioned', members: [] }
      const replaced = async (tag: string) =>
        (await scim(`/Groups/${id}`, { method: 'PUT', body: whole, headers: { 'if-match': tag } })).status
      assert.equal(await replaced(with3), 412)
      const unshown = String((await scim(`/Groups/${id}?excludedAttributes=members`)).headers.etag)
      assert.equal(await replaced(unshown), 200)
    })

    test('RFC 7644 §3.7.2: a bulk request makes people and their group, in whatever order', async () => {
      const group = { schemas: [groupUrn], displayName: 'Bulk', members: [{ value: 'bulkId:p' }] }
      const answer = await scim('/Bulk', {
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations: [
            { method: 'POST', path: '/Groups', bulkId: 'g', data: group },
            { method: 'POST', path: '/Users', bulkId: 'p', data: { schemas: [userUrn], userName: 'bulked' } },
            {
              method: 'PATCH',
              path: '/Groups/bulkId:g',
              data: patch({ op: 'add', path: 'members', value: members(0) }),
            },
          ],
        },
      })
      const done = answer.json()['Operations'] as { status: string; location: string }[]
      assert.deepEqual(
        done.map(({ status }) => status),
        ['201', '201', '200'],
        answer.body,
      )
      const id = String(done[0]?.location.split('/').at(-1))
      assert.equal(memberIds(await read(id)).length, 2)
    })

    test('a group of another tenant, people of another tenant, and a token without the scope get nowhere', async () => {
      const id = await made({ displayName: 'Ours', members: members(0) })
      assert.equal((await scim(`/Groups/${id}`, { tenant: '/t/acme' })).status, 404)
      const foreign = { schemas: [groupUrn], displayName: 'Theirs', members: members(0) }
      assert.deepEqual(errorIn(await scim('/Groups', { tenant: '/t/acme', body: foreign })), [400, 'invalidValue'])
      assert.deepEqual(
        ids(await scim(`/Groups?filter=${encoded(`members.value eq "${person(0)}"`)}`, { tenant: '/t/acme' })),
        [],
      )
      assert.equal(
        (await scim('/Groups', { by: 'reader', body: { schemas: [groupUrn], displayName: 'X' } })).status,
        403,
      )
      assert.equal((await scim('/Groups', { by: 'reader' })).status, 200)
      assert.equal((await scim('/Groups', { by: 'stranger' })).status, 403)
    })

    test('a large group is filled in steps, and read without its members', { timeout: 120_000 }, async () => {
      const crowd = Array.from({ length: 21_000 }, (_, n) => `c${n + 1_000_000}`)
      await deployment.it.tamper(`insert into users (tenant, id, username, username_key, claims, created_at, version)
        with recursive n(i) as (select 1000000 union all select i + 1 from n where i < 1020999)
        select '${root}', 'c' || i, 'c' || i, 'c' || i, '{}', 1, 1 from n`)
      const id = await made({ displayName: 'Crowd' })
      for (let at = 0; at < crowd.length; at += 7000) {
        const value = crowd.slice(at, at + 7000).map((it) => ({ value: it }))
        assert.equal((await patched(id, { op: 'add', path: 'members', value })).status, 204)
      }
      assert.deepEqual(errorIn(await scim(`/Groups/${id}`)), [400, 'tooMany'])
      const plain = await scim(`/Groups/${id}?excludedAttributes=members`)
      assert.deepEqual([plain.status, plain.json()['members']], [200, undefined])
      const held = await scim(
        `/Groups?excludedAttributes=members&filter=${encoded(`displayName eq "crowd" and members.value eq "c1000007"`)}`,
      )
      assert.deepEqual(ids(held), [id])
      assert.equal((await patched(id, { op: 'remove', path: 'members[value eq "c1000007"]' })).status, 204)
      assert.equal((await scim(`/Groups/${id}`, { method: 'DELETE' })).status, 204)
    })
  })
}
