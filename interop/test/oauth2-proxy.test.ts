/** oauth2-proxy, unmodified: what lies behind it is for who signed in, with PKCE, and it knows who that is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { ensureOAuth2Proxy, startOAuth2Proxy } from '../oauth2-proxy.ts'
import { ScriptedPerson } from '../person.ts'
import { freePort, PlainBrowser } from '../plain-browser.ts'
import { startServer, temporaryFolder } from '../server.ts'
import { shownSettings } from '../shown-settings.ts'

const missing = ensureOAuth2Proxy()
const alice = { username: 'alice', password: 'correct-horse' }
const secret = 'proxy-secret-of-32-or-more-characters'

for (const inIdToken of [false, true]) {
  const where = inIdToken ? 'in the ID token' : 'at /userinfo only'
  test(`oauth2-proxy signs somebody in whose address is ${where}`, { skip: missing ?? false }, async () => {
    await using stack = new AsyncDisposableStack()
    const folder = stack.use(temporaryFolder())
    const port = await freePort()
    const seed = folder.write('seed.json', {
      users: [{ ...alice, email: 'alice@example.com', email_verified: true }],
      clients: [
        {
          client_id: 'members',
          client_secret: secret,
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [`http://127.0.0.1:${port}/oauth2/callback`],
          scope: 'openid email profile',
          id_token_scope_claims: inIdToken,
        },
      ],
    })
    const server = stack.use(await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'warn' } }))
    const proxy = stack.use(
      await startOAuth2Proxy(
        { port, ca: server.ca ?? '' },
        shownSettings('oauth2-proxy --provider', {
          'https://login.example.com': server.issuer,
          'https://members.example.com': `http://127.0.0.1:${port}`,
          '--client-secret=…': `--client-secret=${secret}`,
          "'*'": '*',
        })
          .split(/\\?\s+/)
          .filter((word) => word.startsWith('--')),
      ),
    )
    const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
    const trusting = (url: string, init?: object) =>
      undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>
    const visits = new PlainBrowser()
    const page = `${proxy.origin}/welcome`
    const first = await visits.get(page)
    const asked = new URL(first.headers.location ?? '')
    assert.deepEqual([first.status, asked.origin], [302, server.issuer])
    assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
    const answer = await new ScriptedPerson(trusting, alice).follow(asked)
    assert.equal(answer.origin, proxy.origin)
    const back = await visits.get(answer.href)
    assert.equal(new URL(back.headers.location ?? '', proxy.origin).href, page)
    assert.equal((await visits.get(page)).status, 200)
    const known = await visits.get(`${proxy.origin}/oauth2/auth`)
    assert.deepEqual([known.status, known.headers['x-auth-request-email']], [202, 'alice@example.com'])
    assert.equal((await new PlainBrowser().get(`${proxy.origin}/oauth2/auth`)).status, 401)
    const signedOut = await visits.get(`${proxy.origin}/oauth2/sign_out`)
    assert.equal(signedOut.status, 302)
    assert.equal((await visits.get(`${proxy.origin}/oauth2/auth`)).status, 401)
  })
}
