/** kill -9 in a storm of refreshes: no client is stranded, no grant forks. A real process on SQLite. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Agent, fetch } from 'undici'
import { ScriptedPerson } from '../../interop/person.ts'
import { runCommand, type Server, type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from './http-client.ts'

const rounds = 5
const holders = 16
const web = ['web', 'zz9canary-web-secret-of-32-characters-long'] as const
const alice = { username: 'alice', password: 'correct-horse' }
const redirectUri = 'https://client.example/cb'
const verifier = 'v'.repeat(43)

const seed = {
  scopes: [{ name: 'invoices:read', description: 'See your invoices', resource: 'https://api.example' }],
  resources: [{ identifier: 'https://api.example', name: 'Invoices' }],
  users: [alice],
  clients: [
    {
      client_id: web[0],
      client_secret: web[1],
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'invoices:read',
    },
  ],
}

/** A client with one grant: it knows the last refresh token that it was given, and nothing else. */
interface Holder {
  token: string
  /** How many answers arrived. */
  answered: number
}

const tokenIn = (body: string): string => (JSON.parse(body) as { refresh_token: string }).refresh_token

async function grantsOf({ issuer, ca }: Server, http: HttpClient): Promise<readonly Holder[]> {
  const agent = new Agent({ connect: { ca: ca ?? '' } })
  const person = new ScriptedPerson((url, init) => fetch(url, { ...init, dispatcher: agent }), alice)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const address = new URL(`${issuer}/authorize`)
  address.search = new URLSearchParams({
    client_id: web[0],
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'invoices:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()
  const held: Holder[] = []
  for (let i = 0; i < holders; i++) {
    const code = (await person.follow(address)).searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    const { status, body } = await http.send('/token', { basic: web, form })
    assert.equal(status, 200, body)
    held.push({ token: tokenIn(body), answered: 0 })
  }
  await agent.close()
  return held
}

const refresh = async ({ send }: HttpClient, token: string): Promise<string> => {
  const { status, body } = await send('/token', {
    basic: web,
    form: { grant_type: 'refresh_token', refresh_token: token },
  })
  assert.equal(status, 200, body)
  return tokenIn(body)
}

/** Refreshes until the connection breaks; anything but a new token is a failure. */
async function keepRefreshing(holder: Holder, http: HttpClient, heard: () => void): Promise<void> {
  try {
    for (;;) {
      holder.token = await refresh(http, holder.token)
      holder.answered++
      heard()
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
  }
}

/** Whoever lost its answer asks again with what it has; whoever asks twice at once is told the same. */
async function goOn(holder: Holder, http: HttpClient): Promise<void> {
  const [one, other] = await Promise.all([refresh(http, holder.token), refresh(http, holder.token)])
  assert.equal(one, other, 'one successor')
  holder.token = one
}

/** Looks into the file itself: never two living refresh tokens of one grant, never a grant that died on the way. */
function assertWhole(data: string): void {
  const file = new DatabaseSync(join(data, 'grantor.db'), { readOnly: true })
  const living = file
    .prepare('select grant_id, count(*) as n from refresh_tokens where spent_at is null group by grant_id')
    .all()
  assert.equal(living.length, holders)
  assert.ok(living.every((row) => row['n'] === 1))
  assert.deepEqual({ ...file.prepare('select count(*) as n from grants where revoked_at is not null').get() }, { n: 0 })
  file.close()
}

test('killed in mid-refresh, every client goes on with its last token, and no grant has two successors', async () => {
  using folder = temporaryFolder()
  const options: ServerOptions = {
    data: folder.path,
    seed: folder.write('seed.json', seed),
    env: { GRANTOR_LOG: 'warn', GRANTOR_LIMIT_TOKEN: 'off' },
  }
  let held: readonly Holder[] = []
  for (let round = 0; round < rounds; round++) {
    await using server = await startServer(options)
    using http = httpClientOf(server)
    if (round === 0) held = await grantsOf(server, http)
    else await Promise.all(held.map((holder) => goOn(holder, http)))
    // Another place in the storm each time, so that the kill meets another moment.
    const enough = 80 + 23 * round
    let heard = 0
    const storm = Promise.withResolvers<void>()
    const hear = (): void => {
      if (++heard === enough) storm.resolve()
    }
    const working = held.map((holder) => keepRefreshing(holder, http, hear))
    await Promise.race([storm.promise, Promise.all(working)])
    await server.kill()
    await Promise.all(working)
  }
  await using last = await startServer(options)
  using http = httpClientOf(last)
  await Promise.all(held.map((holder) => goOn(holder, http)))
  assert.equal(await last.stop(), 0)
  assert.ok(held.reduce((sum, holder) => sum + holder.answered, 0) >= rounds * 80)
  assertWhole(folder.path)
  const verified = await runCommand(['audit', 'verify'], options)
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  const { stdout } = await runCommand(['audit', 'export'], options)
  assert.match(stdout, /token\.refreshed/)
  assert.doesNotMatch(stdout, /token\.replayed|grant\.revoked/)
})
