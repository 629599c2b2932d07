/** What went wrong elsewhere: one test for every class of published advisory whose feature exists here, named after it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runCommand, temporaryFolder } from '../../interop/server.ts'
import {
  authorizationRequest,
  authorizePath,
  Browser,
  formOf,
  freshCode,
  freshTokens,
  isActive,
  redeem,
  refresh,
  type Parameters,
} from './browser.ts'
import { forgeriesOf, type PublishedKey } from './forged-tokens.ts'
import type { HttpResponse, HttpRequest } from './http-client.ts'
import { assertPage, assertServes, assertSafe } from './assert-safe.ts'
import { deploy, type Deployment } from './deployment.ts'
import { alice, api, bob, ledger, other, redirectUri, service, verifier, web } from './objects.ts'

let deployment: Deployment
before(async () => void (deployment = await deploy()))
after(() => deployment[Symbol.asyncDispose]())

const errorIn = ({ body }: HttpResponse): string => (JSON.parse(body) as { error: string }).error
const send = (path: string, how?: HttpRequest): Promise<HttpResponse> => deployment.http.send(path, how)

/** What the client is told in answer to an authorization request, without anybody there. */
async function responseAtClient(more: Parameters): Promise<URLSearchParams> {
  const { headers } = await new Browser(deployment.http).visit(authorizePath(more))
  const { location = '' } = headers
  assert.ok(location.startsWith(redirectUri), location)
  return new URL(location).searchParams
}

const script = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'`'

describe('scheme and form_post XSS (CVE-2026-67333, CVE-2024-21637, CVE-2018-8899)', () => {
  test('what a client sends to be returned is text in our page, whatever it holds', async () => {
    const browser = new Browser(deployment.http)
    const asked = { state: script, response_mode: 'form_post', prompt: 'none' }
    const answer = await browser.visit(authorizePath(asked))
    assertSafe('form_post', answer)
    // The answer to prompt=none may stand in a frame of the client; there is nothing in it to press.
    assertPage('form_post', answer.headers, true)
    assert.match(answer.body, /name="error" value="login_required"/)
    assert.ok(!answer.body.includes('<script>alert') && !answer.body.includes('<img src=x'), answer.body)
    assert.doesNotMatch(String(answer.headers['content-security-policy']), /unsafe-inline|unsafe-eval/)
  })

  test('what a person or an address says is text in our pages', async () => {
    const browser = new Browser(deployment.http)
    const login = await browser.visit(authorizePath({ login_hint: script, ui_locales: script }))
    const pages = [
      login,
      await browser.submit(login, { username: script, password: script }),
      await send(`/problems/${encodeURIComponent(script)}`),
      await send(`/account?done=${encodeURIComponent(script)}&lang=${encodeURIComponent(script)}`),
      await send(`/authorize?client_id=${encodeURIComponent(script)}&redirect_uri=${encodeURIComponent(script)}`),
      await send(`/account?x=${encodeURIComponent(script)}`, { headers: [['accept-language', script]] }),
    ]
    for (const page of pages) {
      assertPage(page.body.slice(0, 80), page.headers)
      assert.ok(!page.body.includes('<script>alert') && !page.body.includes('<img src=x'), page.body)
    }
  })

  test('an address that runs, opens or embeds cannot be registered', async () => {
    using folder = temporaryFolder()
    const check = async (uri: string, index: number): Promise<void> => {
      const client = {
        client_id: 'evil',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [uri],
      }
      const file = folder.write(`evil-${index}.json`, { clients: [client] })
      const { code, stderr } = await runCommand(['plan', file], { data: deployment.data })
      assert.equal(code, 2, `${uri}: ${stderr}`)
    }
    // The rule itself is tried with many more (packages/protocol); here, that it is applied.
    await Promise.all(['javascript:alert(1)', 'data:text/html,x', 'https://x.example/cb#x'].map(check))
  })
})

