/** The front page, pages that say what is wrong, and that a tenant that is not there has no page at all. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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

  test('a tenant that is not there has no page', async () => {
    const browser = deployment.browser()
    const pages = ['/', '/account', '/account/sessions', '/device', '/signed-out', '/logout']
    for (const path of pages) assert.equal((await browser.ask(`/t/nobody${path}`)).status, 404, path)
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
