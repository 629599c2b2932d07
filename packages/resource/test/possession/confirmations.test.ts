/** What a token is bound to: a certificate in its time, to the millisecond; and what cannot be read binds all the same. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { makeProof } from '@grantor/protocol/dpop'
import { jwkThumbprint } from '@grantor/protocol/jose'
import type { Instant, Json, JsonObject } from '@grantor/protocol/types'
import type { ShownCertificate } from '../../src/http/request.ts'
import { checkPossession, type PossessionOptions, possessionOptions } from '../../src/possession/possession.ts'
import { MemoryProofReplays } from '../../src/possession/proof-replays.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { audience } from '../tokens.ts'

const thumbprint = 'A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0'
const [notBefore, notAfter] = [1_800_000_000_000, 1_800_000_600_000].map((at) => at as Instant)
const whole = { thumbprint, notBefore, notAfter } as ShownCertificate

function said(shown: ShownCertificate | 'unreadable' | null, now: number, leeway?: number) {
  const time = new FakeTime()
  const options: PossessionOptions = {
    time: { now: () => now as Instant },
    replays: new MemoryProofReplays(time, 10),
    nonces: null,
    ...(leeway === undefined ? {} : { leeway }),
  }
  const request = { method: 'GET', url: 'https://api.example/', certificate: () => shown }
  const presentation = { presented: { authorization: 'Bearer x', request }, scheme: 'bearer', token: 'x' } as const
  const unproven = checkPossession({ 'x5t#S256': thumbprint }, presentation, options)
  assert.ok(!(unproven instanceof Promise))
  return unproven?.code ?? 'proven'
}

const [first, last] = [Number(notBefore), Number(notAfter)]
for (const [leeway, table] of [
  [
    undefined,
    [
      [first - 1, 'certificate_expired'],
      [first, 'proven'],
      [last, 'proven'],
      [last + 1, 'certificate_expired'],
    ],
  ],
  [
    60_000,
    [
      [first - 60_001, 'certificate_expired'],
      [first - 60_000, 'proven'],
      [last + 60_000, 'proven'],
      [last + 60_001, 'certificate_expired'],
    ],
  ],
] as const)
  test(`RFC 8705 §3: with a leeway of ${leeway ?? 'none'} a certificate counts to the millisecond`, () => {
    for (const [now, expected] of table) assert.equal(said(whole, now, leeway), expected, String(now - first))
  })

test('a validator’s leeway is one of seconds, sixty where none is set, and holds for certificates too', () => {
  for (const [leeway, milliseconds] of [
    [undefined, 60_000],
    [5, 5_000],
    [0, 0],
  ] as const) {
    const set = { audience, issuers: [], ...(leeway === undefined ? {} : { leeway }) }
    const options = possessionOptions(set, new FakeTime())
    const at = (now: number) => said(whole, now, options.leeway)
    assert.equal(at(last + milliseconds), 'proven')
    assert.equal(at(last + milliseconds + 1), 'certificate_expired')
  }
})

test('a certificate whose time nobody told counts at any; another, an unreadable one or none never does', () => {
  for (const now of [0, first, 10 ** 14]) assert.equal(said({ thumbprint }, now), 'proven')
  assert.equal(said({ ...whole, thumbprint: 'another' }, first), 'certificate_mismatch')
  assert.equal(said('unreadable', first), 'client_certificate_unreadable')
  assert.equal(said(null, first), 'certificate_required')
})

test('RFC 7800 §3: a confirmation that cannot be read binds to what nobody can prove', async () => {
  const time = new FakeTime()
  const issuer = createTestIssuer({ audience, time })
  const validator = createValidator({ audience, issuers: [issuer.trust], time })
  for (const cnf of [null, [], ['jkt'], '', 'jkt', 7, false, {}, { kid: 'x' }] as Json[])
    for (const scheme of ['Bearer', 'DPoP']) {
      const verdict = await validator.validate({ authorization: `${scheme} ${issuer.mint({ claims: { cnf } })}` })
      assert.equal(verdict.kind === 'error' && verdict.error.code, 'proof_required', JSON.stringify(cnf))
    }
})

test('RFC 9449 §4.3: a proof names the address that was asked, or another of the same', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jkt = jwkThumbprint(publicKey.export({ format: 'jwk' }) as JsonObject)
  const time = new FakeTime()
  const options = { time, replays: new MemoryProofReplays(time, 10), nonces: null }
  const said = (url: string, aliases?: readonly string[]) => {
    const proof = makeProof(privateKey, { method: 'GET', url, now: time.now(), accessToken: 'x' })
    const asked = { method: 'GET', url: 'https://api.example/a', proof, ...(aliases === undefined ? {} : { aliases }) }
    const presentation = { presented: { authorization: 'DPoP x', request: asked }, scheme: 'dpop', token: 'x' } as const
    const unproven = checkPossession({ jkt }, presentation, options)
    assert.ok(!(unproven instanceof Promise))
    return unproven?.code ?? 'proven'
  }
  const alias = 'https://mtls.api.example/a'
  assert.deepEqual([said('https://api.example/a'), said('https://api.example/a', [alias])], ['proven', 'proven'])
  assert.deepEqual([said(alias), said(alias, [alias])], ['proof_invalid', 'proven'])
})
