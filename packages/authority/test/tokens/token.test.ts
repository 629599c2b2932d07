/** Tokens from the first request to their end, on both databases. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import {
  api,
  asking,
  databases,
  declare,
  isActive,
  machine,
  openDeployment,
  operator,
  root,
  secret,
  tokenFrom,
} from '../support/deployment.ts'

for (const database of databases) {
  describe(`tokens on ${database}`, async () => {
    const deployment = await openDeployment(database)
    await declare(deployment)
    const { authority, store } = deployment

    test('RFC 9068 §2: a signed access token verifies with the published key set and says what it must', async () => {
      const token = await tokenFrom(authority, 'scope=invoices:read')
      const keys = await authority.keySet(root)
      assert.ok(keys.kind === 'ok')
      const { payload, protectedHeader } = await jwtVerify(
        token,
        createLocalJWKSet(keys.value.body as never as JSONWebKeySet),
        {
          issuer: 'https://as.example',
          audience: api,
          typ: 'at+jwt',
          currentDate: new Date(deployment.clock),
        },
      )
      assert.equal(protectedHeader.alg, 'ES256')
      assert.equal(payload['client_id'], 'svc')
      assert.equal(payload.sub, 'svc')
      assert.equal(payload['scope'], 'invoices:read')
      assert.equal(Number(payload.exp) - Number(payload.iat), 600)
      assert.equal('tenant' in payload, false)
    })

    test('RFC 8707 §2: an opaque resource gets an opaque token that only introspection can read', async () => {
      const token = await tokenFrom(authority, 'resource=https://opaque.example')
      assert.match(token, /^ga_[\w-]{43}$/)
      const answer = await authority.introspect(asking(`token=${token}`))
      assert.ok(answer.kind === 'ok')
      assert.equal(answer.value['active'], true)
      assert.equal(answer.value['aud'], 'https://opaque.example')
      assert.equal(answer.value['scope'], 'files:read')
    })

    test('RFC 7662 §4: a client sees its own tokens and those of its audience, and no others', async () => {
      const token = await tokenFrom(authority, 'scope=invoices:read')
      assert.equal(await isActive(authority, token, { as: 'svc' }), true)
      assert.equal(await isActive(authority, token, { as: 'api' }), true)
      assert.equal(await isActive(authority, token, { as: 'other' }), false)
    })

    test('RFC 7009 §2: a revoked token is dead at once on every node, a foreign one is refused and lives', async () => {
      const node = deployment.node()
      for (const body of ['scope=invoices:read', 'resource=https://opaque.example']) {
        const token = await tokenFrom(authority, body)
        const foreign = await authority.revoke(asking(`token=${token}`, { as: 'other' }))
        assert.deepEqual(foreign.kind === 'ok' ? null : foreign.error, { reason: 'token_of_another_client' })
        assert.equal(await isActive(node, token), true)
        assert.ok((await authority.revoke(asking(`token=${token}&token_type_hint=nonsense`))).kind === 'ok')
        assert.equal(await isActive(node, token), false)
        assert.ok((await node.revoke(asking(`token=${token}`))).kind === 'ok', 'revoking again is no error')
      }
    })

    test('our own tokens get no leeway: at the second of exp a token is inactive', async () => {
      const token = await tokenFrom(authority, 'scope=invoices:read')
      deployment.clock += 599_000
      assert.equal(await isActive(authority, token), true)
      deployment.clock += 1_000
      assert.equal(await isActive(authority, token), false)
    })

    test('wrong secret, unknown client and disabled client are refused in the same words', async () => {
      await declare(deployment, { clients: [{ ...machine('switched-off', 'invoices:read'), disabled: true }] })
      const refusals = [
        await authority.token(asking('grant_type=client_credentials', { as: 'switched-off' })),
        await authority.token(asking('grant_type=client_credentials', { secret: 'x'.repeat(40) })),
        await authority.token(asking('grant_type=client_credentials', { as: 'nobody' })),
      ]
      for (const answer of refusals) {
        assert.deepEqual(answer.kind === 'ok' ? null : answer.error, {
          reason: 'client_unauthenticated',
          challenge: true,
        })
      }
    })

    test('a client that is removed loses its tokens, and one made anew under its id does not inherit them', async () => {
      const node = deployment.node()
      const wish = {
        id: 'short-lived',
        secret,
        metadata: {
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          scope: 'invoices:read',
        },
      }
      assert.ok((await authority.admin.clients.create(operator, root, wish)).kind === 'ok')
      const token = await tokenFrom(node, '', { as: 'short-lived' })
      assert.equal(await isActive(node, token, { as: 'api' }), true)
      assert.ok((await authority.admin.clients.remove(operator, root, 'short-lived')).kind === 'ok')
      const refused = await node.token(asking('grant_type=client_credentials', { as: 'short-lived' }))
      assert.equal(refused.kind, 'error', 'a node that remembers the client must not issue for it')
      deployment.clock += 5_000
      assert.ok((await authority.admin.clients.create(operator, root, wish)).kind === 'ok')
      assert.equal(await isActive(authority, token, { as: 'api' }), false)
    })

    test('rotating a secret overlaps: both work, then only the new one', async () => {
      const created = await authority.admin.clients.create(operator, root, {
        id: 'rotating',
        metadata: {
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          scope: 'invoices:read',
        },
      })
      assert.ok(created.kind === 'ok')
      const rotated = await authority.admin.clients.rotateSecret(operator, root, { id: 'rotating', overlap: 60 })
      assert.ok(rotated.kind === 'ok')
      const works = async (with_: string | null) =>
        (await authority.token(asking('grant_type=client_credentials', { as: 'rotating', secret: with_ ?? '' })))
          .kind === 'ok'
      assert.deepEqual([await works(created.value.secret), await works(rotated.value.secret)], [true, true])
      deployment.clock += 61_000
      assert.deepEqual([await works(created.value.secret), await works(rotated.value.secret)], [false, true])
    })

    test('each act leaves exactly its events, in order, with who did it and without any secret', async () => {
      await store.events.position()
      const before = (await store.events.head(root))?.seq ?? 0
      const token = await tokenFrom(authority, 'scope=invoices:write')
      await authority.revoke(asking(`token=${token}`))
      await isActive(authority, token)
      await store.events.position()
      const events = await store.events.after(root, before, 10)
      assert.deepEqual(
        events.map((it) => [it.name, it.actor.kind, it.actor.id, it.reason]),
        [
          ['token.issued', 'client', 'svc', null],
          ['token.revoked', 'client', 'svc', null],
          ['token.rejected', 'resource_server', 'svc', 'token_revoked'],
        ],
      )
      assert.equal(new Set(events.map((it) => it.jti)).size, 1)
      assert.doesNotMatch(JSON.stringify(events), /zz9canary|eyJ/)
    })
  })
}
