/** People whose passwords a directory keeps, with a directory that is a table; a real one stands in interop/test/ldap.test.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import type { LdapAnswer, LdapQuestion } from '../../src/ports/ldap.ts'
import { declare, openDeployment, operator, root } from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser } from '../support/person.ts'

interface Entry {
  readonly password: string
  readonly attributes: Readonly<Record<string, readonly string[]>>
}
type Entries = Readonly<Record<string, Entry>>

const entry = (uid: string, more: Readonly<Record<string, readonly string[]>> = {}): Entry => ({
  password: `password of ${uid}`,
  attributes: { entryUUID: [`id-${uid}`], uid: [uid], cn: [uid.toUpperCase()], mail: [`${uid}@corp.example`], ...more },
})

const corp = {
  id: 'corp',
  kind: 'ldap',
  name: 'Corp',
  hosts: ['ldaps://ldap.corp.example'],
  base_dn: 'dc=corp,dc=example',
  client_id: 'cn=search,dc=corp,dc=example',
  client_secret: 'a secret of the search account',
  create: true,
}

/** Each host has people of its own; one that is not named is away. */
async function scene(
  hosts: Readonly<Record<string, Entries>>,
  providers: readonly JsonObject[],
  more: JsonObject = {},
) {
  const deployment = await openDeployment()
  const asked: LdapQuestion[] = []
  const authenticate = async (question: LdapQuestion): Promise<LdapAnswer> => {
    asked.push(question)
    const entries = hosts[question.hosts[0] ?? '']
    if (entries === undefined) return { did: 'unavailable', problem: 'ldap_away' }
    const [, found] = Object.entries(entries).find(([uid]) => question.filter.includes(`(uid=${uid})`)) ?? []
    if (found === undefined) return { did: 'absent', problem: 'ldap_not_found' }
    const attributes = new Map(Object.entries(found.attributes).map(([name, values]) => [name.toLowerCase(), values]))
    const told = { dn: 'uid=x', attributes }
    if (question.password === found.password) return { did: 'bound', entry: told }
    return { did: 'refused', entry: told, problem: 'ldap_refused' }
  }
  await declarePeople(deployment)
  await declare(deployment, { providers, ...more })
  const authority = deployment.node({ ldap: { authenticate } })
  const { store } = deployment
  /** What comes of it; `name` is whom they are here. */
  const attempt = async (username: string, password = `password of ${username}`) => {
    const person = new PersonAtBrowser(authority)
    await person.begin()
    const tried = await authority.browser.signIn(person.at(), { username, password })
    if (tried.kind === 'error') return tried.error.reason
    if (tried.value.did !== 'signed-in') return tried.value.did
    person.keep(tried.value.cookies)
    return (await authority.browser.accounts(person.visitor()))[0]?.person.username ?? ''
  }
  const events = async (name: string) =>
    (await store.events.after(root, 0, 1_000))
      .filter((it) => it.name === name)
      .map(({ data, ...rest }) => ({ ...rest, data: data ?? {} }))
  const failures = async () => (await events('login.failed')).map(({ data, subject }) => [data['problem'], subject])
  const groupsOf = async (username: string) => {
    const id = (await store.users.byUsername(root, username))?.id ?? ''
    const search = { prefix: '', member: id, externalId: null, role: null, after: null, limit: 100 }
    return (await store.groups.search(root, search)).map((it) => it.name).toSorted()
  }
  return { deployment, authority, asked, attempt, events, failures, groupsOf }
}

const host = 'ldaps://ldap.corp.example'

