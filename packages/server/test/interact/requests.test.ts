/** Requests that lie: hosts, redirect URIs, repeated and oversized parameters, and what must never be reflected. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type RequestParts,
  authorizePath,
  authorizeQuery,
  deploy,
  type Deployment,
  pageOf,
  redirectUri,
  withoutSent,
} from './deployment.ts'

describe('an authorization request that lies', () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  const evil = 'evil.example'

  for (const [what, headers] of Object.entries({
    Host: { host: evil },
    'X-Forwarded-Host': { 'x-forwarded-host': evil, 'x-forwarded-proto': 'http', 'x-forwarded-port': '80' },
    Forwarded: { forwarded: `host=${evil};proto=http` },
    'X-Original-URL': { 'x-original-url': `https://${evil}/`, 'x-rewrite-url': '/token' },
  })) {
    test(`RFC 9700 §4.10: ${what} of somebody else appears in no answer`, async () => {
      const paths = [authorizePath(), '/account', '/logout', '/signed-out', '/authorize?client_id=x', '/interact/x']
      for (const path of paths) {
        const { body, headers: answered } = await deployment.send(path, { headers })
        assert.equal(`${body}${JSON.stringify(answered)}`.includes(evil), false, path)
      }
      const { body } = await deployment.send('/.well-known/openid-configuration', { headers })
      assert.equal((JSON.parse(body) as { issuer: string }).issuer, deployment.issuer)
    })
  }

  test('RFC 9112 §3.2.2: an absolute address in the request line does not change who we are', async () => {
    for (const path of [`https://${evil}/account`, `http://${evil}${authorizePath()}`, `//${evil}/account`]) {
      const { body, headers } = await deployment.send(path)
      assert.equal(`${body}${JSON.stringify(headers)}`.includes(evil), false, path)
    }
  })

  const registered = new URL(redirectUri)
  const twins = [
    `${redirectUri}/`,
    `${redirectUri}?`,
    `${redirectUri}#`,
    `${redirectUri}?x=1`,
    `${redirectUri}/../evil`,
    `${redirectUri}%2f..%2fevil`,
    `${redirectUri}\\@${evil}`,
    redirectUri.toUpperCase(),
    redirectUri.replace('https', 'http'),
    redirectUri.replace('client.example', 'client.example.'),
    redirectUri.replace('client.example', 'client.example:443'),
    redirectUri.replace('client.example', `client.example.${evil}`),
    redirectUri.replace('client.example', `client.example@${evil}`),
    redirectUri.replace('client.example', `${evil}\\client.example`),
    redirectUri.replace('client', '%63lient'),
    redirectUri.replace('client', 'ｃlient'),
    ` ${redirectUri}`,
    `${redirectUri} `,
    `${redirectUri}\n`,
    `${redirectUri}\0`,
    `//${registered.host}/cb`,
    '/cb',
    'cb',
    '',
    'javascript:alert(1)//https://client.example/cb',
    `data:text/html,${redirectUri}`,
    `${redirectUri} ${redirectUri}`,
  ]
  const stays = async (how: RequestParts, path: string, what: string): Promise<void> => {
    const answer = await deployment.send(path, how)
    assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} for ${what}`)
    assert.equal(answer.headers.location, undefined, what)
    assert.equal(pageOf(answer), 'error', what)
  }

  test('RFC 9700 §2.1: a redirect URI that only resembles the registered one is never followed', async () => {
    for (const twin of twins) {
      await stays({}, authorizePath({ redirect_uri: twin }), JSON.stringify(twin))
      await stays({ form: Object.fromEntries(authorizeQuery({ redirect_uri: twin })) }, '/authorize', twin)
      // Not for errors either: whoever asks for nonsense is not sent there to be told.
      await stays({}, authorizePath({ redirect_uri: twin, response_type: 'nonsense' }), twin)
    }
  })

  test('RFC 9700 §2.1: any edit of the registered redirect URI makes it another', async () => {
    const character = fc.oneof(
      fc.constantFrom(...'/ : @ . ? # & = % \\ ; , \t \n \0 c C'.split(' ')),
      fc.string({ minLength: 1, maxLength: 1 }),
    )
    const edit = fc.record({
      at: fc.nat(redirectUri.length),
      cut: fc.nat(3),
      put: fc.array(character, { maxLength: 3 }).map((them) => them.join('')),
    })
    const edited = edit.map(({ at, cut, put }) => redirectUri.slice(0, at) + put + redirectUri.slice(at + cut))
    await fc.assert(
      fc.asyncProperty(edited, async (twin) => {
        fc.pre(twin !== redirectUri)
        await stays({}, authorizePath({ redirect_uri: twin }), JSON.stringify(twin))
      }),
      { numRuns: 150 },
    )
  })

  test('RFC 9110 §9.3.2: HEAD at the end of an interaction does not use up the answer of the client', async () => {
    const browser = deployment.browser()
    const who = deployment.somebody()
    await browser.grant(who)
    const hub = await browser.begin()
    const head = await browser.ask(hub, { method: 'HEAD' })
    assert.deepEqual([head.status, head.body, head.headers.location], [200, '', undefined])
    const { status, headers } = await browser.ask(hub)
    assert.equal(status, 303)
    assert.match(headers.location ?? '', /[?&]code=gc_/)
  })

  test('RFC 6749 §3.1: a repeated parameter is refused on our own page', async () => {
    for (const name of ['client_id', 'redirect_uri', 'state', 'scope', 'response_type']) {
      await stays({}, `${authorizePath()}&${name}=${encodeURIComponent('https://evil.example')}`, name)
    }
  })

  test('what is too long or malformed is refused, by GET and by POST, and nothing is reflected', async () => {
    const canary = 'zz9"><script>alert(1)</script>'
    for (const more of [{ client_id: canary }, { redirect_uri: canary }, { client_id: 'x'.repeat(3000) }]) {
      const answer = await deployment.send(authorizePath(more))
      assert.equal(answer.status, 400)
      assert.doesNotMatch(withoutSent(answer.body), /zz9|x{300}/)
      assert.doesNotMatch(answer.body, /x{300}/)
    }
    assert.equal((await deployment.send(authorizePath({ state: 'x'.repeat(9000) }))).status, 414)
    assert.equal((await deployment.send('/authorize', { form: { state: 'x'.repeat(70_000) } })).status, 413)
    for (const content of ['%', '%zz', '%ff%fe', 'a=%00&a=1', '=', '&&&&', 'client_id=%C0%AF']) {
      const answer = await deployment.send('/authorize', { content })
      assert.equal(answer.status, 400, content)
      assert.equal(pageOf(answer), 'error', content)
    }
    const json = { content: '{}', headers: { 'content-type': 'application/json' } }
    assert.equal((await deployment.send('/authorize', json)).status, 415)
  })

  test('RFC 6749 §4.1.2: state comes back as it was sent, and cannot break out of the address or the page', async () => {
    const states = ['a b&c=d', '"><script>', '%0d%0aSet-Cookie: x=y', '%2e%2e', 'é✓', '#?&=+', "';--"]
    for (const state of states) {
      const { status, headers } = await deployment.send(authorizePath({ state, response_type: 'token' }))
      assert.equal(status, 303, state)
      const target = new URL(headers.location ?? '')
      assert.deepEqual(target.searchParams.getAll('state'), [state])
      assert.equal(target.hash, '')
      assert.equal(target.searchParams.get('error_uri'), `${deployment.issuer}/problems/unsupported_response_type`)
      assert.equal(headers['set-cookie'], undefined)
    }
    await stays({}, authorizePath({ state: '\r\nSet-Cookie: x=y', response_type: 'token' }), 'control characters')
    const posted = await deployment.send(
      authorizePath({ state: '"><script>alert(1)</script>', response_type: 'token', response_mode: 'form_post' }),
    )
    assert.equal(posted.status, 200)
    assert.match(posted.body, /name="state" value="&quot;&gt;&lt;script&gt;/)
  })

  test('nothing that a person can be sent to leads on to an address of the sender’s choice', async () => {
    const elsewhere = encodeURIComponent(`https://${evil}/`)
    const names = [
      'post_logout_redirect_uri',
      'redirect_uri',
      'return_to',
      'next',
      'url',
      'done',
      'lang',
      'from',
      'before',
    ]
    for (const path of ['/logout', '/signed-out', '/account', '/account/activity', '/account/enter']) {
      for (const name of names) {
        const { headers, body } = await deployment.send(`${path}?${name}=${elsewhere}`)
        assert.equal(`${headers.location ?? ''}${body}`.includes(evil), false, `${path}?${name}`)
      }
    }
  })
})
