/** Tokens that are bound to a certificate: in the token, in introspection, and through every refresh. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import {
  api,
  databases,
  declare,
  newCertificate,
  operator,
  secret,
  service,
  startMtls,
  thumbprintOf,
  tokenForm,
} from './mtls-deployment.ts'

const bound = { tls_client_certificate_bound_access_tokens: true }
const claimsOf = (token: unknown): JsonObject =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as JsonObject

for (const database of databases)
  describe(`certificate-bound tokens (${database})`, () => {
    test('RFC 8705 §3.1, §3.2: the thumbprint stands in the token and in introspection, JWT or not', async () => {
      await using it = await startMtls(database)
      const post = { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' }
      await declare(it, [service('svc', { ...post, ...bound }), service('api', { ...post, resource_server: api })])
      const certificate = await newCertificate(null)
      const form = { ...tokenForm('svc'), client_secret: secret }
      for (const format of ['jwt', 'opaque']) {
        const applied = await it.deployment.authority.admin.declared.apply(operator, {
          resources: [{ identifier: api, name: 'API', token_format: format }],
        })
        assert.ok(applied.kind === 'ok', JSON.stringify(applied))
        const issued = (await it.post('/token', form, { certificate })).json()
        assert.equal(issued['token_type'], 'Bearer')
        const cnf = { 'x5t#S256': thumbprintOf(certificate) }
        if (format === 'jwt') assert.deepEqual(claimsOf(issued['access_token'])['cnf'], cnf)
        const asked = { client_id: 'api', client_secret: secret, token: issued['access_token'] as string }
        const told = (await it.post('/introspect', asked)).json()
        assert.deepEqual([told['active'], told['cnf']], [true, cnf])
      }
      const without = await it.post('/token', form)
      assert.deepEqual([without.status, without.json()['error']], [400, 'invalid_request'])
    })

    test('a client that did not ask for it gets plain tokens, whatever it shows', async () => {
      await using it = await startMtls(database)
      await declare(it, [service('svc', { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' })])
      const certificate = await newCertificate(null)
      const issued = (await it.post('/token', { ...tokenForm('svc'), client_secret: secret }, { certificate })).json()
      assert.equal(claimsOf(issued['access_token'])['cnf'], undefined)
    })
  })
