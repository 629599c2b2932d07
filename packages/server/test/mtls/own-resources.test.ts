/** The server's own resources with bound tokens at the listener that asks for certificates: feed, metrics, userinfo. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { makeProof } from '@grantor/protocol/dpop'
import type { Instant } from '@grantor/protocol/types'
import { databases, declare, newCertificate, secret, service, startMtls } from './mtls-deployment.ts'

const bound = { tls_client_certificate_bound_access_tokens: true }

for (const database of databases)
  test(`${database}: RFC 8705 §3, RFC 9449 §7: feed, metrics and userinfo take a bound token with what it is bound to, at either address`, async () => {
    await using it = await startMtls(database)
    const post = { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' }
    const scope = 'revocations:read metrics:read'
    await declare(it, [service('svc', { ...post, ...bound, scope }), service('dpop', { ...post, scope })])
    const [certificate, other] = [await newCertificate(null), await newCertificate(null)]
    const form = { grant_type: 'client_credentials', client_secret: secret }
    // 403: the token of a client is good there, and speaks of nobody.
    const resources = [
      ['/revocations/snapshot', 'revocations:read', 200],
      ['/metrics', 'metrics:read', 200],
      ['/userinfo', 'metrics:read', 403],
    ] as const
    for (const [path, asked, status] of resources) {
      const wanted = { ...form, client_id: 'svc', scope: asked }
      const issued = await it.post('/token', wanted, { certificate })
      assert.equal(issued.status, 200, issued.body)
      const headers = { authorization: `Bearer ${issued.json()['access_token'] as string}` }
      assert.equal((await it.get(path, { certificate, headers })).status, status, path)
      assert.equal((await it.get(path, { certificate: other, headers })).status, 401, path)
      assert.equal((await it.get(path, { headers })).status, 401, path)
      assert.equal((await it.get(`${it.running.issuer}${path}`, { headers })).status, 401, path)

      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alias = `https://localhost:${it.running.mtlsPort}`
      const made = (url: string, method = 'GET', more: { readonly accessToken?: string } = {}): string =>
        makeProof(key, { method, url, now: Date.now() as Instant, ...more })
      const plain = { ...form, client_id: 'dpop', scope: asked }
      const dpop = await it.post('/token', plain, { headers: { dpop: made(`${alias}/token`, 'POST') } })
      assert.equal(dpop.status, 200, dpop.body)
      const token = dpop.json()['access_token'] as string
      const get = (at: string, proof: string | null) =>
        it.get(`${at}${path}`, {
          headers: { authorization: `DPoP ${token}`, ...(proof === null ? {} : { dpop: proof }) },
        })
      // Each at each: the alias is another name of the same resource.
      for (const at of [alias, it.running.issuer])
        for (const named of [alias, it.running.issuer])
          assert.equal((await get(at, made(`${named}${path}`, 'GET', { accessToken: token }))).status, status, path)
      assert.equal((await get(alias, null)).status, 401, path)
      assert.equal((await get(alias, made(`https://other.example${path}`, 'GET', { accessToken: token }))).status, 401)
      assert.equal((await get(alias, made(`${alias}/elsewhere`, 'GET', { accessToken: token }))).status, 401)
      const again = made(`${alias}${path}`, 'GET', { accessToken: token })
      assert.equal((await get(alias, again)).status, status)
      assert.equal((await get(it.running.issuer, again)).status, 401, 'one proof for both addresses is used once')
      const bare = await it.get(`${alias}${path}`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(bare.status, 401, path)
    }
  })