describe('a directory', () => {
  test('is asked with what was declared, and whoever it knows is made here once, by what it calls them', async () => {
    const it = await scene({ [host]: { ada: entry('ada') } }, [corp])
    assert.equal(await it.attempt('ada'), 'ada')
    const [question] = it.asked
    assert.deepEqual(
      [question?.hosts, question?.ca, question?.bindDn, question?.bindPassword, question?.base, question?.password],
      [[host], null, corp.client_id, corp.client_secret, corp.base_dn, 'password of ada'],
    )
    assert.ok(question?.attributes.includes('entryUUID') && question.attributes.includes('memberOf'))
    assert.equal(new Set(question?.attributes).size, question?.attributes.length)
    const { store } = it.deployment
    const made = await store.users.byUsername(root, 'ada')
    assert.deepEqual([made?.passwordHash, made?.claims['name']], [null, 'ADA'])
    // Nobody said that its addresses are verified.
    assert.notEqual(made?.claims['email_verified'], true)
    assert.equal(await it.attempt('  ada  ', 'password of ada'), 'ada')
    assert.equal((await store.identities.of(root, made?.id ?? '')).length, 1)
    const started = (await it.events('session.started')).at(-1)
    assert.deepEqual([started?.data['provider'], started?.data['amr']], ['corp', ['pwd']])
  })

  test('lets nobody in by a wrong password, none, or a name that it does not know; and the log says why and whom', async () => {
    const it = await scene({ [host]: { ada: entry('ada') } }, [corp])
    await it.attempt('ada')
    const ada = (await it.deployment.store.users.byUsername(root, 'ada'))?.id
    for (const [username, password] of [
      ['ada', 'wrong'],
      ['ada', ''],
      ['nobody', 'password of ada'],
      ['', 'password of ada'],
    ] as const)
      assert.equal(await it.attempt(username, password), 'rejected', `${username} ${password}`)
    assert.deepEqual((await it.failures()).slice(0, 3), [
      ['ldap_refused', ada],
      ['ldap_password_empty', null],
      ['ldap_not_found', null],
    ])
    assert.equal(it.asked.filter(({ password }) => password === '').length, 0, 'RFC 4513 §5.1.2')
    // Our own people have nothing to do with it.
    assert.equal(await it.attempt('alice', 'correct-horse'), 'alice')
  })

  test('that cannot be asked is not taken for a no', async () => {
    const it = await scene({}, [corp])
    assert.equal(await it.attempt('ada'), 'unavailable')
    assert.deepEqual(
      (await it.events('login.failed')).map(({ reason, data }) => [reason, data['provider'], data['problem']]),
      [['provider', 'corp', 'ldap_away']],
    )
    assert.equal(await it.deployment.store.users.byUsername(root, 'ada'), null)
  })

  test('must call them by one name of a reasonable length', async () => {
    const cases = [
      ['one', ['x'], true],
      ['long', ['x'.repeat(255)], true],
      ['longer', ['x'.repeat(256)], false],
      ['two', ['x', 'y'], false],
      ['blank', [''], false],
      ['bytes', ['x\0\u0001'], false],
      ['none', [], false],
    ] as const
    const entries = Object.fromEntries(cases.map(([uid, entryUUID]) => [uid, entry(uid, { entryUUID })]))
    const it = await scene({ [host]: entries }, [corp])
    for (const [uid, , good] of cases) assert.equal(await it.attempt(uid), good ? uid : 'rejected')
    assert.deepEqual(
      await it.failures(),
      cases.filter(([, , good]) => !good).map(() => ['ldap_subject_attribute', null]),
    )
  })

  test('of several the first that knows the name decides, and one that has a mail domain is asked about its own only', async () => {
    const second = { ...corp, id: 'second', name: 'Second', base_dn: 'dc=second', hosts: ['ldaps://two.example'] }
    const third = { ...corp, id: 'third', name: 'Third', base_dn: 'dc=third', hosts: ['ldaps://three.example'] }
    const it = await scene(
      {
        [host]: { ada: entry('ada') },
        'ldaps://two.example': { ada: { ...entry('ada'), password: 'another' }, grace: entry('grace') },
        'ldaps://three.example': { 'eve@third.example': entry('eve@third.example'), grace: entry('grace') },
      },
      [corp, second, { ...third, domains: ['third.example'] }],
    )
    const hostsAsked = async (username: string, password?: string) => {
      const from = it.asked.length
      const told = await it.attempt(username, password)
      return [told, ...it.asked.slice(from).map(({ hosts }) => hosts[0])]
    }
    assert.deepEqual(await hostsAsked('grace'), ['grace', host, 'ldaps://two.example'])
    assert.deepEqual(await hostsAsked('ada', 'another'), ['rejected', host])
    assert.deepEqual(await hostsAsked('nobody'), ['rejected', host, 'ldaps://two.example'])
    assert.deepEqual((await hostsAsked('eve@third.example')).slice(1), ['ldaps://three.example'])
    // From now on she is of the second: no other is asked about her.
    assert.deepEqual(await hostsAsked('grace'), ['grace', 'ldaps://two.example'])
    assert.deepEqual(await hostsAsked('alice', 'correct-horse'), ['alice'])
  })

  test('is believed about an address where the tenant says so: then its person is the one of that address here', async () => {
    const users = [{ username: 'countess', password: 'correct-horse', email: 'ada@corp.example', email_verified: true }]
    for (const [trust_email, who] of [
      [true, 'countess'],
      // Somebody else, whose address nobody verified.
      [false, 'ada'],
    ] as const) {
      const it = await scene({ [host]: { ada: entry('ada') } }, [{ ...corp, trust_email }], { users })
      assert.equal(await it.attempt('ada'), who)
    }
    const owners = users.map((user) => ({ ...user, administrator: 'owner' }))
    const it = await scene({ [host]: { ada: entry('ada') } }, [{ ...corp, trust_email: true }], { users: owners })
    assert.equal(await it.attempt('ada'), 'rejected', 'an administrator links it themselves')
  })

  test('two groups there are one here, in whatever spelling: whoever is in one of them stays in it', async () => {
    const staff = 'cn=staff,dc=corp,dc=example'
    const it = await scene(
      { [host]: { ada: entry('ada', { memberOf: [staff] }) } },
      [{ ...corp, groups: { [staff]: 'Staff', 'cn=guests,dc=corp,dc=example': 'staff' } }],
      { groups: [{ name: 'Staff' }] },
    )
    for (const time of ['first', 'second', 'third']) {
      await it.attempt('ada')
      assert.deepEqual(await it.groupsOf('ada'), ['Staff'], time)
    }
  })

  test('says which of the mapped groups a person is in, at every sign-in, and nothing of other groups', async () => {
    const staff = 'cn=staff,dc=corp,dc=example'
    const admins = 'cn=admins,dc=corp,dc=example'
    const people: Record<string, Entry> = { ada: entry('ada', { memberOf: ['CN=Staff , DC=corp,DC=example', 'cn=x'] }) }
    const it = await scene(
      { [host]: people },
      [{ ...corp, groups: { [staff]: 'Staff', [admins]: 'Admins', 'cn=none': 'Not made' } }],
      { groups: [{ name: 'Staff' }, { name: 'Admins' }, { name: 'Own' }] },
    )
    await it.attempt('ada')
    assert.deepEqual(await it.groupsOf('ada'), ['Staff'])
    const { store } = it.deployment
    const ada = (await store.users.byUsername(root, 'ada'))?.id ?? ''
    const own = await store.groups.byName(root, 'Own')
    const at = it.deployment.ports.clock.now()
    await store.groups.change({ tenant: root, id: own?.id ?? '', version: null, addMembers: [ada], at, events: [] })
    const changes = async () =>
      (await it.events('admin.group_changed'))
        .filter(({ actor }) => actor.id !== operator.id)
        .map(({ data, subject }) => [data['name'], data['added'] ?? null, data['removed_members'] ?? null, subject])
    assert.deepEqual(await changes(), [['Staff', ada, null, ada]])
    await it.attempt('ada')
    assert.equal((await changes()).length, 1, 'nothing is changed where nothing has changed')
    people['ada'] = entry('ada', { memberOf: [admins] })
    await it.attempt('ada')
    assert.deepEqual(await it.groupsOf('ada'), ['Admins', 'Own'])
    const [, ...since] = await changes()
    assert.deepEqual(
      new Map(since.map(([name, ...rest]) => [name, rest])),
      new Map([
        ['Admins', [ada, null, ada]],
        ['Staff', [null, ada, ada]],
      ]),
    )
  })
})
