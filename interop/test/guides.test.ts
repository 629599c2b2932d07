/** The programs of the guides in docs/, each run as it is shown there, against one server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import { createApp } from '../guides/express-sign-in.ts'
import { signIn } from '../guides/native-sign-in.ts'
import { ScriptedPerson } from '../person.ts'
import { freePort, PlainBrowser } from '../plain-browser.ts'
import { startServer, temporaryFolder } from '../server.ts'

const root = join(import.meta.dirname, '..', '..')
const alice = { username: 'alice', password: 'correct-horse' }
const secret = 'express-secret-of-32-or-more-characters'

test('a block of code that names its file is that file', () => {
  const fence = /^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm
  const shown = globSync('docs/**/*.md', { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(fence)].map(([, file = '', code = '']) => ({
      page,
      file,
      code,
    })),
  )
  assert.ok(shown.length > 0)
  for (const { page, file, code } of shown)
    assert.equal(code, readFileSync(join(root, file), 'utf8'), `${page}: ${file}`)
})

// Of the file, not of the suite: a suite of which a name pattern leaves no test runs its body, but not its hooks.
const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())

describe('the guide for web apps', async () => {
  const folder = stack.use(temporaryFolder())
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const seed = folder.write('seed.json', {
    users: [alice],
    clients: [
      {
        client_id: 'shop',
        client_secret: secret,
        redirect_uris: [`${origin}/callback`],
        scope: 'openid profile email',
      },
      {
        client_id: 'desktop',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
        scope: 'openid profile email',
      },
    ],
  })
  const server = stack.use(await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'warn' } }))
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const trusting = (url: string, init?: object) =>
    undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>
  const config = await oidc.discovery(new URL(server.issuer), 'shop', undefined, oidc.ClientSecretBasic(secret), {
    [oidc.customFetch]: trusting,
  })
  const app = createApp(config, origin).listen(port, '127.0.0.1')
  if (!app.listening) await once(app, 'listening')
  stack.defer(() => void app.close())

  test('Express: somebody signs in and is greeted, with PKCE', async () => {
    const visits = new PlainBrowser()
    assert.equal((await visits.get(`${origin}/`)).headers.location, '/sign-in')
    const asked = new URL((await visits.get(`${origin}/sign-in`)).headers.location ?? '')
    assert.deepEqual([asked.origin, asked.searchParams.get('code_challenge_method')], [server.issuer, 'S256'])
    const answer = await new ScriptedPerson(trusting, alice).follow(asked)
    assert.equal((await visits.get(answer.href)).headers.location, '/')
    const shown = await visits.get(`${origin}/`)
    assert.equal(shown.status, 200)
    assert.match(shown.body, /^Hello, \S+$/)
  })

  test('RFC 8252 §7.3: a native app signs somebody in by the browser, and only its own answer counts', async () => {
    const native = await oidc.discovery(new URL(server.issuer), 'desktop', undefined, oidc.None(), {
      [oidc.customFetch]: trusting,
    })
    const opened = Promise.withResolvers<URL>()
    const signedIn = signIn(native, opened.resolve)
    const asked = await opened.promise
    const loopback = new URL(asked.searchParams.get('redirect_uri') ?? '')
    const visits = new PlainBrowser()
    assert.equal((await visits.get(`${loopback.href}?code=stolen&state=other`)).status, 404)
    const answer = await new ScriptedPerson(trusting, alice).follow(asked)
    assert.equal(answer.origin, loopback.origin)
    assert.equal((await visits.get(answer.href)).status, 200)
    assert.match((await signedIn).sub, /^\S+$/)
  })

  test('RFC 9700 §4.7: an answer that nobody of this browser asked for signs nobody in', async () => {
    const [attacker, victim] = [new PlainBrowser(), new PlainBrowser()]
    const asked = new URL((await attacker.get(`${origin}/sign-in`)).headers.location ?? '')
    const answer = await new ScriptedPerson(trusting, alice).follow(asked)
    assert.equal((await victim.get(answer.href)).status, 400)
    await victim.get(`${origin}/sign-in`)
    assert.equal((await victim.get(answer.href)).status, 400)
    assert.equal((await victim.get(`${origin}/`)).headers.location, '/sign-in')
  })
})
