/** DPoP over real HTTP (RFC 9449): its headers at /token, and bound tokens at the resources of the server itself. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { makeProof, type ProofRequest } from '@grantor/protocol/dpop'
import { publicKeyThumbprint } from '@grantor/protocol/jose'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { rejectionProblem } from '@grantor/resource/http'
import { missingProof, refusedProof } from '../../src/http/possession.ts'
import { startAdminDeployment } from '../admin/admin-deployment.ts'
import { databases, type FeedDeployment, startFeedDeployment } from '../feed/feed-deployment.ts'
import type { CallAnswer } from '../feed/https-client.ts'

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

class BoundCaller {
  readonly key = newKey()
  readonly it: FeedDeployment
  nonce: string | null = null

  constructor(it: FeedDeployment) {
    this.it = it
  }

  proof(method: string, path: string, more: Partial<ProofRequest> = {}): string {
    const nonce = this.nonce === null ? {} : { nonce: this.nonce }
    const url = this.it.running.issuer + path
    return makeProof(this.key, { method, url, now: Date.now() as Instant, ...nonce, ...more })
  }

  /** Asks again with the nonce that it is given, as clients do. */
  async token(client: string, scope: string): Promise<string> {
    const form = { grant_type: 'client_credentials', scope }
    let answer = await this.post(client, form)
    this.nonce = (answer.headers['dpop-nonce'] as string | undefined) ?? this.nonce
    if (answer.status === 400) answer = await this.post(client, form)
    assert.equal(answer.status, 200, answer.body)
    assert.equal(answer.json()['token_type'], 'DPoP')
    return String(answer.json()['access_token'])
  }

  post(client: string, form: Readonly<Record<string, string>>, proof = this.proof('POST', '/token')) {
    const secret = 'zz9canary-secret-of-more-than-32-characters'
    const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`
    return this.it.ask('/token', { form, headers: { authorization, dpop: proof } })
  }

  get(path: string, token: string, proof = this.proof('GET', path, { accessToken: token })): Promise<CallAnswer> {
    return this.it.ask(path, { headers: { authorization: `DPoP ${token}`, dpop: proof } })
  }
}

const challengeOf = ({ headers }: CallAnswer): string => headers['www-authenticate'] ?? ''
const admin = 'admin:clients:read'

for (const database of databases) {
  test(`RFC 9449 §7: the admin API, the feed and userinfo take a bound token with its proof and no other way (${database})`, async () => {
    await using it = await startAdminDeployment(database)
    const { it: server } = it
    const caller = new BoundCaller(server)
    const resources = [
      ['/v1/clients', await caller.token('admin', admin), 200],
      ['/revocations/snapshot', await caller.token('api', 'revocations:read'), 200],
      ['/metrics', await caller.token('other', 'metrics:read'), 200],
      // A client's own token is good and speaks for nobody.
      ['/userinfo', await caller.token('admin', admin), 403],
    ] as const
    for (const [path, token, status] of resources) {
      const proof = caller.proof('GET', path, { accessToken: token })
      const taken = await caller.get(path, token, proof)
      assert.equal(taken.status, status, `${path} ${taken.body}`)
      const bare = await server.ask(path, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(bare.status, 401, path)
      assert.match(challengeOf(bare), /^DPoP .*error="invalid_token".*algs="ES256/, path)
      const refused = async (why: string): Promise<void> => {
        const answer = await caller.get(path, token, why)
        assert.equal(answer.status, 401, path)
        assert.match(challengeOf(answer), /^DPoP .*error="invalid_dpop_proof"/, path)
      }
      await refused(proof)
      await refused(caller.proof('POST', path, { accessToken: token }))
      await refused(caller.proof('GET', '/v1/events', { accessToken: token }))
      await refused(caller.proof('GET', path))
      await refused(caller.proof('GET', path, { accessToken: `${token}x` }))
      await refused(new BoundCaller(server).proof('GET', path, { accessToken: token }))
      await refused(`${caller.proof('GET', path, { accessToken: token })}, ${proof}`)
    }
    const plain = await server.token('admin', { scope: admin })
    assert.equal((await caller.get('/v1/clients', plain)).status, 401)
  })

  test(`RFC 9449 §8, §9: where nonces are required every endpoint hands them out (${database})`, async () => {
    await using it = await startAdminDeployment(database, { GRANTOR_DPOP_NONCE: 'required' })
    const { it: server } = it
    const caller = new BoundCaller(server)
    const form = { grant_type: 'client_credentials', scope: admin }
    const asked = await caller.post('admin', form)
    assert.deepEqual([asked.status, asked.json()['error']], [400, 'use_dpop_nonce'])
    assert.match(String(asked.headers['dpop-nonce']), /^[\w-]{32}$/)
    assert.match(String(asked.headers['access-control-expose-headers']), /DPoP-Nonce/)
    const token = await caller.token('admin', admin)
    const nonce = caller.nonce
    assert.notEqual(nonce, null)
    for (const path of ['/v1/clients', '/userinfo', '/revocations/snapshot']) {
      caller.nonce = null
      const refused = await caller.get(path, path.startsWith('/rev') ? await feedToken(caller, nonce) : token)
      assert.equal(refused.status, 401, path)
      assert.match(challengeOf(refused), /error="use_dpop_nonce"/, path)
      assert.equal(refused.headers['dpop-nonce'], nonce, path)
    }
    caller.nonce = nonce
    assert.equal((await caller.get('/v1/clients', token)).status, 200)
  })
}

async function feedToken(caller: BoundCaller, nonce: string | null): Promise<string> {
  caller.nonce = nonce
  const token = await caller.token('api', 'revocations:read')
  caller.nonce = null
  return token
}

test('RFC 9449 §4.3: several DPoP headers, or one that is no proof, are 400 invalid_dpop_proof and nothing else', async () => {
  await using it = await startFeedDeployment()
  const caller = new BoundCaller(it)
  const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
  const twice = [caller.proof('POST', '/token'), caller.proof('POST', '/token')] as unknown as string
  for (const proof of [twice, 'x', '', caller.proof('POST', '/t/acme/token')]) {
    const answer = await caller.post('svc', form, proof)
    assert.deepEqual([answer.status, answer.json()['error']], [400, 'invalid_dpop_proof'], answer.body)
  }
  const answer = await caller.post('svc', form)
  assert.deepEqual([answer.status, answer.json()['token_type']], [200, 'DPoP'])
  const preflight = await it.ask('/token', { method: 'OPTIONS' })
  assert.match(String(preflight.headers['access-control-allow-headers']), /DPoP/)
})

test('RFC 9449 §7: a page of the feed is read with a proof of its own', async () => {
  await using it = await startFeedDeployment()
  const caller = new BoundCaller(it)
  const token = await caller.token('api', 'revocations:read')
  const proof = caller.proof('GET', '/revocations/changes', { accessToken: token })
  assert.equal((await caller.get('/revocations/changes?wait=0', token, proof)).status, 200)
  assert.equal((await caller.get('/revocations/changes?wait=0', token, proof)).status, 401)
})

test('FAPI 2.0 §5.4.1: a resource of the server itself takes a proof that is signed as its client must, and no other', async () => {
  const key = newKey()
  const jkt = publicKeyThumbprint(createPublicKey(key))
  const [method, url, token] = ['GET', 'https://as.example/userinfo', 'a-token']
  const asked = (algs: readonly string[]) => {
    const now = () => Date.now() as Instant
    const request = { method, url, proof: makeProof(key, { method, url, now: now(), accessToken: token }) }
    const own = { tenant: 'default' as TenantId, clientId: 'web', scheme: 'dpop', token, request } as const
    const proofs = { now, nonces: () => null, use: async () => true, algs: async () => algs }
    return missingProof({ jkt }, own, { proofs })
  }
  assert.equal(await asked(['ES256']), null)
  const refused = await asked(['PS256', 'EdDSA'])
  assert.equal(refused?.code, 'proof_invalid')
  // RFC 9449 §7.1: the challenge names what is acceptable, and nothing that would be refused again.
  assert.match(refusedProof(refused, 'grantor').headers['www-authenticate'] ?? '', /algs="PS256 EdDSA"/)
  const challenge = { realm: 'Administration', resourceMetadata: null, insufficientScopeStatus: 401 } as const
  assert.match(rejectionProblem(refused, challenge).headers?.['www-authenticate'] ?? '', /algs="PS256 EdDSA"/)
})
