/** A request that is repeated because its answer was lost: the same one is answered, another one spends and ends nothing. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { formOf, refusalResponse } from '@grantor/protocol/oauth'
import {
  api,
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
import { DeviceAtHome } from '../support/device-client.ts'
import { PersonAtBrowser, redemption, refreshing, redirectUri, verifier } from '../support/person.ts'

const opaque = 'https://opaque.example'
const device = 'urn:ietf:params:oauth:grant-type:device_code'

async function openWithTwoApis(database: 'sqlite' | 'postgres'): Promise<Deployment> {
  const deployment = await openDeployment(database)
  const scope = 'openid offline_access invoices:read invoices:write files:read'
  await declare(deployment, {
    ...declaration,
    clients: [
      ...declaration.clients,
      {
        ...machine('web', scope),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [redirectUri],
      },
      { ...machine('tv', scope), grant_types: [device, 'refresh_token'] },
    ],
    users: [{ username: 'alice', password: 'correct-horse' }],
  })
  return deployment
}

/** A grant for both APIs, and its first refresh token. */
async function granted({ authority }: Deployment): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid offline_access invoices:read invoices:write files:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  for (const resource of [api, opaque]) query.append('resource', resource)
  const code = await new PersonAtBrowser(authority).code(formOf(query))
  const answer = await authority.token(asking(redemption(code, { resource: api }), { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value['refresh_token'] as string
}

type Asked = Record<string, string>

const refresh = (authority: Authority, token: string, more: Asked) =>
  authority.token(asking(refreshing(token, more), { as: 'web' }))

type Answer = Awaited<ReturnType<typeof refresh>>
const bodyOf = (answer: Answer): Readonly<Record<string, string>> => {
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value as Record<string, string>
}
const errorOf = (answer: Answer) => (answer.kind === 'ok' ? 'ok' : refusalResponse(answer.error).error)

const whole: Asked = { resource: api }
const different: readonly (readonly [string, Asked, Asked, string])[] = [
  ['a narrower scope', whole, { resource: api, scope: 'invoices:read' }, 'invalid_scope'],
  ['a wider scope', { resource: api, scope: 'invoices:read' }, whole, 'invalid_scope'],
  [
    'another scope of the same size',
    { resource: api, scope: 'invoices:read' },
    { resource: api, scope: 'invoices:write' },
    'invalid_scope',
  ],
  ['another resource', whole, { resource: opaque }, 'invalid_target'],
  ['another resource and scope', whole, { resource: opaque, scope: 'files:read' }, 'invalid_target'],
]

for (const database of databases) {
  test(`${database}: RFC 9700 §4.14.2: a refresh repeated in the window with another effective scope or resource is refused, and nothing is spent or revoked`, async () => {
    const it = await openWithTwoApis(database)
    for (const [what, first, second, error] of different) {
      const token = await granted(it)
      const once = bodyOf(await refresh(it.authority, token, first))
      assert.equal(errorOf(await refresh(it.authority, token, second)), error, what)
      assert.ok(await isActive(it.authority, once['access_token'] ?? '', { as: 'web' }), what)
      // The same request is still answered, with the same successor; and that one is good for anything.
      const twice = bodyOf(await refresh(it.node(), token, first))
      assert.equal(twice['refresh_token'], once['refresh_token'], what)
      assert.equal(twice['scope'], once['scope'], what)
      bodyOf(await refresh(it.authority, once['refresh_token'] ?? '', second))
    }
  })

  test(`${database}: what is said in other words is the same request`, async () => {
    const it = await openWithTwoApis(database)
    const token = await granted(it)
    const once = bodyOf(await refresh(it.authority, token, whole))
    const spelled = (once['scope'] ?? '').split(' ').toReversed().join(' ')
    const twice = bodyOf(await refresh(it.authority, token, { resource: api, scope: spelled }))
    assert.equal(twice['refresh_token'], once['refresh_token'])
  })

  test(`${database}: a client that lost a scope between the two requests is answered with what is left`, async () => {
    const it = await openWithTwoApis(database)
    const token = await granted(it)
    const once = bodyOf(await refresh(it.authority, token, whole))
    const { clients } = it.authority.admin
    const found = await clients.find(root, 'web')
    assert.ok(found.kind === 'ok')
    const metadata = { ...found.value.metadata, scope: 'openid offline_access invoices:read files:read' }
    const changed = await clients.replace(operator, root, {
      ...found.value,
      metadata: metadata,
      disabled: false,
    })
    assert.equal(changed.kind, 'ok')
    const twice = bodyOf(await refresh(it.authority, token, whole))
    assert.equal(twice['refresh_token'], once['refresh_token'])
    assert.equal(twice['scope'], 'invoices:read offline_access openid')
  })

  test(`${database}: of 40 refreshes at once with two scopes one scope wins, and nobody ends the grant`, async () => {
    const it = await openWithTwoApis(database)
    const nodes = [it.authority, it.node()]
    const token = await granted(it)
    const asked = [
      { resource: api, scope: 'invoices:read' },
      { resource: api, scope: 'invoices:write' },
    ] as const
    const racing = Array.from({ length: 40 }, (_, n) =>
      refresh(nodes[n % 2] ?? it.authority, token, asked[(n >> 1) % 2] ?? whole),
    )
    const answers = await Promise.all(racing)
    const good = answers.flatMap((answer) => (answer.kind === 'ok' ? [bodyOf(answer)] : []))
    assert.equal(new Set(good.map((body) => body['scope'])).size, 1)
    assert.equal(new Set(good.map((body) => body['refresh_token'])).size, 1)
    const errors = new Set(answers.map(errorOf))
    assert.deepEqual([...errors].toSorted(), ['invalid_scope', 'ok'])
    bodyOf(await refresh(it.authority, good[0]?.['refresh_token'] ?? '', whole))
  })

  test(`${database}: RFC 8628 §3.4: a device code repeated in the window for another resource is refused likewise`, async () => {
    const it = await openWithTwoApis(database)
    const body = new URLSearchParams({ scope: 'offline_access invoices:read files:read' })
    for (const resource of [api, opaque]) body.append('resource', resource)
    const tv = await DeviceAtHome.ask(it.authority, body.toString())
    const person = new PersonAtBrowser(it.authority)
    const entered = await it.authority.browser.enterUserCode(tv.userCode, person.visitor())
    assert.ok(entered.did === 'entered')
    person.keep(entered.cookies)
    person.interaction = entered.interaction
    await person.stand()
    await person.signIn()
    await person.allow()
    const poll = (resource: string) => {
      const form = new URLSearchParams({ grant_type: device, device_code: tv.deviceCode, resource })
      return it.authority.token(asking(form.toString(), { as: 'tv' }))
    }
    const once = bodyOf(await poll(api))
    assert.equal(errorOf(await poll(opaque)), 'invalid_target')
    assert.equal(bodyOf(await poll(api))['refresh_token'], once['refresh_token'])
  })
}