describe('PKCE bypass and downgrade (CVE-2023-48228, CVE-2024-22258, CVE-2025-4144, CVE-2026-41213)', () => {
  test('a request without a challenge, or with another method, gets no code', async () => {
    for (const more of [
      { code_challenge: '', code_challenge_method: '' },
      { code_challenge_method: 'plain', code_challenge: verifier },
      { code_challenge_method: '' },
      { code_challenge_method: 's256' },
      { code_challenge_method: 'none' },
      { code_challenge: 'short' },
      { code_challenge: `${authorizationRequest()['code_challenge']}=` },
      { code_challenge: 'a'.repeat(129) },
    ]) {
      for (const client_id of ['web', 'spa']) {
        const response = await responseAtClient({ ...more, client_id })
        assert.equal(response.get('error'), 'invalid_request', JSON.stringify(more))
        assert.equal(response.get('code'), null)
      }
    }
  })

  test('a verifier that is missing, malformed or the challenge itself redeems nothing', async () => {
    for (const wrong of [
      '',
      'v'.repeat(42),
      'v'.repeat(129),
      `${'v'.repeat(42)}ü`,
      authorizationRequest()['code_challenge'] ?? '',
    ]) {
      const code = await freshCode(deployment.http)
      const answer = await redeem(deployment.http, code, { code_verifier: wrong })
      assertSafe(wrong, answer)
      assert.equal(answer.status, 400)
    }
  })
})

describe('refresh without the client or against another (CVE-2026-53517, CVE-2026-50631, CVE-2026-101023)', () => {
  test('a refresh token needs the client it was given to, authenticated as it registered', async () => {
    const { refresh_token: token, access_token: given } = await freshTokens(deployment.http)
    const form = { grant_type: 'refresh_token', refresh_token: token }
    const refused = [
      await send('/token', { form }),
      await send('/token', { form: { ...form, client_id: web[0] } }),
      await send('/token', { form: { ...form, client_id: web[0], client_secret: web[1] } }),
      await send('/token', { form: { ...form, client_id: 'spa' } }),
      await send('/token', { basic: other, form }),
      await send('/token', { basic: service, form }),
    ]
    for (const answer of refused) {
      assertSafe('a foreign refresh', answer)
      assert.ok([400, 401].includes(answer.status), answer.body)
    }
    assert.equal(await isActive(deployment.http, given), true)
    assert.equal((await refresh(deployment.http, token)).status, 200)
  })

  test('a refresh asks for no more than was granted', async () => {
    const { refresh_token: token } = await freshTokens(deployment.http)
    const wider = await refresh(deployment.http, token, { scope: 'openid invoices:read email' })
    assert.equal(errorIn(wider), 'invalid_scope')
    const elsewhere = await refresh(deployment.http, token, { resource: ledger })
    assert.equal(errorIn(elsewhere), 'invalid_target')
    assert.equal((await refresh(deployment.http, token)).status, 200)
  })
})

