/** What clients are told when a session ends: Back-Channel Logout 1.0, from the commit to the client's door. */
import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import type { Authority, Outbound } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import {
  asking,
  databases,
  type Database,
  declaration,
  declare,
  type Deployment,
  machine,
  nowhere,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { authorizeQuery, PersonAtBrowser, redemption } from '../support/person.ts'
import { waitUntil } from '../support/wait-until.ts'

const site = (host: string, id: string, more: JsonObject = {}): JsonObject => ({
  ...machine(id, 'openid offline_access'),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [`https://${host}/cb`],
  backchannel_logout_uri: `https://${host}/logout`,
  ...more,
})

function without(whole: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = whole
  return rest
}

interface Told {
  readonly url: string
  readonly token: string
}

/** The world outside: keeps what it is told, and answers as it was set to. */
class World {
  readonly told: Told[] = []
  answer: (url: string) => ReturnType<Outbound['deliver']> = () => Promise.resolve(ok(null))
  readonly outbound: Outbound = {
    ...nowhere,
    submit: () => Promise.resolve(err('unreachable')),
    deliver: (url, form) => {
      this.told.push({ url, token: form['logout_token'] ?? '' })
      return this.answer(url)
    },
  }
  at = (host: string) => this.told.filter((it) => new URL(it.url).hostname === host)
}

interface Scene {
  readonly deployment: Deployment
  readonly world: World
  readonly authority: Authority
}

async function openScene(database: Database = 'sqlite', more: readonly JsonObject[] = []): Promise<Scene> {
  const deployment = await openDeployment(database)
  const clients = [
    site('one.example', 'one'),
    site('two.example', 'two', { id_token_signed_response_alg: 'ES256', subject_type: 'pairwise' }),
    without(site('three.example', 'quiet'), 'backchannel_logout_uri'),
    ...more,
  ]
  const users = ['alice', 'bob'].map((username) => ({ username, password: 'correct-horse' }))
  await declare(deployment, { ...declaration, clients: [...declaration.clients, ...clients], users })
  const world = new World()
  const authority = deployment.node({ outbound: world.outbound })
  return { deployment, world, authority }
}

const decoded = (token: string, part: number) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>

interface SignedIn {
  readonly person: PersonAtBrowser
  readonly idToken: Record<string, unknown>
}

async function signIn(
  { authority }: Scene,
  client: string,
  person = new PersonAtBrowser(authority),
): Promise<SignedIn> {
  const host = client === 'quiet' ? 'three' : client
  const redirect_uri = `https://${host}.example/cb`
  const query = { client_id: client, redirect_uri, scope: 'openid', resource: 'https://as.example' }
  const code = await person.code(authorizeQuery(query))
  const answer = await authority.token(asking(redemption(code, { redirect_uri }), { as: client }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return { person, idToken: decoded(answer.value['id_token'] as string, 1) }
}

async function isSigned(token: string, { authority }: Scene): Promise<boolean> {
  const [head = '', body = '', signature = ''] = token.split('.')
  const set = await authority.keySet(root)
  assert.ok(set.kind === 'ok')
  const { kid, alg } = decoded(token, 0)
  const keys = set.value.body['keys'] as readonly JsonObject[]
  const jwk = keys.find((it) => it['kid'] === kid)
  const key = createPublicKey({ key: jwk as never, format: 'jwk' })
  const how = alg === 'ES256' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key
  return verify('sha256', Buffer.from(`${head}.${body}`), how, Buffer.from(signature, 'base64url'))
}

for (const database of databases) {
  test(`Back-Channel Logout §2.4, §2.5 on ${database}: every client of the session hears of its end, once, in its own words`, async () => {
    const scene = await openScene(database)
    const { world, authority, deployment } = scene
    const one = await signIn(scene, 'one')
    const two = await signIn(scene, 'two', one.person)
    await signIn(scene, 'quiet', one.person)
    const other = await signIn(scene, 'one')
    await authority.begin()
    await authority.browser.signOut(one.person.visitor())
    await waitUntil(() => world.told.length >= 2, 'both were told')
    for (const [host, { idToken }, alg] of [
      ['one.example', one, 'RS256'],
      ['two.example', two, 'ES256'],
    ] as const) {
      const [told, ...more] = world.at(host)
      assert.ok(told !== undefined && more.length === 0)
      assert.equal(told.url, `https://${host}/logout`)
      assert.deepEqual([decoded(told.token, 0)['typ'], decoded(told.token, 0)['alg']], ['logout+jwt', alg])
      assert.ok(await isSigned(told.token, scene))
      const { jti, iat, exp, ...claims } = decoded(told.token, 1)
      assert.equal(typeof jti, 'string')
      assert.equal(Number(exp) - Number(iat), 120)
      assert.deepEqual(claims, {
        iss: 'https://as.example',
        sub: idToken['sub'],
        aud: idToken['aud'],
        sid: idToken['sid'],
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
    }
    assert.notEqual(one.idToken['sub'], two.idToken['sub'])
    // The other browser of the same person is none of this, and nothing is left behind.
    assert.ok(world.told.every((it) => decoded(it.token, 1)['sid'] !== other.idToken['sid']))
    await waitUntil(
      async () => !(await deployment.store.deliveries.due((deployment.clock + 9e9) as never)),
      'all is settled',
    )
  })
}

test('every way to end a session tells: account page, password, administrator', async () => {
  const scene = await openScene()
  const { world, authority } = scene
  await authority.begin()
  const accountOf = async ({ person }: SignedIn) =>
    (await authority.browser.accounts(person.visitor()))[0] ?? assert.fail()
  const heard = (it: SignedIn) =>
    waitUntil(() => world.told.some(({ token }) => decoded(token, 1)['sid'] === it.idToken['sid']), 'it was told')

  const [first, second] = [await signIn(scene, 'one'), await signIn(scene, 'one')]
  const account = await accountOf(first)
  await authority.browser.account.endSession(String(second.idToken['sid']), account, first.person.visitor())
  await heard(second)

  const third = await signIn(scene, 'one')
  const by = { current: 'correct-horse', next: 'another-correct-horse' }
  assert.equal(await authority.browser.account.changePassword(account, by, first.person.visitor()), 'changed')
  await heard(third)
  assert.ok(
    world.told.every(({ token }) => decoded(token, 1)['sid'] !== first.idToken['sid']),
    'the one kept stays',
  )

  await authority.admin.users.setDisabled(operator, root, { username: 'alice', disabled: true })
  await heard(first)
})

test('Back-Channel Logout §2.7: refresh tokens with offline_access outlive the session, and its access tokens do not', async () => {
  const scene = await openScene()
  const { authority } = scene
  const person = new PersonAtBrowser(authority)
  const redirect_uri = 'https://one.example/cb'
  const query = { client_id: 'one', redirect_uri, scope: 'openid offline_access', resource: 'https://as.example' }
  const code = await person.code(authorizeQuery(query))
  const answer = await authority.token(asking(redemption(code, { redirect_uri }), { as: 'one' }))
  assert.ok(answer.kind === 'ok')
  const { refresh_token: refresh, access_token: access } = answer.value as Record<string, string>
  scene.deployment.clock += 2_000
  await authority.browser.signOut(person.visitor())
  const seen = await authority.introspect(asking(`token=${access}`, { as: 'one' }))
  assert.equal(seen.kind === 'ok' && seen.value['active'], false)
  const again = await authority.token(asking(`grant_type=refresh_token&refresh_token=${refresh}`, { as: 'one' }))
  assert.ok(again.kind === 'ok')
})

test('a client that does not answer is tried again with growing pauses, then given up, and the log says so', async () => {
  const scene = await openScene()
  const { world, authority, deployment } = scene
  world.answer = () => Promise.resolve(err('status'))
  const { person, idToken } = await signIn(scene, 'one')
  await authority.begin()
  await authority.browser.signOut(person.visitor())
  for (const [tries, pause] of [15_000, 60_000, 135_000, 240_000].entries()) {
    await waitUntil(() => world.told.length === tries + 1, `try ${tries + 1}`)
    deployment.clock += pause
  }
  await waitUntil(() => world.told.length === 5, 'the last try')
  const log = async () => {
    await deployment.store.events.position()
    return (await deployment.store.events.after(root, 0, 1000)).filter((it) => it.name === 'logout.undelivered')
  }
  await waitUntil(async () => (await log()).length > 0, 'it is given up')
  const [given] = await log()
  assert.deepEqual([given?.clientId, given?.reason, given?.data], ['one', 'status', { sid: idToken['sid'], tries: 5 }])
  // A client that heard one of them, and whose answer was lost, knows the others by their jti.
  assert.equal(new Set(world.told.map(({ token }) => decoded(token, 1)['jti'])).size, 1)
  deployment.clock += 9e8
  assert.equal(await deployment.store.deliveries.due(deployment.clock as never), false)
})

test('a client that hangs holds up neither the person nor another client', async () => {
  const scene = await openScene()
  const { world, authority } = scene
  const hanging: (() => void)[] = []
  world.answer = (url) =>
    url.includes('one.example')
      ? new Promise((resolve) => hanging.push(() => resolve(ok(null))))
      : Promise.resolve(ok(null))
  const people = []
  for (let i = 0; i < 6; i++) people.push(await signIn(scene, 'one'))
  const last = await signIn(scene, 'two')
  await authority.begin()
  for (const { person } of people) await authority.browser.signOut(person.visitor())
  await waitUntil(() => hanging.length === 4, 'as many as one client may have')
  await authority.browser.signOut(last.person.visitor())
  await waitUntil(() => world.at('two.example').length === 1, 'the other was told')
  assert.equal(hanging.length, 4)
  while (world.at('one.example').length < 6 || hanging.length > 0) {
    hanging.shift()?.()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})

test('four clients that hang, each with much to be told, hold up no other one', async () => {
  const ids = ['h1', 'h2', 'h3', 'h4']
  const scene = await openScene(
    'sqlite',
    ids.map((id) => site(`${id}.example`, id)),
  )
  const { world, authority } = scene
  const hanging: ((answer: Awaited<ReturnType<Outbound['deliver']>>) => void)[] = []
  world.answer = (url) =>
    new URL(url).hostname.startsWith('h') ? new Promise((over) => hanging.push(over)) : Promise.resolve(ok(null))
  const people: PersonAtBrowser[] = []
  for (let n = 0; n < 8; n += 1) {
    const person = new PersonAtBrowser(authority)
    for (const id of ids) await signIn(scene, id, person)
    people.push(person)
  }
  const last = await signIn(scene, 'one')
  await authority.begin()
  for (const person of people) await authority.browser.signOut(person.visitor())
  await waitUntil(() => hanging.length === 16, 'as many as are under way at once')
  for (const over of hanging.splice(0)) over(err('time'))
  await waitUntil(() => hanging.length === 4, 'each is tried again, by one')
  await authority.browser.signOut(last.person.visitor())
  await waitUntil(() => world.at('one.example').length === 1, 'the other was told')
  assert.equal(hanging.length, 4)
  world.answer = () => Promise.resolve(ok(null))
  for (const over of hanging.splice(0)) over(ok(null))
  await waitUntil(() => world.told.length === 33, 'they are well again, and told')
})

test('what a node that died had taken is told by another', async () => {
  const scene = await openScene()
  const { world, authority, deployment } = scene
  const { person } = await signIn(scene, 'one')
  await authority.browser.signOut(person.visitor())
  // Taken, and never heard of again: that is all that is left of a process that was killed.
  assert.ok(await deployment.store.deliveries.takeDue({ now: deployment.clock as never, lease: 15_000, busy: [] }))
  await authority.begin()
  deployment.clock += 15_000
  await waitUntil(() => world.told.length === 1, 'another took it')
})

test('a session that a new sign-in renews tells nobody, and its end tells those of before', async () => {
  const scene = await openScene()
  const { world, authority } = scene
  const { person, idToken } = await signIn(scene, 'one')
  await authority.begin()
  scene.deployment.clock += 1_000
  await person.begin(
    authorizeQuery({
      client_id: 'two',
      redirect_uri: 'https://two.example/cb',
      scope: 'openid',
      resource: 'https://as.example',
      prompt: 'login',
    }),
  )
  await person.signIn('alice')
  await person.allow()
  await authority.browser.signOut(person.visitor())
  await waitUntil(() => world.told.length === 2, 'both are told')
  const [one] = world.at('one.example')
  assert.equal(decoded(one?.token ?? '', 1)['sid'], idToken['sid'])
})
