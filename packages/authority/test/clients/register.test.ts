import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outbound } from '@grantor/authority'
import { defaultPolicy, type Refusal } from '@grantor/protocol/oauth'
import type { RegistrationPolicy } from '@grantor/protocol/registration'
import { err, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { openDirectory } from '../../src/directory.ts'
import { reapUnused } from '../../src/background/reap.ts'
import {
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  nowhere,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import {
  authorizeQuery,
  declarePeople,
  PersonAtBrowser,
  redemption,
  redirectUri,
  refreshing,
} from '../support/person.ts'
import { managing, registered, registering, Web } from '../support/registration.ts'

const web = { client_name: 'Shop', redirect_uris: [redirectUri], grant_types: ['authorization_code', 'refresh_token'] }

/** Another node of the same deployment, whose policy differs. */
const withPolicy = (deployment: Deployment, registration: Partial<RegistrationPolicy>) =>
  deployment.node({ policy: { ...defaultPolicy, registration: { ...defaultPolicy.registration, ...registration } } })

const refusalOf = (result: Result<unknown, Refusal>): string | null =>
  result.kind === 'ok' ? null : result.error.reason

for (const database of databases)
  test(`RFC 7591 §3.2.1: a client registers itself and completes the code flow (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { authority, store } = deployment
    const { id, secret, document } = await registered(authority, web)
    assert.match(secret ?? '', /^gs_/)
    assert.match(document['registration_access_token'] as string, /^gm_/)
    assert.deepEqual(
      [document['client_secret_expires_at'], document['client_id_issued_at'], document['registration_client_uri']],
      [0, Math.floor(deployment.clock / 1000), `https://as.example/register/${id}`],
    )
    assert.equal((await store.clients.find(root, id))?.origin, 'dynamic')
    const code = await new PersonAtBrowser(authority).code(authorizeQuery({ client_id: id }))
    const issued = await authority.token(asking(redemption(code), { as: id, secret: secret ?? '' }))
    assert.ok(issued.kind === 'ok', JSON.stringify(issued))
    await store.events.position()
    const events = await store.events.after(root, 0, 100)
    const made = events.find(({ name, clientId }) => name === 'client.registered' && clientId === id)
    assert.deepEqual([made?.actor, made?.data?.['origin'], made?.ip], [{ kind: 'client', id }, 'dynamic', '192.0.2.77'])
    const secrets = [secret ?? '', document['registration_access_token'] as string]
    assert.ok(!secrets.some((it) => JSON.stringify(events).includes(it)))
  })

test('RFC 7591 §3.2.1: a public client gets no secret, and nothing that speaks of one', async () => {
  const { authority } = await openDeployment()
  await declare({ authority })
  const { document } = await registered(authority, { ...web, token_endpoint_auth_method: 'none' })
  assert.deepEqual(
    Object.keys(document).filter((it) => it.startsWith('client_secret')),
    [],
  )
})

test('RFC 7591 §3: where registration is off nobody registers; where it takes a token, who has one', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  assert.equal(
    refusalOf(await withPolicy(deployment, { mode: 'off' }).register(registering(web))),
    'registration_closed',
  )
  const closed = withPolicy(deployment, { mode: 'token' })
  assert.equal(refusalOf(await closed.register(registering(web))), 'registration_token_invalid')
  const made = await closed.admin.registrationTokens.create(operator, root, { uses: 1, expiresIn: null })
  assert.ok(made.kind === 'ok')
  const { token } = made.value
  assert.match(token, /^gt_/)
  for (const bearer of ['gt_wrong', `${token}x`, ''])
    assert.equal(refusalOf(await closed.register(registering(web, { bearer }))), 'registration_token_invalid')
  await registered(closed, web, { bearer: token })
  assert.equal(refusalOf(await closed.register(registering(web, { bearer: token }))), 'registration_token_invalid')
})

