/** `openid-client` and `oauth4webapi`, unmodified, as clients that sign: with keys they registered and keys they publish. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import { startServer, temporaryFolder } from '../../interop/server.ts'
import { startForeignServer, type ForeignServer } from './foreign-server.ts'

const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA'] as const

async function keyPair(alg: string, kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { key: privateKey, kid, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
type Pair = Awaited<ReturnType<typeof keyPair>>

const service = (id: string, keys: object) => ({
  client_id: id,
  grant_types: ['client_credentials'],
  response_types: [],
  token_endpoint_auth_method: 'private_key_jwt',
  scope: 'invoices:read',
  ...keys,
})

/** A server whose clients sign: one registered its keys, one publishes them outside. */
async function deploy(registered: readonly Pair[], foreign: ForeignServer) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const seed = folder.write('seed.json', {
    resources: [{ identifier: 'https://api.example', name: 'Invoices' }],
    scopes: [{ name: 'invoices:read', description: 'See your invoices', resource: 'https://api.example' }],
    clients: [
      service('registered', { jwks: { keys: registered.map(({ jwk }) => jwk) } }),
      service('published', { jwks_uri: `${foreign.origin}/jwks.json` }),
    ],
  })
  const server = stack.use(
    await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'error', ...foreign.env } }),
  )
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const owned = stack.move()
  return {
    issuer: new URL(server.issuer),
    fetch: (url: string, init?: object): Promise<Response> => undiciFetch(url, { ...init, dispatcher: agent }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('OIDC Core §9: openid-client and oauth4webapi sign with every algorithm, by keys they registered or publish', async () => {
  await using foreign = await startForeignServer()
  const registered = await Promise.all(algorithms.map((alg) => keyPair(alg, `registered ${alg}`)))
  const [first, second] = [await keyPair('ES256', 'first'), await keyPair('ES256', 'second')]
  foreign.documents.set('/jwks.json', { keys: [first.jwk] })
  await using deployment = await deploy(registered, foreign)
  const { issuer, fetch } = deployment

  for (const pair of registered) {
    const auth = client.PrivateKeyJwt(pair)
    const config = await client.discovery(issuer, 'registered', undefined, auth, { [client.customFetch]: fetch })
    assert.ok(config.serverMetadata().token_endpoint_auth_methods_supported?.includes('private_key_jwt'))
    assert.ok(config.serverMetadata().token_endpoint_auth_signing_alg_values_supported?.includes(pair.jwk.alg))
    const { access_token: token } = await client.clientCredentialsGrant(config, { scope: 'invoices:read' })
    assert.equal((await client.tokenIntrospection(config, token)).active, true, pair.jwk.alg)
    await client.tokenRevocation(config, token)
    assert.equal((await client.tokenIntrospection(config, token)).active, false)
  }

  const options = { [oauth.customFetch]: fetch }
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  const asking = async (pair: Pair) => {
    const form = new URLSearchParams({ scope: 'invoices:read' })
    const published: oauth.Client = { client_id: 'published' }
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      published,
      oauth.PrivateKeyJwt(pair),
      form,
      options,
    )
    return answer.status
  }
  assert.deepEqual([await asking(first), await asking(first)], [200, 200])
  assert.deepEqual(foreign.requests, ['GET /jwks.json'], 'the keys are kept')
  assert.equal(await asking(second), 401)
})
