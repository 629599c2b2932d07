/** Tokens that are bound to a certificate: in the token, in introspection, and through every refresh. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import {
  api,
  databases,
  declare,
  newAuthority,
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

    test('RFC 8705 §3: no token is bound to a certificate that is over or has not begun, however the client authenticates', async () => {
      await using it = await startMtls(database)
      const post = { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' }
      await declare(it, [
        service('svc', { ...post, ...bound }),
        service('late', { ...post, ...bound }),
        service('plain', post),
      ])
      const ask = async (client: string, days: readonly [number, number], signer = it.authority) => {
        const certificate = await newCertificate(signer, { days })
        const { status, body } = await it.post(
          '/token',
          { ...tokenForm(client), client_secret: secret },
          { certificate },
        )
        return [status, (JSON.parse(body) as JsonObject)['error_description'] ?? null]
      }
      const expired = [400, 'The client certificate that tokens would be bound to is over.']
      assert.deepEqual(await ask('svc', [-3, -2]), expired)
      assert.deepEqual(await ask('late', [2, 3]), [
        400,
        'The client certificate that tokens would be bound to is not valid yet.',
      ])
      assert.deepEqual(it.reasons(), ['certificate_expired', 'certificate_not_yet_valid'])
      // Who issued it does not matter to a binding; a plain token is not bound to what came along.
      assert.deepEqual(await ask('svc', [-1, 1], await newAuthority('CN=Others')), [200, null])
      assert.deepEqual(await ask('plain', [-3, -2]), [200, null])
    })

    test('a client that did not ask for it gets plain tokens, whatever it shows', async () => {
      await using it = await startMtls(database)
      await declare(it, [service('svc', { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' })])
      const certificate = await newCertificate(null)
      const issued = (await it.post('/token', { ...tokenForm('svc'), client_secret: secret }, { certificate })).json()
      assert.equal(claimsOf(issued['access_token'])['cnf'], undefined)
    })
  })
