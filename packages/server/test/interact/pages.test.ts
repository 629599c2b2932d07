/** What pages remember and say on the way: the language after a refused form, the last account, what is wrong with a request. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { authorizePath, clientSecret, type Deployment, deploy, redirectUri } from './deployment.ts'

describe('pages on the way', () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy({ GRANTOR_DEVICE_FLOW: 'off', GRANTOR_BACKCHANNEL_FLOW: 'off' }, 5)
  })
  after(() => deployment[Symbol.asyncDispose]())

  test('the language can be changed after a refused sign-in, and the way goes on in it', async () => {
    const browser = deployment.browser()
    const hub = await browser.begin()
    const refused = await browser.signIn(hub, { username: 'nobody', password: 'wrong' })
    assert.equal(refused.status, 401)
    assert.match(refused.body, /href="\?lang=de" lang="de"/)
    const led = await browser.ask(`${hub}/sign-in?lang=de`)
    assert.equal(led.headers.location, hub)
    assert.match((await browser.ask(hub)).body, /<html lang="de"/)
  })

  test('the sign-in of the account keeps the wanted page through a refusal and a change of language', async () => {
    const browser = deployment.browser()
    const asked = await browser.ask('/account/activity')
    assert.match(asked.body, /name="section" value="activity"/)
    const csrf = /name="csrf" value="([^"]+)"/.exec(asked.body)?.[1] ?? ''
    const form = { csrf, section: 'activity', username: 'nobody', password: 'wrong' }
    const again = await browser.ask('/account/enter', { form })
    assert.match(again.body, /href="\?lang=de&amp;section=activity"/)
    const led = await browser.ask('/account/enter?lang=de&section=activity')
    assert.equal(led.headers.location, '/account/activity')
    // A section that is none of ours leads nowhere else.
    const odd = await browser.ask('/account/enter?section=https://evil.example')
    assert.equal(odd.headers.location, '/account')
  })

  test('the name of the last sign-in is there the next time, one of a refused one is not', async () => {
    const [browser, who] = [deployment.browser(), deployment.somebody()]
    const hub = await browser.begin()
    await browser.signIn(hub, { ...who, password: 'wrong' })
    assert.doesNotMatch((await browser.ask('/account')).body, new RegExp(`value="${who.username}"`))
    await browser.signIn(hub, who)
    browser.cookies.delete('__Host-grantor-session')
    assert.match((await browser.ask('/account')).body, new RegExp(`value="${who.username}"`))
    // What the cookie says is shown as text, whatever it is.
    for (const name of ['"><script>alert(1)</script>', '\u202e', 'x'.repeat(400)]) {
      browser.cookies.set('__Host-grantor-account', Buffer.from(name).toString('base64url'))
      const { status, body } = await browser.ask('/account')
      assert.equal(status, 200)
      assert.doesNotMatch(body, /<script>|x{300}/)
    }
  })

  test('an error page says which thing is wrong, and on this machine what was sent', async () => {
    const evil = 'https://evil.example/"><b>'
    for (const [more, title, shown] of [
      [{ client_id: 'nobody' }, /We do not know this app/, /id="sent-client_id">nobody</],
      [
        { redirect_uri: evil },
        /return address is not registered/,
        /id="sent-redirect_uri">https:\/\/evil\.example\/&quot;&gt;&lt;b&gt;</,
      ],
      [{ redirect_uri: '' }, /request is incomplete|return address/, /id="trace-id"/],
      [{ client_id: '' }, /request is incomplete/, /id="trace-id"/],
    ] as const) {
      const { status, body } = await deployment.send(authorizePath(more))
      assert.equal(status, 400)
      assert.match(body, title)
      assert.match(body, shown)
    }
    const elsewhere = await deployment.send(authorizePath({ client_id: 'nobody' }), { headers: { host: 'id.example' } })
    assert.doesNotMatch(elsewhere.body, /sent-client_id/)
  })

  test('the colours of a client are those of every page on the way to it, and of no other page', async () => {
    await deployment.declare({
      clients: [
        {
          client_id: 'coloured',
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          scope: 'openid',
          accent: '#1D4ED8',
          background: '#eff6ff',
        },
      ],
    })
    const [browser, who] = [deployment.browser(), deployment.somebody()]
    const sheet = /brand\.1d4ed8\.none\.eff6ff\.none\.\w+\.css/
    const hub = await browser.begin({ client_id: 'coloured', scope: 'openid' })
    const shown = await browser.ask(hub)
    assert.match(shown.body, sheet)
    const { status, body } = await deployment.send(`/assets/${sheet.exec(shown.body)?.[0] ?? ''}`)
    assert.equal(status, 200)
    assert.match(body, /--accent:#1d4ed8/)
    assert.match((await browser.signIn(hub, { ...who, password: 'wrong' })).body, sheet)
    await browser.signIn(hub, who)
    const consent = await browser.ask(hub)
    assert.match(consent.body, /id="allow"/)
    assert.match(consent.body, sheet)
    for (const path of ['/account', '/', authorizePath({ client_id: 'coloured', redirect_uri: 'https://x.example' })])
      assert.doesNotMatch((await browser.ask(path)).body, /brand\.1d4ed8/)
  })

  test('a client that cannot refresh is not said to keep access while one is away', async () => {
    const [browser, who] = [deployment.browser(), deployment.somebody()]
    const scope = 'openid invoices:read offline_access'
    const hub = await browser.begin({ client_id: 'framed', scope, prompt: 'consent' })
    await browser.signIn(hub, who)
    const { body } = await browser.ask(hub)
    assert.match(body, /id="allow"/)
    assert.doesNotMatch(body, /while you are away/)
    const other = await browser.begin({ scope, prompt: 'consent' })
    assert.match((await browser.ask(other)).body, /while you are away/)
    assert.match(
      (await browser.ask(other)).body,
      new RegExp(`returned to <strong>${new URL(redirectUri).host}</strong>`),
    )
  })
})