test('RFC 7591 §3: an initial access token opens its own tenant, until it expires or is revoked', async () => {
  const deployment = await openDeployment()
  await declare(deployment, { ...declaration, tenants: [{ id: 'acme', registration: { mode: 'token' } }] })
  const { authority } = deployment
  const tokens = authority.admin.registrationTokens
  const acme = 'acme' as typeof root
  const brief = await tokens.create(operator, acme, { uses: null, expiresIn: 60 })
  const lasting = await tokens.create(operator, acme, { uses: null, expiresIn: null })
  assert.ok(brief.kind === 'ok' && lasting.kind === 'ok')
  assert.equal(refusalOf(await authority.register(registering(web, { tenant: acme }))), 'registration_token_invalid')
  await registered(authority, web, { tenant: acme, bearer: brief.value.token })
  // The root is open, but whoever shows a token is held to it.
  assert.equal(
    refusalOf(await authority.register(registering(web, { bearer: brief.value.token }))),
    'registration_token_invalid',
  )
  deployment.clock += 60_000
  const late = registering(web, { tenant: acme, bearer: brief.value.token })
  assert.equal(refusalOf(await authority.register(late)), 'registration_token_invalid')
  const listed = await tokens.list(acme, { after: null, limit: 10 })
  assert.ok(listed.kind === 'ok' && listed.value.length === 2 && !JSON.stringify(listed.value).includes('gt_'))
  assert.ok((await tokens.revoke(operator, acme, lasting.value.id)).kind === 'ok')
  assert.equal((await tokens.revoke(operator, acme, lasting.value.id)).kind, 'error')
  const revoked = registering(web, { tenant: acme, bearer: lasting.value.token })
  assert.equal(refusalOf(await authority.register(revoked)), 'registration_token_invalid')
})

test('20 registrations an hour by one address, and none counted that have a token', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { authority } = deployment
  for (let n = 0; n < 20; n++) await registered(authority, web)
  assert.equal(refusalOf(await authority.register(registering(web))), 'limit_reached')
  assert.equal(refusalOf(await authority.register(registering({ nonsense: true }))), 'limit_reached')
  await registered(authority, web, { ip: '192.0.2.78' })
  const made = await authority.admin.registrationTokens.create(operator, root, { uses: null, expiresIn: null })
  assert.ok(made.kind === 'ok')
  await registered(authority, web, { bearer: made.value.token })
  deployment.clock += 3 * 60_000
  await registered(authority, web)
})

test('a tenant that is full takes no more clients, and says so', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const small = withPolicy(deployment, { mostClients: 1 })
  await registered(small, web)
  assert.equal(refusalOf(await small.register(registering(web))), 'registration_full')
})

test('a disabled tenant registers nobody, and neither does one that is not there', async () => {
  const deployment = await openDeployment()
  await declare(deployment, { ...declaration, tenants: [{ id: 'acme', disabled: true }] })
  for (const tenant of ['acme', 'nobody'] as (typeof root)[]) {
    assert.equal(refusalOf(await deployment.authority.register(registering(web, { tenant }))), 'tenant_unknown')
    assert.equal(
      refusalOf(await deployment.authority.registration.read(managing('x', 'gm_x', { tenant }))),
      'tenant_unknown',
    )
  }
})

test('RFC 7592 §2.1: who holds the registration access token reads the registration, and nobody else', async () => {
  const deployment = await openDeployment()
  await declare(deployment, { ...declaration, tenants: [{ id: 'acme' }] })
  const { authority } = deployment
  const one = await registered(authority, web)
  const two = await registered(authority, web)
  const read = await authority.registration.read(managing(one.id, one.access))
  assert.ok(read.kind === 'ok')
  const { client_secret: _secret, ...rest } = one.document
  assert.deepEqual(read.value, rest)
  for (const [id, bearer, tenant] of [
    [one.id, undefined, root],
    [one.id, two.access, root],
    [one.id, `${one.access}x`, root],
    [one.id, one.secret ?? '', root],
    [one.id, one.access, 'acme'],
    ['nobody', one.access, root],
    ['svc', one.access, root],
    ['__proto__', one.access, root],
  ] as [string, string | undefined, typeof root][]) {
    const from = managing(id, bearer, { tenant })
    for (const answer of [
      await authority.registration.read(from),
      await authority.registration.replace({ ...from, body: { ...web, client_id: id } }),
      await authority.registration.remove(from),
    ])
      assert.equal(refusalOf(answer), 'registration_token_invalid', `${id} by ${bearer ?? 'nobody'}`)
  }
})