describe('JWT libraries (CVE-2023-48223, CVE-2026-34950, CVE-2022-23539, CVE-2026-32597)', () => {
  test('no forged token opens /userinfo, the feed or the counters, or is described or revoked as one of ours', async () => {
    const good = await assertServes(deployment.http)
    const { access_token: person } = await freshTokens(deployment.http)
    const { keys } = JSON.parse((await send('/jwks')).body) as { keys: PublishedKey[] }
    const { kid } = JSON.parse(Buffer.from(good.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
    const key = keys.find((one) => one.kid === kid)
    assert.ok(key !== undefined)
    for (const [what, token] of [
      ...forgeriesOf(good, key, 'http://127.0.0.1:9'),
      ...forgeriesOf(person, key, 'http://127.0.0.1:9'),
    ]) {
      for (const path of ['/userinfo', '/revocations/snapshot', '/metrics']) {
        const answer = await send(path, { bearer: token })
        assertSafe(`${what} at ${path}`, answer)
        assert.equal(answer.status, 401, `${what} at ${path}`)
      }
      const described = await send('/introspect', { basic: service, form: { token } })
      assert.equal(described.body, '{"active":false}', what)
      assertSafe(what, await send('/revoke', { basic: service, form: { token } }))
    }
    assert.equal((await send('/userinfo', { bearer: person })).status, 200)
  })

  test('an ID token hint that is forged, of another client or no ID token is told to the client as wrong', async () => {
    const tokens = await freshTokens(deployment.http)
    const [head = '', body = ''] = tokens.id_token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const hint of [
      `${head}.${body}.`,
      `${none}.${body}.`,
      tokens.access_token,
      `${tokens.id_token}x`,
      'x',
      '..',
    ]) {
      assert.equal(
        (await responseAtClient({ prompt: 'none', id_token_hint: hint })).get('error'),
        'invalid_request',
        hint,
      )
    }
    const foreign = { client_id: 'spa', prompt: 'none', id_token_hint: tokens.id_token }
    assert.equal((await responseAtClient(foreign)).get('error'), 'invalid_request')
  })
})

describe('scope and audience (CVE-2026-75866, CVE-2024-52287, CVE-2026-67332, CVE-2026-46549)', () => {
  test('no scope beyond the registered ones, no resource beyond the granted ones', async () => {
    for (const scope of [
      'admin:clients:write',
      'metrics:read',
      'openid revocations:read',
      'invoices:write',
      'invoices:*',
      '*',
    ]) {
      const response = await responseAtClient({ scope, prompt: 'none' })
      assert.notEqual(response.get('error'), null)
      assert.equal(response.get('code'), null)
    }
    const asked = (form: Parameters) =>
      send('/token', { basic: service, form: { grant_type: 'client_credentials', ...form } })
    for (const form of [
      { scope: 'openid' },
      { scope: 'offline_access' },
      { scope: 'admin:clients:read' },
      { scope: 'invoices:read\u00a0' },
    ]) {
      assert.equal(errorIn(await asked(form)), 'invalid_scope', JSON.stringify(form))
    }
    const strange = [
      'https://evil.example',
      'https://api.example/x',
      'https://api.example:444',
      'api',
      `${api}#x`,
      '//api.example',
    ]
    for (const resource of [...strange, `${deployment.server.issuer}/t/acme`, 'https://api.example@evil.example']) {
      const answer = await asked({ resource, scope: 'invoices:read' })
      assert.equal(errorIn(answer), 'invalid_target', resource)
    }
    // Another spelling of a registered resource is that resource, and the token says it as it was registered.
    const { body } = await asked({ resource: 'https://API.example/', scope: 'invoices:read' })
    const [, claims = ''] = (JSON.parse(body) as { access_token: string }).access_token.split('.')
    assert.equal((JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }).aud, api)
  })

  test('a hundred resources, a deep claims parameter and endless prompts are refused, not worked through', async () => {
    const many = Array.from({ length: 99 }, (_, i) => ['resource', `https://r${i}.example`] as const)
    const answer = await send('/token', { basic: service, form: [['grant_type', 'client_credentials'], ...many] })
    assertSafe('resources', answer)
    assert.equal(answer.status, 400)
    for (const claims of [
      '['.repeat(2_000),
      `{"id_token":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}`,
      '{"id_token":[]}',
      'null',
      '{"userinfo":{"__proto__":null}}',
    ]) {
      assertSafe('claims', await send('/authorize', { form: authorizationRequest({ claims }) }))
    }
    assertSafe(
      'prompts',
      await send('/authorize', { form: authorizationRequest({ prompt: 'login '.repeat(2_000).trim() }) }),
    )
  })
})

describe('introspection and revocation by others (CVE-2026-37979, CVE-2026-58425, CVE-2024-47077)', () => {
  test('a client neither sees nor ends the tokens of another', async () => {
    const tokens = await freshTokens(deployment.http)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.equal(await isActive(deployment.http, token, { as: other }), false)
      const revoked = await send('/revoke', { basic: other, form: { token } })
      assertSafe('a foreign revocation', revoked)
      assert.equal(await isActive(deployment.http, token), true)
    }
    for (const how of [
      { form: { token: tokens.access_token } },
      { form: { token: tokens.access_token, client_id: 'spa' } },
    ]) {
      const answer = await send('/introspect', how)
      assertSafe('an anonymous introspection', answer)
      assert.ok(answer.status >= 400, answer.body)
    }
  })
})

