/** The front page, pages that say what is wrong, and that a tenant that is not there has no page at all. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { jsonRoutes, routes } from '../../src/routes/index.ts'
import { addressesOf } from '../../src/routes/route.ts'
import { testbed } from '../http/testbed.ts'
import { deploy, type Deployment } from './deployment.ts'

describe('the front page', () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy({}, 1)
  })
  after(() => deployment[Symbol.asyncDispose]())

  test('leads on, at the root and under a tenant', async () => {
    const browser = deployment.browser()
    for (const base of ['', '/t/acme']) {
      const { status, body } = await browser.ask(`${base}/`)
      assert.equal(status, 200)
      for (const path of ['/account', '/.well-known/openid-configuration'])
        assert.match(body, new RegExp(`href="${base}${path}"`))
      assert.doesNotMatch(body, /class="steps"/)
      assert.equal(body.includes('href="/console"'), base === '')
    }
  })

  test('an error page says whether the app or its return address is unknown', async () => {
    const browser = deployment.browser()
    const page = async (query: string) => (await browser.ask(`/authorize?response_type=code&${query}`)).body
    assert.match(await page('client_id=nobody'), /We do not know this app/)
    const elsewhere = encodeURIComponent('https://elsewhere.example/cb')
    assert.match(await page(`client_id=web&redirect_uri=${elsewhere}`), /return address is not registered/)
  })

  test('a tenant that is not there, is switched off or was removed has no page at any address of the table of routes, and serves no client', async () => {
    const { tenants } = deployment.authority.admin
    const by = { kind: 'system', id: 'test' } as const
    const [off, removed] = ['off' as TenantId, 'removed' as TenantId]
    for (const id of [off, removed]) {
      assert.equal((await tenants.create(by, id, id)).kind, 'ok')
      assert.equal((await deployment.send(`/t/${id}/`)).status, 200)
      assert.equal((await tenants.setDisabled(by, id, true)).kind, 'ok')
    }
    assert.equal((await tenants.remove(by, removed)).kind, 'ok')
    const asked = [...routes, ...jsonRoutes]
      .flatMap((route) => addressesOf(route).flatMap((address) => route.methods.map((method) => ({ address, method }))))
      .filter(({ address }) => address.includes(':tenant'))
    const found: string[] = []
    for (const tenant of ['nobody', off, removed])
      for (const { address, method } of asked) {
        const path = address.replace(':tenant', tenant).replaceAll(/:\w+/g, 'x').replace('*', 'x')
        const { status, headers } = await deployment.send(path, { method, ...(method === 'POST' ? { form: {} } : {}) })
        // Endpoints of clients may miss a token, or a body of another form, before they look for the tenant.
        const isRefused =
          status === 404 || ([400, 401, 415].includes(status) && !/html/.test(headers['content-type'] ?? ''))
        if (!isRefused) found.push(`${method} ${path}: ${status}`)
      }
    assert.deepEqual(found, [])
  })
})

test('what a demo lets one try is shown to this machine only', async () => {
  const line = 'curl -u demo-service:gs_secret https://localhost:8443/token'
  const browser = { mail: null } as never
  const { app } = testbed({ browser }, { demoSteps: { current: [{ does: 'token', line }] } })
  const page = async (remoteAddress: string) => (await app.inject({ url: '/', remoteAddress })).body
  for (const here of ['127.0.0.1', '::1']) assert.ok((await page(here)).includes(line), here)
  assert.doesNotMatch(await page('192.0.2.7'), /gs_secret/)
  await app.close()
})
