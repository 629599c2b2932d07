/** The endpoint of the back channel and the page "Requests" over real HTTP, and everybody who would answer for others. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  clientSecret,
  deploy,
  type Deployment,
  type HandBrowser,
  type Person,
  tokenIn,
} from '../interact/deployment.ts'

const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}` })
const grantType = 'urn:openid:params:grant-type:ciba'

interface Answer {
  readonly auth_req_id: string
  readonly error?: string
  readonly access_token?: string
}

describe('requests by the back channel', { concurrency: 4 }, () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  const post = async (path: string, form: Readonly<Record<string, string>>, as = 'asker') =>
    deployment.send(path, { form, headers: basic(as) })
  const ask = async (who: Person, more: Readonly<Record<string, string>> = {}, base = ''): Promise<Answer> => {
    const form = {
      scope: 'openid invoices:read invoices:write',
      login_hint: who.username,
      binding_message: 'W4SCT',
      ...more,
    }
    return JSON.parse((await post(`${base}/backchannel_authentication`, form)).body) as Answer
  }
  const poll = async (id: string, base = ''): Promise<Answer> =>
    JSON.parse((await post(`${base}/token`, { grant_type: grantType, auth_req_id: id })).body) as Answer
  const signedIn = async (who: Person, base = ''): Promise<HandBrowser> => {
    const browser = deployment.browser()
    assert.equal((await browser.press(`${base}/account`, '/enter', { ...who })).status, 303)
    return browser
  }
  const referenceIn = (page: string): string => /name="request" value="([\w-]+)"/.exec(page)?.[1] ?? ''
  const press = async (browser: HandBrowser, fields: Readonly<Record<string, string>>, base = '') => {
    const answer = await browser.press(`${base}/account/requests`, '', fields)
    return answer.status === 303 ? browser.ask(answer.headers.location ?? '') : answer
  }

  test('CIBA §4: the metadata of every issuer say what is served', async () => {
    for (const base of ['', '/t/acme']) {
      const metadata = JSON.parse((await deployment.send(`${base}/.well-known/openid-configuration`)).body)
      assert.equal(
        metadata.backchannel_authentication_endpoint,
        `${deployment.issuer}${base}/backchannel_authentication`,
      )
      assert.deepEqual(metadata.backchannel_token_delivery_modes_supported, ['poll', 'ping'])
      assert.ok(metadata.backchannel_authentication_request_signing_alg_values_supported.includes('ES256'))
      assert.ok(!metadata.backchannel_authentication_request_signing_alg_values_supported.includes('none'))
      assert.equal(metadata.backchannel_user_code_parameter_supported, true)
      assert.ok(metadata.grant_types_supported.includes(grantType))
      assert.match(metadata.mtls_endpoint_aliases.backchannel_authentication_endpoint, /\/backchannel_authentication$/)
    }
  })

  test('CIBA §7, §8: asked, seen on the account page with all that counts, allowed by its button, fetched', async () => {
    const who = deployment.somebody()
    const { auth_req_id: id } = await ask(who)
    const browser = await signedIn(who)
    const page = await browser.ask('/account/requests')
    for (const shown of ['Bank', 'W4SCT', 'See invoices', '127.0.0.1', 'id="allow"', 'id="deny"'])
      assert.ok(page.body.includes(shown), shown)
    assert.equal((await poll(id)).error, 'authorization_pending')
    const done = await press(browser, { request: referenceIn(page.body), allow: 'yes' })
    assert.match(done.body, /id="request-approved"/)
    const tokens = await poll(id)
    assert.ok(tokens.access_token)
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString())
    assert.equal(claims.scope, 'invoices:read openid', 'what was unticked is not granted')
    assert.equal((await poll(id)).error, 'invalid_grant')
    assert.doesNotMatch((await browser.ask('/account/requests')).body, /id="allow"/)
  })

  test('who signs in on the way to a page of the account comes to that page, and to no address that a form names', async () => {
    const who = deployment.somebody()
    for (const [section, landing] of [
      ['/requests', '/account/requests'],
      ['/activity', '/account/activity'],
      ['', '/account'],
    ] as const) {
      const browser = deployment.browser()
      const page = (await browser.ask(`/account${section}`)).body
      const hidden = /name="section" value="([^"]*)"/.exec(page)?.[1]
      const form = { csrf: tokenIn(page), ...who, ...(hidden === undefined ? {} : { section: hidden }) }
      const wrong = await browser.ask('/account/enter', { form: { ...form, password: 'wrong' } })
      assert.equal(/name="section" value="([^"]*)"/.exec(wrong.body)?.[1], hidden, 'a second try goes there, too')
      assert.equal((await browser.ask('/account/enter', { form })).headers.location, landing)
    }
    for (const forged of ['https://evil.example', '//evil.example', '__proto__', 'constructor', '/requests', '']) {
      const browser = deployment.browser()
      const answer = await browser.press('/account', '/enter', { ...who, section: forged })
      assert.equal(answer.headers.location, '/account', forged)
    }
  })

  test('CIBA §11: denied by its button, and told so', async () => {
    const who = deployment.somebody()
    const { auth_req_id: id } = await ask(who)
    const browser = await signedIn(who)
    const reference = referenceIn((await browser.ask('/account/requests')).body)
    assert.match((await press(browser, { request: reference, deny: 'yes' })).body, /id="request-denied"/)
    assert.match((await press(browser, { request: reference, allow: 'yes' })).body, /waits no more/)
    assert.equal((await poll(id)).error, 'access_denied')
  })

  test('a forged form, another person, a reference of nobody and a GET answer nothing', async () => {
    const [who, stranger] = [deployment.somebody(), deployment.somebody()]
    const { auth_req_id: id } = await ask(who)
    const [browser, others] = [await signedIn(who), await signedIn(stranger)]
    const reference = referenceIn((await browser.ask('/account/requests')).body)
    const form = { request: reference, allow: 'yes' }
    assert.equal((await browser.ask('/account/requests', { form })).status, 403)
    const csrf = tokenIn((await others.ask('/account/requests')).body)
    assert.equal((await browser.ask('/account/requests', { form: { ...form, csrf } })).status, 403)
    assert.match((await press(others, form)).body, /waits no more/)
    for (const wrong of ['', id, `${reference}x`, '../..', 'x'.repeat(5000)])
      assert.match((await press(browser, { request: wrong, allow: 'yes' })).body, /waits no more/)
    assert.match((await press(browser, { request: reference })).body, /waits no more/)
    await browser.ask(`/account/requests?request=${reference}&allow=yes`)
    assert.equal((await poll(id)).error, 'authorization_pending')
    assert.equal((await deployment.send('/account/requests', { form })).status, 200, 'asked to sign in')
    assert.equal((await poll(id)).error, 'slow_down')
  })

  test('a request of one tenant is none in another', async () => {
    const who = deployment.somebody()
    const { auth_req_id: id } = await ask(who, {}, '/t/acme')
    const [here, there] = [await signedIn(who), await signedIn(who, '/t/acme')]
    assert.doesNotMatch((await here.ask('/account/requests')).body, /id="allow"/)
    const page = await there.ask('/t/acme/account/requests')
    assert.match(page.body, /id="allow"/)
    assert.match((await press(here, { request: referenceIn(page.body), allow: 'yes' })).body, /waits no more/)
    assert.equal((await poll(id)).error, 'invalid_grant')
    const done = await press(there, { request: referenceIn(page.body), allow: 'yes' }, '/t/acme')
    assert.match(done.body, /id="request-approved"/)
    assert.ok((await poll(id, '/t/acme')).access_token)
  })

  test('several wait: one is shown, the others are named and can be looked at', async () => {
    const who = deployment.somebody()
    const [first, second] = [await ask(who, { binding_message: 'one-1' }), await ask(who, { binding_message: 'two-2' })]
    const browser = await signedIn(who)
    const page = await browser.ask('/account/requests')
    assert.match(page.body, /one-1[^]*two-2/)
    const other = /href="(\/account\/requests\?request=[\w-]+)"/.exec(page.body)?.[1] ?? ''
    const looked = await browser.ask(other)
    await press(browser, { request: referenceIn(looked.body), allow: 'yes' })
    assert.ok((await poll(second.auth_req_id)).access_token)
    assert.equal((await poll(first.auth_req_id)).error, 'authorization_pending')
  })

  test('CIBA §7.1, §13: what is malformed, repeated, oversized or unauthenticated is a clear 4xx', async () => {
    const who = deployment.somebody()
    const good = { scope: 'openid', login_hint: who.username }
    const path = '/backchannel_authentication'
    const error = async (form: Readonly<Record<string, string>>, as?: string) => {
      const answer = await post(path, form, as)
      return [answer.status, (JSON.parse(answer.body) as Answer).error]
    }
    assert.deepEqual(await error({ ...good, binding_message: 'x'.repeat(101) }), [400, 'invalid_binding_message'])
    assert.deepEqual(await error({ ...good, id_token_hint: 'x' }), [400, 'invalid_request'])
    assert.deepEqual(await error({ ...good, scope: 'email' }), [400, 'invalid_scope'])
    assert.deepEqual(await error(good, 'web'), [400, 'unauthorized_client'])
    assert.deepEqual(await error(good, 'nobody'), [401, 'invalid_client'])
    assert.deepEqual(await error(good, 'asker-with-code'), [400, 'missing_user_code'])
    assert.deepEqual(await error({ ...good, user_code: '1' }, 'asker-with-code'), [400, 'invalid_user_code'])
    const twice = new URLSearchParams([...Object.entries(good), ['login_hint', 'other']]).toString()
    const repeated = await deployment.send(path, { content: twice, headers: basic('asker') })
    assert.equal(repeated.status, 400)
    const json = { ...basic('asker'), 'content-type': 'application/json' }
    assert.equal((await deployment.send(path, { content: '{}', headers: json })).status, 415)
    assert.equal((await post(path, { ...good, more: 'x'.repeat(70_000) })).status, 413)
    assert.equal((await deployment.send(path)).status, 405)
    assert.equal((await deployment.send(path, { form: { ...good, client_id: 'asker' } })).status, 401)
  })

  test('a code for requests is chosen, and done away with, on the page', async () => {
    const who = deployment.somebody()
    const browser = await signedIn(who)
    assert.equal((await browser.press('/account/requests', '', { user_code: 'abc' })).status, 400)
    assert.match((await press(browser, { user_code: 'x12345' })).body, /Your code was saved/)
    const form = { scope: 'openid', login_hint: who.username, user_code: 'x12345' }
    assert.equal((await post('/backchannel_authentication', form, 'asker-with-code')).status, 200)
    await ask(who)
    const page = await browser.ask('/account/requests')
    assert.doesNotMatch(page.body, /Also waiting/, 'only the one with the code reached them')
    assert.match((await press(browser, { 'remove-user-code': 'yes' })).body, /Your code was removed/)
  })
})

test('backchannel.flow: off leaves no trace of it', async () => {
  await using deployment = await deploy({ GRANTOR_BACKCHANNEL_FLOW: 'off' }, 1)
  const metadata = JSON.parse((await deployment.send('/.well-known/openid-configuration')).body)
  assert.deepEqual(
    Object.keys(metadata).filter((name) => /^backchannel_(?!logout)/.test(name)),
    [],
  )
  assert.ok(!metadata.grant_types_supported.includes(grantType))
  const form = { scope: 'openid', login_hint: 'x' }
  assert.equal((await deployment.send('/backchannel_authentication', { form, headers: basic('web') })).status, 404)
  const polled = await deployment.send('/token', { form: { grant_type: grantType }, headers: basic('web') })
  assert.equal((JSON.parse(polled.body) as Answer).error, 'unsupported_grant_type')
  const browser = deployment.browser()
  await browser.press('/account', '/enter', { ...deployment.somebody() })
  assert.equal((await browser.ask('/account/requests')).status, 404)
  assert.doesNotMatch((await browser.ask('/account')).body, /account\/requests/)
})
