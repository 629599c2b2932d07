/** The end of an account by its person: out of use at once, kept by signing in, and then gone from everywhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeDueAccounts } from '../../src/account/deletion.ts'
import { verifyLog } from '../../src/admin/verify-log.ts'
import type { JsonObject } from '@grantor/protocol/types'
import { askByBackchannel, bank, PersonAtAccount } from '../support/backchannel-client.ts'
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
} from '../support/deployment.ts'
import { declarePeople, PersonAtBrowser, redemption, refreshing } from '../support/person.ts'
import { OtherIssuers, signedToken, signingKey, workloadClaims } from '../support/trusted-issuer.ts'

const day = 86_400_000
const password = 'correct-horse'

async function signedIn(deployment: Deployment, username = 'alice', typed = password) {
  const person = new PersonAtBrowser(deployment.authority)
  await person.begin()
  await person.signIn(username, typed)
  return person
}

async function accountOf(person: PersonAtBrowser) {
  const account = (await person.authority.browser.accounts(person.visitor())).at(-1)
  return account ?? assert.fail('nobody is signed in')
}

const ending = async (person: PersonAtBrowser, typed = password) =>
  person.authority.browser.account.requestDeletion(await accountOf(person), typed, person.visitor())

const sweeping = (deployment: Deployment) => removeDueAccounts(deployment.ports)

for (const database of databases) {
  test(`an ended account is out of use at once, and gone after the grace; the log verifies (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { authority, store } = deployment
    const person = await signedIn(deployment)
    const code = await person.code()
    const tokens = await authority.token(asking(redemption(code), { as: 'web' }))
    assert.ok(tokens.kind === 'ok')
    await authority.browser.account.changeProfile(
      await accountOf(person),
      { name: 'Alice Zanzibar', given_name: '', family_name: '', locale: 'de', zoneinfo: '', picture: '' },
      person.visitor(),
    )
    const { id } = (await accountOf(person)).person
    assert.match(await deployment.dump(), /Alice Zanzibar/)
    const ended = await ending(person)
    assert.equal(ended.did, 'requested')
    assert.deepEqual(await authority.browser.accounts(person.visitor()), [], 'no session is left')
    const refresh = tokens.value['refresh_token'] as string
    assert.equal((await authority.token(asking(refreshing(refresh), { as: 'web' }))).kind, 'error')

    deployment.clock += 13 * day
    await sweeping(deployment)
    assert.notEqual(await store.users.byId(root, id), null, 'the time has not come')
    deployment.clock += 2 * day
    await Promise.all([sweeping(deployment), sweeping(deployment)])
    assert.equal(await store.users.byId(root, id), null)
    await store.events.position()
    const held = await deployment.dump()
    for (const word of ['Alice Zanzibar', 'Alice Doe', 'alice@example.com', '"alice"', 'Name-of-alice'])
      assert.equal(held.includes(word), false, word)
    assert.ok(held.includes(id), 'the log still tells what became of one whom nobody can name')
    const report = await verifyLog(store, root, null)
    assert.deepEqual(report.damage, [])
  })

  test(`signing in before that keeps the account, also in the moment it is due (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { store } = deployment
    const { id } = (await accountOf(await signedIn(deployment))).person
    assert.equal((await ending(await signedIn(deployment))).did, 'requested')
    deployment.clock += 15 * day
    const [again] = await Promise.all([signedIn(deployment), sweeping(deployment)])
    const user = await store.users.byId(root, id)
    if (user === null) assert.deepEqual(await deployment.authority.browser.accounts(again.visitor()), [])
    else assert.equal(user.deletionDueAt, undefined)
    await sweeping(deployment)
    assert.equal((await store.users.byId(root, id)) === null, user === null, 'kept is kept')
  })

  test(`a refresh that races with the end of the account leaves nothing alive (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { authority } = deployment
    const person = await signedIn(deployment)
    const first = await authority.token(asking(redemption(await person.code()), { as: 'web' }))
    assert.ok(first.kind === 'ok')
    const refresh = first.value['refresh_token'] as string
    const [raced] = await Promise.all([authority.token(asking(refreshing(refresh), { as: 'web' })), ending(person)])
    const last = raced.kind === 'ok' ? (raced.value['refresh_token'] as string) : refresh
    assert.equal((await authority.token(asking(refreshing(last), { as: 'web' }))).kind, 'error')
  })
}

test('who ended their account is spoken for by no other issuer and asked by no client, until they sign in', async () => {
  const deployment = await openDeployment()
  const partner = 'https://partner.example'
  const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
  const exchange = [{ audience: api, scopes: ['invoices:read'], as: 'delegate' }]
  await declare(deployment, {
    ...declaration,
    clients: [
      ...declaration.clients,
      bank('bank'),
      { ...machine('wiki', 'invoices:read'), grant_types: [bearerGrant, exchangeGrant], exchange },
    ],
    users: [{ username: 'alice', password }],
    trusted_issuers: [{ issuer: partner, people: { linked: [{ sub: 'p-1', username: 'alice' }] } }],
  })
  const [others, by] = [new OtherIssuers(), signingKey('partner-1')]
  others.publish(partner, [by])
  const authority = deployment.node({ outbound: others })
  const said = (more: JsonObject, typ = 'JWT') => {
    const about = { iss: partner, aud: 'https://as.example', sub: 'p-1', nbf: undefined, ...more }
    return signedToken(workloadClaims(deployment.clock, about as unknown as JsonObject), { by, header: { typ } })
  }
  const ask = async (form: Record<string, string>) => {
    const answer = await authority.token(asking(String(new URLSearchParams(form)), { as: 'wiki' }))
    return answer.kind === 'ok' ? 'ok' : answer.error.reason
  }
  const assertion = () =>
    said(
      { client_id: 'wiki', scope: 'invoices:read', exp: Math.floor(deployment.clock / 1000) + 300 },
      'oauth-id-jag+jwt',
    )
  const redeemed = () => ask({ grant_type: bearerGrant, assertion: assertion() })
  const subject = { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt', audience: api }
  const exchanged = () => ask({ grant_type: exchangeGrant, subject_token: said({}), ...subject })
  const hints = (): readonly Record<string, string | undefined>[] => [
    { login_hint: 'alice' },
    { login_hint: undefined, login_hint_token: said({}) },
  ]
  const asked = async () => {
    for (const hint of hints()) assert.equal((await askByBackchannel(authority, hint)).error, undefined)
  }
  const alice = await PersonAtAccount.signedIn(authority)
  await asked()
  assert.deepEqual([await redeemed(), await exchanged(), (await alice.waiting()).length], ['ok', 'ok', 2])

  assert.equal((await ending(alice)).did, 'requested')
  // Nobody is told that it is for nobody.
  await asked()
  assert.deepEqual([await redeemed(), await exchanged()], ['assertion_invalid', 'subject_token_invalid'])

  const again = await PersonAtAccount.signedIn(authority)
  assert.deepEqual([await redeemed(), await exchanged()], ['ok', 'ok'])
  assert.equal((await again.waiting()).length, 2, 'what came meanwhile was for nobody')
})

test('a wrong password, an old sign-in and the last owner are refused, and nothing ends', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const { authority } = deployment
  const person = await signedIn(deployment)
  assert.deepEqual(await ending(person, 'wrong'), { did: 'wrong' })
  await authority.admin.users.setAdministrator(operator, root, { username: 'alice', administrator: 'owner' })
  assert.deepEqual(await ending(person), { did: 'last_owner' })
  await authority.admin.users.setAdministrator(operator, root, { username: 'bob', administrator: 'owner' })
  const bob = await signedIn(deployment, 'bob', 'battery-staple')
  const both = await Promise.all([ending(person), ending(bob, 'battery-staple')])
  assert.deepEqual(both.map(({ did }) => did).toSorted(), ['last_owner', 'requested'])
  deployment.clock += 15 * day
  await sweeping(deployment)
  const owners = [
    await deployment.store.users.byUsername(root, 'alice'),
    await deployment.store.users.byUsername(root, 'bob'),
  ]
  assert.ok(
    owners.some((it) => it !== null),
    'somebody is left who can name an owner',
  )
  const old = await signedIn(
    deployment,
    owners[0] === null ? 'bob' : 'alice',
    owners[0] === null ? 'battery-staple' : password,
  )
  deployment.clock += day / 24
  assert.deepEqual(await ending(old, owners[0] === null ? 'battery-staple' : password), { did: 'stale' })
})

test('what a person downloads holds all of theirs, and nothing that signs in', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  await declare(deployment, { accounts: { terms: { version: '7', url: 'https://as.example/terms' } } })
  const person = await signedIn(deployment)
  const { browser } = deployment.authority
  assert.equal(await browser.signUp.agreeToTerms(await accountOf(person), '7', person.visitor()), 'accepted')
  await person.code()
  const data = await browser.account.data(await accountOf(person))
  const text = JSON.stringify(data)
  for (const part of [
    'alice@example.com',
    '"version":"7"',
    '"sessions":[{',
    '"consents":[{',
    '"grants":[{',
    'session.started',
  ])
    assert.ok(text.includes(part), part)
  const user = await deployment.store.users.byUsername(root, 'alice')
  assert.ok(user?.passwordHash !== null && user !== null)
  for (const secret of ['argon2', user.passwordHash, 'handle', 'sealed'])
    assert.equal(text.includes(secret), false, secret)
})

test('a profile takes readable text, languages, time zones and https pictures, and leaves other claims', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const person = await signedIn(deployment)
  const { account } = deployment.authority.browser
  const plain = { name: 'A', given_name: '', family_name: '', locale: '', zoneinfo: '', picture: '' }
  for (const [field, value] of [
    ['name', '\u202eevil'],
    ['name', 'x'.repeat(20_000)],
    ['locale', 'not a language'],
    ['zoneinfo', 'Mars/Olympus'],
    ['picture', 'javascript:alert(1)'],
    ['picture', 'http://example.com/a.png'],
  ] as const)
    assert.deepEqual(
      await account.changeProfile(await accountOf(person), { ...plain, [field]: value }, person.visitor()),
      { wrong: field },
      value.slice(0, 30),
    )
  const good = { ...plain, locale: 'pt-BR', zoneinfo: 'Europe/Berlin', picture: 'https://example.com/a.png' }
  assert.equal(await account.changeProfile(await accountOf(person), good, person.visitor()), 'saved')
  assert.deepEqual((await accountOf(person)).person.claims, {
    email: 'alice@example.com',
    email_verified: true,
    name: 'A',
    locale: 'pt-BR',
    zoneinfo: 'Europe/Berlin',
    picture: 'https://example.com/a.png',
  })
})
