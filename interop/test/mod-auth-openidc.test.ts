/** Apache's mod_auth_openidc, unmodified: a page that only who signed in may see, with PKCE. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { ensureApache, startApache } from '../apache.ts'
import { ScriptedPerson } from '../person.ts'
import { PlainBrowser } from '../plain-browser.ts'
import { startServer, temporaryFolder } from '../server.ts'
import { shownSettings } from '../shown-settings.ts'

const missing = ensureApache()
const alice = { username: 'alice', password: 'correct-horse' }
const secret = 'a-secret-of-32-or-more-characters'

test('mod_auth_openidc signs somebody in, and knows who it is', { skip: missing ?? false }, async () => {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  // The port is known when Apache runs, and any port of a native client's loopback address is its own.
  const client = {
    client_id: 'members',
    client_name: 'Members',
    client_secret: secret,
    application_type: 'native',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://127.0.0.1/protected/callback'],
    scope: 'openid profile email',
  }
  const seed = folder.write('seed.json', {
    users: [{ ...alice, name: 'Alice Doe', email: 'alice@example.com' }],
    clients: [client],
  })
  const server = stack.use(await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'warn' } }))
  const apache = stack.use(
    await startApache(server.ca ?? '', (origin) => [
      shownSettings('OIDCProviderMetadataURL', {
        'https://login.example.com': server.issuer,
        'https://members.example.com/callback': `${origin}/protected/callback`,
      }),
    ]),
  )
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const trusting = (url: string, init?: object) =>
    undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>
  const visits = new PlainBrowser()
  const page = `${apache.origin}/protected/`
  const first = await visits.get(page)
  assert.equal(first.status, 302)
  const asked = new URL(first.headers.location ?? '')
  assert.equal(asked.origin, server.issuer)
  assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
  const answer = await new ScriptedPerson(trusting, alice).follow(asked)
  assert.equal(answer.origin, apache.origin)
  const back = await visits.get(answer.href)
  assert.equal(new URL(back.headers.location ?? '', apache.origin).href, page)
  const shown = await visits.get(page)
  assert.deepEqual([shown.status, shown.body.trim()], [200, 'for members'])
  assert.match(String(shown.headers['x-remote-user']), /^alice@example\.com/)
})
