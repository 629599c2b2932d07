/** The one way out: a server that clients make fetch and send what they can opens no connection but through its fetcher. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import { ScriptedPerson } from '../../interop/person.ts'
import { sourceCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { until } from '../faults/until.ts'
import { startForeignServer } from './foreign-server.ts'
import type { Opened } from './connection-recorder.ts'

const alice = { username: 'alice', password: 'correct-horse' }
/** The smallest picture there is. */
const picture = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

test('whatever clients make a server fetch or send goes through the one way out', async () => {
  await using stack = new AsyncDisposableStack()
  const foreign = stack.use(await startForeignServer())
  const { origin } = foreign
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const about = {
    client_name: 'Photo Printer',
    redirect_uris: [`${origin}/cb`],
    post_logout_redirect_uris: [`${origin}/bye`],
    logo_uri: `${origin}/logo.gif`,
  }
  const id = `${origin}/client.json`
  const signs = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `${origin}/jwks.json` }
  foreign.documents.set('/client.json', { client_id: id, ...about, ...signs, scope: 'openid' })
  foreign.documents.set('/jwks.json', { keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] })
  foreign.documents.set('/logo.gif', { type: 'image/gif', bytes: picture })

  const folder = stack.use(temporaryFolder())
  const notes = join(folder.path, 'opened.jsonl')
  const server = stack.use(
    await startServer({
      data: folder.path,
      seed: folder.write('seed.json', { users: [alice] }),
      env: { GRANTOR_LOG: 'error', GRANTOR_TEST_CONNECTIONS: notes, ...foreign.env },
      execArgv: ['--import', new URL('connection-recorder.ts', import.meta.url).href],
      // Who opens a connection is known by the file it is in.
      command: sourceCommand,
    }),
  )
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const fetch = (url: string, init?: object): Promise<Response> => undiciFetch(url, { ...init, dispatcher: agent })
  const options = { [client.customFetch]: fetch }
  const issuer = new URL(server.issuer)

  // A client that registers itself and wants to hear of logouts, and one that is a document and signs.
  const metadata = {
    ...about,
    backchannel_logout_uri: `${origin}/logout`,
    token_endpoint_auth_method: 'client_secret_post',
  }
  const registered = await client.dynamicClientRegistration(issuer, metadata, undefined, options)
  const document = await client.discovery(
    issuer,
    id,
    undefined,
    client.PrivateKeyJwt({ key: privateKey, kid: 'k' }),
    options,
  )

  const person = new ScriptedPerson(fetch, alice)
  let hint = ''
  for (const config of [registered, document]) {
    const verifier = client.randomPKCECodeVerifier()
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: `${origin}/cb`,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const tokens = await client.authorizationCodeGrant(config, await person.follow(address), {
      pkceCodeVerifier: verifier,
    })
    hint = tokens.id_token ?? ''
  }
  const shown = await fetch(`${server.issuer}/logos?${new URLSearchParams({ client_id: id }).toString()}`)
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/gif'])
  assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)

  const leaving = client.buildEndSessionUrl(document, {
    id_token_hint: hint,
    post_logout_redirect_uri: `${origin}/bye`,
  })
  assert.equal((await person.follow(leaving)).href, `${origin}/bye`)
  const delivered = await until(
    () => setTimeout(20, foreign.posted),
    (posted) => posted.length > 0,
  )
  assert.match(delivered[0] ?? '', /^logout_token=/)

  const asked = ['GET /client.json', 'GET /jwks.json', 'GET /logo.gif', 'POST /logout']
  assert.deepEqual([...new Set(foreign.requests)].toSorted(), asked)
  const opened = existsSync(notes)
    ? readFileSync(notes, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Opened)
    : []
  const sockets = opened.filter(({ what }) => what === 'socket')
  assert.ok(sockets.length >= asked.length)
  assert.deepEqual(
    opened.filter(({ by }) => !by.includes('packages/server/src/outbound/exchange.ts')),
    [],
  )
  assert.deepEqual(new Set(opened.flatMap(({ port }) => port ?? [])), new Set([foreign.port]))
})
