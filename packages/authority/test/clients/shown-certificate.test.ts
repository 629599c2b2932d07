/** RFC 8705 §2: what is found out about a certificate that came with a request; read once, and the client's keys only where it is known by them. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import type { EndpointRequest, Outbound } from '@grantor/authority'
import { readCertificate } from '@grantor/protocol/mtls'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import { shownCertificate } from '../../src/clients/shown-certificate.ts'
import { authority, issued } from '../../../protocol/test/mtls/throw-away.ts'
import { asking, nowhere } from '../support/deployment.ts'

const der = new Uint8Array(new X509Certificate(issued).raw)
const above = new Uint8Array(new X509Certificate(authority).raw)
const trusted = [readCertificate(above)].filter((it) => it !== null)
const nobody: typeof trusted = []

const request = (more: Partial<EndpointRequest> = {}): EndpointRequest => ({ ...asking(''), ...more })
const looking = (of: EndpointRequest, client: Client | null, list = trusted, outbound: Outbound = nowhere) =>
  shownCertificate(of, client, {
    clock: { now: () => 0 as Instant },
    clientAuthorities: { trusted: () => list },
    outbound,
  })

test('without a certificate, or with bytes that are none, there is nothing', async () => {
  assert.equal(await looking(request(), null), null)
  const odd = Uint8Array.of(1, 2, 3)
  assert.equal(await looking(request({ clientCertificate: odd }), null), null)
  assert.equal(await looking(request({ clientCertificate: odd }), null), null, 'nor when it is shown again')
})

test('a certificate is read with the path to an authority that is trusted, once for each list of them', async () => {
  const shown = await looking(request({ clientCertificate: der }), null)
  assert.equal(shown?.certificate.thumbprint, readCertificate(der)?.thumbprint)
  assert.equal(shown?.path.kind, 'ok')
  assert.deepEqual(shown?.keys, [])
  const again = await looking(request({ clientCertificate: der }), null)
  assert.equal(again?.path, shown?.path, 'not looked for again')
  const other = await looking(request({ clientCertificate: der }), null, nobody)
  assert.equal(other?.path.kind, 'error')
  const copy = await looking(request({ clientCertificate: Uint8Array.from(der) }), null)
  assert.notEqual(copy?.path, shown?.path, 'another connection is another one')
})

test('RFC 5280 §6.1: an authority that is over on a living connection makes way for the one that it was renewed as', async () => {
  const shown = Uint8Array.from(der)
  const [old] = trusted
  assert.ok(old !== undefined)
  const from = readCertificate(der)?.notBefore ?? 0
  const ends = from + 60_000
  const list = [{ ...old, notAfter: ends as Instant, thumbprint: 'before' }, old]
  const anchorAt = async (now: number) => {
    const found = await shownCertificate(request({ clientCertificate: shown }), null, {
      clock: { now: () => now as Instant },
      clientAuthorities: { trusted: () => list },
      outbound: nowhere,
    })
    return found?.path.kind === 'ok' ? found.path.value.at(-1)?.thumbprint : null
  }
  assert.equal(await anchorAt(from), 'before')
  assert.equal(await anchorAt(ends), 'before')
  assert.equal(await anchorAt(ends + 1000), old.thumbprint)
})

test('what cannot be read of what was sent along is passed over', async () => {
  const list = [...trusted]
  const sent = [Uint8Array.of(1), above]
  const shown = await looking(request({ clientCertificate: der, certificatesSentAlong: sent }), null, list)
  assert.equal(shown?.path.kind, 'ok')
})

test('the keys of a client are looked for where it proves itself by its own certificate, and only there', async () => {
  const { publicKey } = new X509Certificate(issued)
  const own = { ...(publicKey.export({ format: 'jwk' }) as object), kid: 'own' }
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const strange = { ...(pair.publicKey.export({ format: 'jwk' }) as object), kid: 'strange' }
  const client = (method: string) =>
    ({ id: 'c', metadata: { token_endpoint_auth_method: method, jwks: { keys: [strange, own] } } }) as unknown as Client
  const of = (method: string) => looking(request({ clientCertificate: der }), client(method))
  const shown = await of('self_signed_tls_client_auth')
  const thumbprint = shown?.certificate.keyThumbprint
  assert.deepEqual(
    shown?.keys.map((key) => key.thumbprint() === thumbprint),
    [false, true],
  )
  for (const method of ['tls_client_auth', 'private_key_jwt', 'none'])
    assert.deepEqual((await of(method))?.keys, [], method)
})