test('RFC 7592 §2.2: an update replaces everything, and what is left out is gone', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { authority } = deployment
  const { id, access, secret } = await registered(authority, { ...web, client_uri: 'https://client.example/' })
  const update = (body: JsonObject) => authority.registration.replace({ ...managing(id, access), body })
  const body = { ...web, client_id: id, client_name: 'New', tos_uri: 'https://client.example/terms' }
  const replaced = await update({ ...body, client_secret: secret })
  assert.ok(replaced.kind === 'ok', JSON.stringify(replaced))
  assert.deepEqual([replaced.value['client_name'], replaced.value['client_uri']], ['New', undefined])
  const events = await deployment.store.events.after(root, 0, 1_000)
  assert.deepEqual(events.findLast((it) => it.clientId === id)?.data?.['changed'], [
    'client_name',
    'client_uri',
    'tos_uri',
  ])
  assert.equal(replaced.value['registration_access_token'], access)
  for (const [wrong, field] of [
    [{ ...body, client_id: 'another' }, 'client_id'],
    [web, 'client_id'],
    [{ ...body, client_secret: 'x'.repeat(46) }, 'client_secret'],
    [{ ...body, client_secret: 7 }, 'client_secret'],
  ] as const) {
    const answer = await update(wrong)
    assert.equal(answer.kind === 'error' && 'field' in answer.error && answer.error.field, field)
  }
  assert.equal(refusalOf(await update({ ...body, redirect_uris: ['javascript:x'] })), 'redirect_uri_refused')
  const made = await update({ ...body, token_endpoint_auth_method: 'none' })
  assert.ok(made.kind === 'ok' && made.value['client_secret_expires_at'] === undefined)
  assert.deepEqual((await deployment.store.clients.find(root, id))?.secrets, [])
  const again = await update(body)
  assert.ok(again.kind === 'ok' && (again.value['client_secret'] as string).startsWith('gs_'))
})

test('RFC 7592 §2.2: grants outlive an update, but not what it gives up, even if that is registered for again', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const { authority } = deployment
  const scope = 'openid offline_access invoices:read invoices:write'
  const { id, access, secret } = await registered(authority, { ...web, scope })
  const query = authorizeQuery({ client_id: id, scope })
  const as = { as: id, secret: secret ?? '' }
  const code = await new PersonAtBrowser(authority).code(query)
  const first = await authority.token(asking(redemption(code), as))
  assert.ok(first.kind === 'ok')
  const update = (wish: string) =>
    authority.registration.replace({ ...managing(id, access), body: { ...web, client_id: id, scope: wish } })
  assert.ok((await update('openid offline_access invoices:read')).kind === 'ok')
  assert.ok((await update(scope)).kind === 'ok')
  const second = await authority.token(asking(refreshing(first.value['refresh_token'] as string), as))
  assert.ok(second.kind === 'ok', JSON.stringify(second))
  assert.equal(second.value['scope'], 'invoices:read offline_access openid')
})

test('RFC 7592 §2.3: a client that removes itself takes its tokens along, and its token is dead', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const { authority } = deployment
  const { id, access, secret } = await registered(authority, web)
  const code = await new PersonAtBrowser(authority).code(authorizeQuery({ client_id: id }))
  const issued = await authority.token(asking(redemption(code), { as: id, secret: secret ?? '' }))
  assert.ok(issued.kind === 'ok')
  assert.ok((await authority.registration.remove(managing(id, access))).kind === 'ok')
  assert.equal(refusalOf(await authority.registration.remove(managing(id, access))), 'registration_token_invalid')
  assert.equal(refusalOf(await authority.registration.read(managing(id, access))), 'registration_token_invalid')
  assert.equal(await isActive(authority, issued.value['access_token'] as string, { as: 'api' }), false)
})

