/** DPoP on several real processes over one PostgreSQL: proofs are good once for all of them, and nonces outlive each. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { fetch } from 'undici'
import { temporaryDatabase } from '../database.ts'
import { type Environment, type Server, startServer, temporaryFolder } from '../server.ts'

const issuer = 'https://auth.example'
const api = 'https://orders.example'
const redirectUri = 'https://client.example/cb'
const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const signer = newKey()
const clients = {
  resources: [{ identifier: api, name: 'Orders', token_format: 'jwt' }],
  scopes: [{ name: 'orders:read', description: 'See orders', resource: api }],
  clients: [
    {
      client_id: 'app',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...createPublicKey(signer).export({ format: 'jwk' }), alg: 'ES256' }] },
      grant_types: ['client_credentials', 'authorization_code'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      scope: 'openid orders:read',
      dpop_bound_access_tokens: true,
    },
  ],
}

const encoded = (it: object): string => Buffer.from(JSON.stringify(it)).toString('base64url')
const now = (): number => Math.floor(Date.now() / 1000)
const publicJwk = (key: KeyObject): object => createPublicKey(key).export({ format: 'jwk' })

function signed(key: KeyObject, header: object, claims: object): string {
  const text = `${encoded({ alg: 'ES256', ...header })}.${encoded({ iat: now(), jti: randomUUID(), ...claims })}`
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

const newAssertion = (): string => signed(signer, {}, { iss: 'app', sub: 'app', aud: issuer, exp: now() + 60 })

type Path = '/token' | '/par'
const newProof = (key: KeyObject, path: Path, nonce?: string): string =>
  signed(key, { typ: 'dpop+jwt', jwk: publicJwk(key) }, { htm: 'POST', htu: issuer + path, nonce })

const forms: Readonly<Record<Path, Readonly<Record<string, string>>>> = {
  '/token': { grant_type: 'client_credentials', scope: 'orders:read' },
  '/par': {
    client_id: 'app',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  },
}

interface Shown {
  readonly assertion: string
  readonly proof: string
}

async function ask(port: number, path: Path, { assertion, proof }: Shown) {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const proven = { client_assertion_type: type, client_assertion: assertion }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { dpop: proof, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'auth.example' },
    body: new URLSearchParams({ ...forms[path], ...proven }),
  })
  const { error = '' } = (await answer.json()) as { readonly error?: string }
  return { won: answer.ok, error, nonce: answer.headers.get('dpop-nonce') }
}

/** Every one of them to a connection of its own, so that each process gets some. */
async function race(ports: readonly number[], path: Path): Promise<void> {
  const key = newKey()
  const proof = newProof(key, path)
  const assertions = Array.from({ length: 12 }, newAssertion)
  const at = (n: number): number => ports[n % ports.length] as number
  const raced = await Promise.all(assertions.map((assertion, n) => ask(at(n), path, { assertion, proof })))
  const winner = raced.findIndex(({ won }) => won)
  assert.equal(raced.filter(({ won }) => won).length, 1, JSON.stringify(raced))
  assert.equal(raced.filter(({ error }) => error === 'invalid_dpop_proof').length, 11, JSON.stringify(raced))
  // Nobody who lost has lost anything but the proof.
  const again = assertions.map((assertion, n) => ask(at(n + 1), path, { assertion, proof: newProof(key, path) }))
  const answers = await Promise.all(again)
  for (const [n, { won, error }] of answers.entries())
    assert.deepEqual([won, error], n === winner ? [false, 'invalid_client'] : [true, ''], `${path} ${n}`)
}

const behindProxy: Environment = {
  GRANTOR_ISSUER: issuer,
  GRANTOR_TRUST_PROXY: 'loopback',
  GRANTOR_MTLS_PORT: 'off',
  GRANTOR_MASTER_KEY: 'a-master-key-of-this-test-only-0123456789',
}

describe('DPoP on several processes', () => {
  test('RFC 9449 §11.1: of requests that race with one proof at two servers and their workers one wins, at /token and at /par; and nothing of the others is spent', async () => {
    await using it = await startNodes({ GRANTOR_WORKERS: '2' })
    const ports = it.nodes.map(({ port }) => port)
    await race(ports, '/token')
    await race(ports, '/par')
    await race(ports.slice(0, 1), '/token')
  })

  test('RFC 9449 §8: a nonce is good at the other server, and after the one that gave it was killed; a proof that was used stays used', async () => {
    await using it = await startNodes({ GRANTOR_DPOP_NONCE: 'required' })
    const [one, other] = it.nodes as [Server, Server]
    const key = newKey()
    const assertion = newAssertion()
    const wanting = await ask(one.port, '/token', { assertion, proof: newProof(key, '/token') })
    assert.equal(wanting.error, 'use_dpop_nonce')
    const nonce = wanting.nonce ?? ''
    const used = { assertion: newAssertion(), proof: newProof(key, '/token', nonce) }
    assert.equal((await ask(other.port, '/token', used)).won, true)
    await one.kill()
    const restarted = await it.start()
    const replayed = await ask(restarted.port, '/token', { ...used, assertion: newAssertion() })
    assert.equal(replayed.error, 'invalid_dpop_proof')
    // Neither the refusal nor the kill used up the assertion that the nonce was asked for with.
    const answered = await ask(restarted.port, '/token', { assertion, proof: newProof(key, '/token', nonce) })
    assert.deepEqual([answered.won, answered.error], [true, ''])
    const pushed = { assertion: newAssertion(), proof: newProof(key, '/par', nonce) }
    assert.equal((await ask(restarted.port, '/par', pushed)).won, true)
  })
})

async function startNodes(env: Environment) {
  const stack = new AsyncDisposableStack()
  try {
    const database = stack.use(await temporaryDatabase())
    const start = async (): Promise<Server> => {
      const folder = stack.use(temporaryFolder())
      const settings = { ...behindProxy, ...env, ...database.settings }
      return stack.use(
        await startServer({ data: folder.path, seed: folder.write('seed.json', clients), env: settings }),
      )
    }
    const nodes = [await start(), await start()]
    return { nodes, start, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() }
  } catch (error) {
    await stack[Symbol.asyncDispose]()
    throw error
  }
}