describe('session and interaction (CVE-2026-7507, CVE-2026-109373, CVE-2026-49443, CVE-2025-12390)', () => {
  test('an interaction begun by one browser cannot be finished by another, nor its code be fetched', async () => {
    const attacker = new Browser(deployment.http)
    const victim = new Browser(deployment.http)
    const hub = (await attacker.go(authorizePath())).headers.location ?? ''
    const lured = await victim.visit(hub)
    assertSafe('the lure', lured)
    assert.equal(lured.status, 400)
    await victim.submit(await victim.visit('/account'), alice)
    assert.equal((await victim.visit(hub)).status, 400)
    const page = await attacker.visit(hub)
    assert.match(page.body, /name="password"/)
  })

  test('no step can be skipped: a decision before a sign-in decides nothing', async () => {
    const browser = new Browser(deployment.http)
    const { action, csrf } = formOf(await browser.visit(authorizePath()))
    for (const step of ['decide', 'choose']) {
      const answer = await browser.visit(action.replace('sign-in', step), { csrf, allow: 'yes', account: 'alice' })
      assertSafe(step, answer)
      assert.equal(answer.headers.location, undefined)
      assert.match(answer.body, /name="password"/)
    }
  })

  test('a session has a fresh secret after every sign-in, and one that was planted is not adopted', async () => {
    const browser = new Browser(deployment.http)
    const planted = `gl_${'p'.repeat(43)}`
    browser.cookies.set('__Host-grantor-session', planted)
    const login = await browser.visit('/account')
    await browser.submit(login, bob)
    const first = browser.cookies.get('__Host-grantor-session') ?? ''
    assert.notEqual(first, planted)
    const stolen = new Browser(deployment.http)
    stolen.cookies.set('__Host-grantor-session', planted)
    assert.match((await stolen.visit('/account')).body, /name="password"/)
    const out = formOf(await browser.visit('/account'))
    assert.notEqual(out.csrf, '')
    const again = await browser.visit(authorizePath({ prompt: 'login' }))
    await browser.submit(again, bob)
    const second = browser.cookies.get('__Host-grantor-session') ?? ''
    assert.notEqual(second, first)
    stolen.cookies.set('__Host-grantor-session', first)
    assert.match((await stolen.visit('/account')).body, /name="password"/)
  })

  test('forms of ours do nothing without their token, from another site, or with the token of another browser', async () => {
    const browser = new Browser(deployment.http)
    await browser.submit(await browser.visit('/account'), bob)
    const { csrf } = formOf(await browser.visit('/account/sessions'))
    const stranger = new Browser(deployment.http)
    const foreign = formOf(await stranger.visit('/account')).csrf
    const cookie = ['cookie', browser.cookieHeader] as const
    const forged: readonly HttpRequest[] = [
      { headers: [cookie], form: { 'sign-out': 'yes' } },
      { headers: [cookie], form: { csrf: '', 'sign-out': 'yes' } },
      { headers: [cookie], form: { csrf: foreign, 'sign-out': 'yes' } },
      { headers: [cookie, ['sec-fetch-site', 'cross-site']], form: { csrf } },
      { headers: [cookie, ['sec-fetch-site', 'same-site']], form: { csrf } },
      { headers: [cookie, ['origin', 'https://evil.example']], form: { csrf } },
    ]
    for (const how of forged) {
      for (const path of [
        '/account/sign-out',
        '/account/sessions',
        '/account',
        '/account/password',
        '/account/enter',
      ]) {
        const answer = await send(path, how)
        assertSafe(path, answer)
        assert.equal(answer.status, 403, path)
      }
      assertSafe('/logout', await send('/logout', how))
    }
    assert.doesNotMatch((await browser.visit('/account')).body, /name="password"/)
  })

  test('cookies are for this host, over TLS, out of reach of scripts', async () => {
    const browser = new Browser(deployment.http)
    const page = await browser.go('/account')
    const entered = await browser.go(formOf(page).action, { csrf: formOf(page).csrf, ...bob })
    const set = [...(page.headers['set-cookie'] ?? []), ...(entered.headers['set-cookie'] ?? [])]
    assert.ok(set.length >= 2)
    for (const line of set) {
      assert.match(line, /^__Host-/)
      for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) assert.ok(line.includes(part), line)
      assert.doesNotMatch(line, /Domain=/i)
    }
  })
})