for (const database of databases)
  test(`RFC 7592 §2.2: 50 updates at once leave one of them whole, and a removal beats them all (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declare(deployment)
    const { authority } = deployment
    const { id, access } = await registered(authority, web)
    const update = (n: number) =>
      authority.registration.replace({
        ...managing(id, access),
        body: { ...web, client_id: id, client_name: `Name ${n}` },
      })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => update(n)))
    const won = answers.filter((answer) => answer.kind === 'ok')
    assert.ok(won.length > 0)
    assert.ok(answers.every((answer) => answer.kind === 'ok' || answer.error.reason === 'unavailable'))
    const name = (await deployment.store.clients.find(root, id))?.metadata.client_name
    assert.ok(won.some((answer) => answer.value['client_name'] === name))
    await Promise.all([
      ...Array.from({ length: 10 }, (_, n) => update(n)),
      authority.registration.remove(managing(id, access)),
    ])
    assert.equal(await deployment.store.clients.find(root, id), null)
  })

test('OIDC Registration §5: a sector is believed when its document names every redirect URI', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const sector = 'https://sector.example/uris.json'
  const others = new Web(() => deployment.clock).put(sector, ['https://a.example/cb', 'https://b.example/cb'])
  const node = deployment.node({ outbound: others })
  const pairwise = { subject_type: 'pairwise', sector_identifier_uri: sector }
  const both = ['https://a.example/cb', 'https://b.example/cb']
  await registered(node, { ...pairwise, redirect_uris: both })
  const fieldOf = async (body: JsonObject, at = node) => {
    const answer = await at.register(registering(body))
    return answer.kind === 'ok' ? null : 'field' in answer.error && answer.error.field
  }
  assert.equal(
    await fieldOf({ ...pairwise, redirect_uris: [...both, 'https://c.example/cb'] }),
    'sector_identifier_uri',
  )
  assert.equal(await fieldOf({ subject_type: 'pairwise', redirect_uris: both }), 'subject_type')
  assert.equal(
    await fieldOf({ ...pairwise, redirect_uris: both }, deployment.node({ outbound: nowhere })),
    'sector_identifier_uri',
  )
  others.put(sector, '{"not": "a list"}')
  assert.equal(await fieldOf({ ...pairwise, redirect_uris: both }), 'sector_identifier_uri')
})

test('OIDC Registration §5: a sector is read anew for each registration, and one that cannot be read is named', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const body = {
    subject_type: 'pairwise',
    sector_identifier_uri: 'https://sector.example/uris.json',
    redirect_uris: ['https://a.example/cb'],
  }
  for (const [error, problem] of [
    ['unreachable', /nobody answered/],
    ['status', /200/],
    ['type', /application\/json/],
    ['time', /in time/],
    ['size', /too large/],
    ['address', /public https/],
  ] as const) {
    const asked: unknown[] = []
    const fetch: Outbound['fetch'] = (ask) => {
      asked.push(ask.anew)
      return Promise.resolve(err(error))
    }
    const node = deployment.node({ outbound: { ...nowhere, fetch } })
    const answer = await node.register(registering(body, { ip: `192.0.2.${error.length}` }))
    assert.ok(answer.kind === 'error' && 'problem' in answer.error)
    assert.match(answer.error.problem, problem)
    assert.deepEqual(asked, [true])
  }
})

test('a client that nobody used goes after its time, one that somebody used stays, and the tenant decides the time', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const acme = 'acme' as typeof root
  await declare(deployment, { tenants: [{ id: 'acme', registration: { unused_life: 3600 } }] })
  const { authority } = deployment
  const [used, unused] = [await registered(authority, web), await registered(authority, web)]
  const brief = await registered(authority, web, { tenant: acme })
  await new PersonAtBrowser(authority).code(authorizeQuery({ client_id: used.id }))
  const reap = () => reapUnused({ ...deployment.ports, directory: openDirectory(deployment.store) })
  const there = async () =>
    Promise.all(
      [used, unused]
        .map(async ({ id }) => (await deployment.store.clients.find(root, id)) !== null)
        .concat([deployment.store.clients.find(acme, brief.id).then((it) => it !== null)]),
    )
  deployment.clock += 3_599_000
  await reap()
  assert.deepEqual(await there(), [true, true, true])
  deployment.clock += 1_000
  await reap()
  assert.deepEqual(await there(), [true, true, false])
  deployment.clock += 7 * 86_400_000
  await reap()
  assert.deepEqual(await there(), [true, false, false])
})

test('RFC 8414 §2, Client ID Metadata Document §5: the metadata of a tenant name what its policy offers', async () => {
  const deployment = await openDeployment()
  const closed = { mode: 'off', metadata_documents: false }
  await declare(deployment, { ...declaration, tenants: [{ id: 'acme', registration: closed }] })
  const of = async (tenant: typeof root) => {
    const answer = await deployment.authority.metadata(tenant)
    return answer.kind === 'ok'
      ? [answer.value['registration_endpoint'], answer.value['client_id_metadata_document_supported']]
      : null
  }
  assert.deepEqual(await of(root), ['https://as.example/register', true])
  assert.deepEqual(await of('acme' as typeof root), [undefined, undefined])
})
