/** /userinfo with a token that is bound to a certificate: with that certificate, with another, with none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certificateThumbprint } from '@grantor/protocol/mtls'
import { err, ok } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { testbed } from '../http/testbed.ts'

const own = Buffer.from('a certificate')
const other = Buffer.from('another certificate')

for (const [what, der, status] of [
  ['its own certificate', own, 200],
  ['another certificate', other, 401],
  ['no certificate', null, 401],
] as const)
  test(`RFC 8705 §3: at userinfo a bound token with ${what} is answered ${status}`, async () => {
    const { app } = testbed(
      {
        userinfo: async (_token, _origin, isProven) =>
          (await isProven?.({ 'x5t#S256': certificateThumbprint(own) }, 'web')) === true
            ? ok({ claims: { sub: 'alice' }, signed: null })
            : err('unproven'),
        proofs: {
          now: () => Date.now() as Instant,
          nonces: () => null,
          algs: async () => [],
          use: async () => true,
        },
      },
      { certificates: { of: () => ok({ clientCertificate: der }), isAsked: () => true, watch: () => {} } },
    )
    const answer = await app.inject({ url: '/userinfo', headers: { authorization: 'Bearer a-token' } })
    assert.equal(answer.statusCode, status, answer.body)
    await app.close()
  })