describe('CORS (CVE-2026-37977)', () => {
  test('no answer lets another origin read with credentials, and pages let none read at all', async () => {
    const origin = ['origin', 'https://evil.example'] as const
    for (const path of [
      '/token',
      '/userinfo',
      '/jwks',
      '/revoke',
      '/introspect',
      '/authorize',
      '/account',
      '/revocations/snapshot',
      '/metrics',
    ]) {
      for (const how of [
        { headers: [origin] },
        { headers: [origin, ['access-control-request-method', 'POST']], method: 'OPTIONS' },
      ] as const) {
        const { headers } = await send(path, how)
        assert.equal(headers['access-control-allow-credentials'], undefined, path)
        assert.ok([undefined, '*'].includes(headers['access-control-allow-origin']), path)
        if (!['/token', '/userinfo', '/jwks', '/revoke'].includes(path)) {
          assert.equal(headers['access-control-allow-origin'], undefined, path)
        }
      }
    }
  })
})

describe('features that are not offered (half-working is worse than none)', () => {
  test('grants, methods and parameters that are not advertised are refused by their proper error', async () => {
    const { body } = await send('/.well-known/openid-configuration')
    const metadata = JSON.parse(body) as {
      grant_types_supported: string[]
      token_endpoint_auth_methods_supported: string[]
    }
    const exotic = [
      'password',
      'implicit',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:saml2-bearer',
      'urn:openid:params:grant-type:ciba',
    ]
    for (const grant_type of exotic.filter((one) => !metadata.grant_types_supported.includes(one))) {
      const answer = await send('/token', {
        basic: service,
        form: { grant_type, ...alice, assertion: 'x', subject_token: 'x' },
      })
      assert.equal(errorIn(answer), 'unsupported_grant_type', grant_type)
    }
    if (!metadata.token_endpoint_auth_methods_supported.includes('private_key_jwt')) {
      const form = {
        grant_type: 'client_credentials',
        client_id: service[0],
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'e30.e30.',
      }
      assert.equal(errorIn(await send('/token', { form })), 'invalid_client')
    }
    for (const response_type of ['token', 'id_token', 'code token', 'code id_token', 'none', 'code code', 'CODE']) {
      assert.equal((await responseAtClient({ response_type })).get('error'), 'unsupported_response_type', response_type)
    }
    for (const response_mode of ['fragment', 'web_message', 'FORM_POST']) {
      assert.equal((await responseAtClient({ response_mode })).get('error'), 'invalid_request', response_mode)
    }
  })
})

describe('disabled people (CVE-2026-1609, CVE-2025-53942)', () => {
  test('a person who is disabled is stopped at once: sign-in, session, code, refresh, access token', async () => {
    await using own = await deploy()
    const { http, data } = own
    const browser = new Browser(http)
    const code = (await browser.authorize()).get('code') ?? ''
    const tokens = await freshTokens(http)
    assert.equal((await runCommand(['user', 'disable', 'alice'], { data })).code, 0)
    assert.equal((await redeem(http, code)).status, 400)
    assert.equal((await refresh(http, tokens.refresh_token)).status, 400)
    assert.equal((await http.send('/userinfo', { bearer: tokens.access_token })).status, 401)
    assert.equal(await isActive(http, tokens.access_token), false)
    assert.match((await browser.visit('/account')).body, /name="password"/)
    const fresh = new Browser(http)
    assert.equal((await fresh.submit(await fresh.visit('/account'), alice)).status, 401)
  })
})
