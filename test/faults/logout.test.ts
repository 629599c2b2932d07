/** kill -9 right after a person was told that they are signed out: the clients of that session still hear of it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { Browser, type Page } from '../../interop/suite/browser.ts'
import { startForeignServer } from '../outbound/foreign-server.ts'
import { until } from './until.ts'

const person = { username: 'alice', password: 'correct-horse-battery' }
const callback = 'https://client.example/cb'

const seedFor = (foreign: string): object => ({
  users: [person],
  clients: [
    {
      client_id: 'web',
      client_secret: 'web-secret-of-32-or-more-characters-long',
      redirect_uris: [callback],
      backchannel_logout_uri: `${foreign}/backchannel`,
      scope: 'openid',
      pkce: 'public_clients',
    },
  ],
})

const pageOf = (location: Awaited<ReturnType<Browser['get']>>): Page =>
  location.at === 'page' ? location : assert.fail(`not a page: ${location.url.href}`)

/** Signs in to the client and out again; resolves when the browser has read that it is signed out. */
async function inAndOut({ issuer, ca }: Server): Promise<void> {
  const agent = new Agent({ connect: { ca: ca ?? '' } })
  const browser = new Browser({
    issuer: new URL(issuer),
    fetch: (url, init) => fetch(url, { ...init, dispatcher: agent }),
    kind: 'plain',
  })
  const query = new URLSearchParams({
    client_id: 'web',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
  })
  const login = pageOf(await browser.get(`${issuer}/authorize?${query.toString()}`))
  const consent = pageOf(await browser.press(login, 'sign-in', person))
  assert.equal((await browser.press(consent, 'allow')).at, 'client')
  const question = pageOf(await browser.get(`${issuer}/logout`))
  assert.match(pageOf(await browser.press(question, 'sign-out')).body, /id="signed-out"/)
  await agent.close()
}

test('Back-Channel Logout §2.5: a node that is killed after a sign-out loses nothing of what clients are to be told', async () => {
  using folder = temporaryFolder()
  await using foreign = await startForeignServer()
  const clock = folder.write('clock', '0')
  const seed = folder.write('seed.json', seedFor(foreign.origin))
  const execArgv = ['--import', join(import.meta.dirname, '../../interop/suite/clock.ts')]
  // The first node does not trust who answers there, so that whatever it tried before it died came to nothing.
  await using first = await startServer({
    data: folder.path,
    seed,
    execArgv,
    env: { ...foreign.env, GRANTOR_OUTBOUND_CA: '', GRANTOR_LOG: 'warn', SUITE_CLOCK: clock },
  })
  await inAndOut(first)
  await first.kill()
  // Whatever it had taken is due again by now.
  folder.write('clock', '60000')
  const env = { GRANTOR_LOG: 'warn', SUITE_CLOCK: clock, ...foreign.env }
  await using next = await startServer({ data: folder.path, seed, execArgv, env })
  await until(
    () => setTimeout(20, foreign.posted.length),
    (count) => count > 0,
  )
  const token = new URLSearchParams(foreign.posted[0]).get('logout_token') ?? ''
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
  assert.deepEqual([claims['aud'], typeof claims['sid']], ['web', 'string'])
  assert.deepEqual(foreign.requests, ['POST /backchannel'])
  assert.equal(await next.stop(), 0)
})
