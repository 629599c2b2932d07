/** CIBA §7.1.1: signed requests, demanded where the client has registered it, good once, and everything that is not one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askByBackchannel, asked, bank, declareBanks } from '../support/backchannel-client.ts'
import { databases, openDeployment } from '../support/deployment.ts'
import { jws, signingKey } from '../support/signing-client.ts'

const [own, foreign] = [signingKey('k1'), signingKey('k1')]
const signer = bank('signer', {
  jwks: { keys: [{ ...own.jwk, alg: 'ES256' }] },
  backchannel_authentication_request_signing_alg: 'ES256',
})
const nothing = { scope: undefined, login_hint: undefined, binding_message: undefined }

for (const database of databases) {
  describe(`signed requests by the back channel on ${database}`, async () => {
    const deployment = await openDeployment(database)
    await declareBanks(deployment, signer)
    const { authority } = deployment
    const at = Math.floor(deployment.clock / 1000)
    let count = 0
    const claims = (more: Readonly<Record<string, unknown>> = {}): string =>
      JSON.stringify({
        iss: 'signer',
        aud: 'https://as.example',
        iat: at,
        nbf: at,
        exp: at + 300,
        jti: `j${count++}`,
        ...asked,
        ...more,
      })
    const send = async (request: string, more: Readonly<Record<string, string | undefined>> = {}) =>
      (await askByBackchannel(authority, { ...nothing, request, ...more }, { as: 'signer' })).error
    const signed = (more: Readonly<Record<string, unknown>> = {}) => jws({ claims: claims(more), by: own })

    test('a signed request is taken, and no other of a client that signs', async () => {
      assert.equal(await send(signed({ requested_expiry: 30 })), undefined)
      assert.equal(await send(signed({ requested_expiry: '30' })), undefined)
      assert.equal((await askByBackchannel(authority, {}, { as: 'signer' })).error, 'request_object_missing')
    })

    test('what stands outside does not count', async () => {
      assert.equal(await send(signed({ login_hint: undefined }), { login_hint: 'alice' }), 'hint_not_single')
      assert.equal(await send(signed(), { id_token_hint: 'x' }), undefined)
    })

    test('a request object counts once, on every node together', async () => {
      const object = signed()
      const nodes = [authority, deployment.node()]
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          askByBackchannel(nodes[n % 2] ?? authority, { ...nothing, request: object }, { as: 'signer' }),
        ),
      )
      assert.equal(answers.filter(({ error }) => error === undefined).length, 1)
      assert.equal(answers.filter(({ error }) => error === 'backchannel_request_invalid').length, 5)
    })

    test('forged, foreign, misdirected, undated, unnamed and malformed ones are refused', async () => {
      const refused = [
        jws({ claims: claims(), by: foreign }),
        jws({ claims: claims(), by: own, header: { alg: 'none' } }),
        jws({ claims: claims(), by: own, header: { alg: 'HS256' } }),
        ...[
          { iss: undefined },
          { iss: 'bank' },
          { aud: undefined },
          { aud: 'https://elsewhere.example' },
          { exp: undefined },
          { exp: at - 120 },
          { exp: at + 4200 },
          { nbf: undefined },
          { nbf: at + 600 },
          { nbf: at - 4200 },
          { iat: undefined },
          { jti: undefined },
          { jti: '' },
          { jti: 'x'.repeat(300) },
          { client_id: 'bank' },
          { request: 'x.y.z' },
        ].map((more) => signed(more)),
        'x',
        'x.y.z',
        'x'.repeat(16_000),
      ]
      for (const [n, object] of refused.entries())
        assert.equal(await send(object), 'backchannel_request_invalid', String(n))
    })
  })
}
