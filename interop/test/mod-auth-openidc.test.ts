/** Apache's mod_auth_openidc, unmodified: a page that only who signed in may see, with PKCE. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { ensureApache, startApache } from '../apache.ts'
import { ScriptedPerson } from '../person.ts'
import { startServer, temporaryFolder } from '../server.ts'

const missing = ensureApache()
const alice = { username: 'alice', password: 'correct-horse' }
const secret = 'apache-secret-of-32-or-more-characters'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Keeps cookies as a browser would, for one host. Not by fetch, which says that a program asks. */
class Visits {
  readonly #cookies = new Map<string, string>()

  async get(url: string): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const asking = request(url, { headers }).end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
  }
}

test('mod_auth_openidc signs somebody in, and knows who it is', { skip: missing ?? false }, async () => {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  // The port is known when Apache runs, and any port of a native client's loopback address is its own.
  const client = {
    client_id: 'apache',
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
      `OIDCProviderMetadataURL ${server.issuer}/.well-known/openid-configuration`,
      'OIDCClientID apache',
      `OIDCClientSecret ${secret}`,
      `OIDCRedirectURI ${origin}/protected/callback`,
      'OIDCCryptoPassphrase a-passphrase-for-this-test-alone',
      'OIDCPKCEMethod S256',
      'OIDCScope "openid profile email"',
      'OIDCRemoteUserClaim email',
    ]),
  )
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const trusting = (url: string, init?: object) =>
    undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>
  const visits = new Visits()
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
