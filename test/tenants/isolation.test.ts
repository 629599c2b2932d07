/** Tenants over HTTP: each its own issuer, and no identifier of one means anything in another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRequest } from '../faults/http-client.ts'
import { seed } from '../faults/service-client.ts'
import { until } from '../faults/until.ts'
import { issuer } from '../fleet/fleet.ts'
import { at } from '../fleet/objects.ts'
import { type Deployment, onEach } from './deployments.ts'

const secretIn = (tenant: string): string => `zz9canary-secret-of-the-service-in-${tenant === '' ? 'default' : tenant}`
const [template] = seed.clients
const objects = (tenant: string) => ({
  ...seed,
  clients: [{ ...template, client_secret: secretIn(tenant), scope: 'invoices:read revocations:read' }],
})
const declared = {
  ...objects(''),
  tenants: ['acme', 'globex'].map((id) => ({ id, name: id, ...objects(id) })),
}
const issuers = ['', 'acme', 'globex'] as const

const asService = (tenant: string, form: Readonly<Record<string, string>>): HttpRequest => ({
  basic: ['service', secretIn(tenant)],
  form,
})

async function tokenOf({ send }: Deployment, tenant: string, scope = 'invoices:read'): Promise<string> {
  const asked = asService(tenant, { grant_type: 'client_credentials', scope })
  const { status, body } = await send(`${at(tenant)}/token`, asked)
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { access_token: string }).access_token
}

async function isActive({ send }: Deployment, token: string, tenant: string): Promise<boolean> {
  const { status, body } = await send(`${at(tenant)}/introspect`, asService(tenant, { token }))
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { active: boolean }).active
}

const claims = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

const kidsOf = async ({ send }: Deployment, tenant: string): Promise<readonly string[]> =>
  (JSON.parse((await send(`${at(tenant)}/jwks`)).body) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)

onEach('tenants', (open) => {
  test('RFC 8414 §3.1, OIDC Discovery §4: the metadata of a tenant is at every path form, and names only its own addresses', async () => {
    await using it = await open(declared)
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const inserted = await it.send(`/.well-known/${name}/t/acme`)
      const appended = await it.send(`/t/acme/.well-known/${name}`)
      assert.deepEqual([inserted.status, appended.status], [200, 200])
      assert.equal(inserted.body, appended.body)
      const document = JSON.parse(inserted.body) as Readonly<Record<string, unknown>>
      assert.equal(document['issuer'], `${issuer}/t/acme`)
      for (const [field, value] of Object.entries(document)) {
        if (/_endpoint$|_uri$/.test(field)) assert.ok(String(value).startsWith(`${issuer}/t/acme/`), field)
      }
    }
    const grantor = await it.send('/.well-known/grantor/t/acme')
    assert.equal(grantor.body, (await it.send('/t/acme/.well-known/grantor')).body)
    const rings = await Promise.all(issuers.map((tenant) => kidsOf(it, tenant)))
    assert.equal(new Set(rings.flat()).size, rings.flat().length, 'no key is shared')
  })

  test('a client id in two tenants is two clients: the secret of one opens nothing in the other', async () => {
    await using it = await open(declared)
    const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
    for (const own of issuers) {
      for (const other of issuers) {
        const { status } = await it.send(`${at(own)}/token`, { basic: ['service', secretIn(other)], form })
        assert.equal(status, own === other ? 200 : 401, `${other} at ${own}`)
      }
    }
  })

  test('tokens of a tenant carry its claim, and mean nothing at any other issuer', async () => {
    await using it = await open(declared)
    const tokens = new Map<string, string>()
    for (const tenant of issuers) tokens.set(tenant, await tokenOf(it, tenant, 'revocations:read'))
    for (const [own, token] of tokens) {
      assert.deepEqual([claims(token)['iss'], claims(token)['tenant']], [issuer + at(own), own || undefined])
      for (const other of issuers) {
        const mine = own === other
        assert.equal(await isActive(it, token, other), mine)
        const headers = { authorization: `Bearer ${token}` }
        assert.equal((await it.send(`${at(other)}/revocations/changes`, { headers })).status, mine ? 200 : 401)
        assert.equal((await it.send(`${at(other)}/revocations/snapshot`, { headers })).status, mine ? 200 : 401)
        assert.equal((await it.send(`${at(other)}/userinfo`, { headers })).status, mine ? 403 : 401)
      }
      for (const other of issuers.filter((tenant) => tenant !== own)) {
        assert.equal((await it.send(`${at(other)}/revoke`, asService(other, { token }))).status, 200)
        assert.equal(await isActive(it, token, own), true, 'a stranger revokes nothing')
      }
    }
  })

  test('each tenant has a log of its own, and what happens in one is in no other', async () => {
    await using it = await open(declared)
    const { jti } = claims(await tokenOf(it, 'acme'))
    for (const tenant of ['default', 'acme', 'globex']) {
      const { stdout } = await it.run(['audit', 'export', '--tenant', tenant])
      assert.equal(stdout.includes(String(jti)), tenant === 'acme')
      assert.ok(stdout.split('\n').every((line) => line === '' || line.includes(`"tenant":"${tenant}"`)))
      assert.equal((await it.run(['audit', 'verify', '--tenant', tenant])).code, 0)
    }
  })

  test('a disabled tenant refuses everything at once, comes back when enabled, and is gone when removed', async () => {
    await using it = await open(declared)
    const token = await tokenOf(it, 'acme', 'revocations:read')
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    type Question = readonly [path: string, question: HttpRequest]
    const documents: readonly Question[] = [
      ['/t/acme/jwks', {}],
      ['/t/acme/.well-known/openid-configuration', {}],
      ['/.well-known/openid-configuration/t/acme', {}],
      ['/.well-known/oauth-authorization-server/t/acme', {}],
      ['/t/acme/.well-known/grantor', {}],
    ]
    const questions: readonly Question[] = [
      ['/t/acme/token', asService('acme', { grant_type: 'client_credentials', scope: 'invoices:read' })],
      ['/t/acme/introspect', asService('acme', { token })],
      ['/t/acme/revoke', asService('acme', { token: 'ga_nothing' })],
      ['/t/acme/authorize?client_id=service&response_type=code', {}],
      ['/t/acme/revocations/changes', bearer],
      ['/t/acme/revocations/snapshot', bearer],
      ['/t/acme/userinfo', bearer],
    ]
    const statuses = (of: readonly Question[]) =>
      Promise.all(of.map(async ([path, asked]) => (await it.send(path, asked)).status))
    const assertClosed = async () => {
      assert.deepEqual(await statuses(questions), [404, 404, 404, 404, 401, 401, 401])
      // From a database that takes its time they do not wait for the last word: then they are a moment old.
      await until(
        () => statuses(documents),
        (all) => all.every((status) => status === 404),
      )
    }
    assert.deepEqual(await statuses(questions), [200, 200, 200, 400, 200, 200, 403])
    assert.deepEqual(await statuses(documents), [200, 200, 200, 200, 200])
    assert.equal((await it.run(['tenant', 'disable', 'acme'])).code, 0)
    await assertClosed()
    assert.ok(await tokenOf(it, 'globex'))
    assert.equal((await it.run(['tenant', 'enable', 'acme'])).code, 0)
    assert.ok(await tokenOf(it, 'acme'))
    assert.equal((await it.run(['tenant', 'disable', 'acme'])).code, 0)
    assert.equal((await it.run(['tenant', 'remove', 'acme', '--yes'])).code, 0)
    await assertClosed()
  })
})
