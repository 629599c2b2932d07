/** What a request proves to have: a key by its DPoP proof (RFC 9449), a certificate by its connection (RFC 8705 §3). */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { proofAlgorithms } from '@grantor/protocol/dpop'
import { readCertificate } from '@grantor/protocol/mtls'
import { profileAlgs } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import { openOwnProofs } from '../../src/clients/own-proofs.ts'
import { nextNonce, noncesOf, possessionOf } from '../../src/clients/possession.ts'
import { issued } from '../../../protocol/test/mtls/throw-away.ts'
import { root, unproven } from '../support/deployment.ts'
import { KeyHolder, tokenUrl } from '../support/dpop-client.ts'

const now = Date.parse('2026-11-18T12:00:00Z')
const der = new Uint8Array(new X509Certificate(issued).raw)
const facts = readCertificate(der)
assert.ok(facts)
const mine = new KeyHolder()
const store = { keys: { derived: (purpose: string) => Buffer.from(purpose.padEnd(32)) } } as never

interface Scene {
  readonly proof?: string
  readonly certificate?: Uint8Array
  readonly metadata?: object
  readonly endpoint?: 'token' | 'pushedAuthorization'
  readonly at?: number
  readonly nonces?: boolean
  readonly alias?: string
}

function prove({ proof, certificate, metadata = {}, endpoint = 'token', at = now, nonces, alias }: Scene = {}) {
  const recorded: object[] = []
  const possession = possessionOf(
    { ...unproven, tenant: root, proof: proof ?? null, clientCertificate: certificate ?? null } as never,
    endpoint,
    {
      clock: { now: () => at },
      ids: { handleOf: (text: string) => `handle of ${text}` },
      issuers: { issuerOf: () => 'https://as.example', ...(alias === undefined ? {} : { mtlsIssuerOf: () => alias }) },
      policy: { dpopNonce: nonces === true ? 'required' : 'off' },
      refusedRequests: { record: (refused: object) => void recorded.push(refused) },
      store,
    } as never,
  )
  const client = { id: 'app', metadata }
  const ask = (of: object = client) => possession(of as never)
  return { ask, recorded, proofUsed: () => possession.proofUsed() }
}

const claimsOf = (proof: string) =>
  JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString()) as { readonly jti: string }
const none = { jkt: null, certificate: null }
const missing = err({ reason: 'proof_missing' })
const refused = (reason: string) => ({ name: 'proof.refused', tenant: root, clientId: 'app', reason })

test('without a proof and a certificate nothing is proven, and nobody is given a nonce', () => {
  assert.deepEqual(prove().ask(), ok({ possession: none, proof: null }))
  assert.deepEqual(prove({ nonces: true }).ask(), ok({ possession: none, proof: null }))
})

test('a proof is of its key and its own identifier, the same however often it is asked for, until it is used up', () => {
  const proof = mine.proof(now)
  const { ask, proofUsed } = prove({ proof })
  const proven = ask()
  assert.ok(proven.kind === 'ok')
  assert.deepEqual(proven.value.possession, { ...none, jkt: mine.jkt })
  assert.equal(proven.value.proof?.handle, `handle of ${mine.jkt}.${claimsOf(proof).jti}`)
  assert.equal(ask(), proven)
  proofUsed()
  assert.deepEqual(ask(), ok({ ...proven.value, proof: null }))
})

test('what a client must show is asked of it as it is given, and a fault is noted once', () => {
  const [bound, free] = [
    { id: 'app', metadata: { dpop_bound_access_tokens: true } },
    { id: 'app', metadata: {} },
  ]
  const { ask, recorded } = prove()
  assert.deepEqual([ask(bound), ask(free), ask(bound)], [missing, ok({ possession: none, proof: null }), missing])
  const certified = { id: 'app', metadata: { tls_client_certificate_bound_access_tokens: true } }
  const unreadable = prove({ certificate: new Uint8Array(1) })
  const wrong = err({ reason: 'client_certificate_unreadable' })
  assert.deepEqual([unreadable.ask(certified), unreadable.ask({ ...certified })], [wrong, wrong])
  assert.deepEqual(unreadable.ask(free), ok({ possession: none, proof: null }))
  assert.deepEqual(unreadable.recorded, [refused('client_certificate_unreadable')])
  assert.deepEqual(recorded, [])
})

test('a proof that is wrong is refused and noted once, and one that nobody has asked for is not used up', () => {
  const { ask, recorded, proofUsed } = prove({ proof: mine.proof(now, { method: 'GET' }) })
  proofUsed()
  const wrong = err({ reason: 'proof_invalid', fault: 'method' })
  assert.deepEqual([ask(), ask()], [wrong, wrong])
  proofUsed()
  assert.deepEqual(ask(), wrong)
  assert.deepEqual(recorded, [refused('method')])
})

test('RFC 9449 §4.3: a proof is for the endpoint it is shown at, by either of its addresses', () => {
  const alias = 'https://mtls.example'
  const rows: readonly (readonly [url: string, scene: Scene, good: boolean])[] = [
    [tokenUrl, {}, true],
    [tokenUrl, { alias }, true],
    [`${alias}/token`, { alias }, true],
    [`${alias}/token`, {}, false],
    [`${alias}/par`, { alias }, false],
    [tokenUrl, { endpoint: 'pushedAuthorization' }, false],
    ['https://as.example/par', { endpoint: 'pushedAuthorization' }, true],
  ]
  for (const [url, scene, good] of rows)
    assert.equal(prove({ ...scene, proof: mine.proof(now, { url }) }).ask().kind, good ? 'ok' : 'error', url)
})

test('RFC 9449 §8: where nonces are wanted, one of ours is, and the next one is given along', () => {
  const current = noncesOf(root, store).current(now as never)
  const bare = prove({ nonces: true, proof: mine.proof(now) })
  assert.deepEqual(bare.ask(), err({ reason: 'proof_nonce_wanted', nonce: current }))
  assert.deepEqual(bare.recorded, [], 'whoever begins has none')
  const proven = prove({ nonces: true, proof: mine.proof(now, { nonce: current }) }).ask()
  assert.ok(proven.kind === 'ok')
  assert.deepEqual(nextNonce(proven.value), { dpopNonce: current })
  const unasked = prove({ proof: mine.proof(now, { nonce: current }) }).ask()
  assert.ok(unasked.kind === 'ok')
  assert.deepEqual(nextNonce(unasked.value), {})
})

test('FAPI 2.0 §5.4.1: a client of a strict profile signs its proofs as the profile says, others as they like', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const header = { typ: 'dpop+jwt', alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) }
  const claims = { jti: 'x', htm: 'POST', htu: tokenUrl, iat: now / 1000 }
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const proof = `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  assert.equal(prove({ proof }).ask().kind, 'ok')
  const metadata = { profile: 'fapi2-security', dpop_bound_access_tokens: true }
  assert.deepEqual(prove({ proof, metadata }).ask(), err({ reason: 'proof_invalid', fault: 'malformed' }))
  assert.equal(prove({ proof: mine.proof(now), metadata }).ask().kind, 'ok')
})

test('FAPI 2.0 §5.4.1: so it does at the resources of the server itself', async () => {
  const algsOf = (metadata: object | null) => {
    const directory = { client: () => (metadata === null ? null : { metadata }) }
    return openOwnProofs({ directory } as never).algs(root, 'web')
  }
  assert.deepEqual(await algsOf({ profile: 'fapi2-security' }), profileAlgs)
  assert.deepEqual(await algsOf({}), proofAlgorithms)
  assert.deepEqual(await algsOf(null), proofAlgorithms)
})

test('RFC 8705 §3: a certificate is proven at the token endpoint, together with a key, and nowhere else', () => {
  const certificate = facts.thumbprint
  for (const [scene, possession] of [
    [{ certificate: der }, { jkt: null, certificate }],
    [
      { certificate: der, proof: mine.proof(now) },
      { jkt: mine.jkt, certificate },
    ],
    [{ certificate: der, endpoint: 'pushedAuthorization' }, none],
    [
      { certificate: der, endpoint: 'pushedAuthorization', proof: mine.proof(now, { url: 'https://as.example/par' }) },
      { ...none, jkt: mine.jkt },
    ],
  ] as const) {
    const proven = prove(scene).ask()
    assert.deepEqual(proven.kind === 'ok' && proven.value.possession, possession)
  }
})

test('RFC 8705 §3: a certificate that is none any more stops a client whose tokens are bound to it, and counts for nothing to others', () => {
  const odd: readonly (readonly [reason: string, scene: Scene])[] = [
    ['client_certificate_unreadable', { certificate: Uint8Array.of(1, 2, 3) }],
    ['certificate_not_yet_valid', { certificate: der, at: facts.notBefore - 1 }],
    ['certificate_expired', { certificate: der, at: facts.notAfter + 1000 }],
  ]
  for (const [reason, scene] of odd) {
    const bound = prove({ ...scene, metadata: { tls_client_certificate_bound_access_tokens: true } })
    assert.deepEqual([bound.ask(), bound.recorded], [err({ reason }), [refused(reason)]])
    for (const metadata of [{}, { tls_client_certificate_bound_access_tokens: false }]) {
      const { ask, recorded } = prove({ ...scene, metadata })
      assert.deepEqual([ask(), recorded], [ok({ possession: none, proof: null }), []], reason)
    }
  }
})

test('what every token of a client is bound to must be shown at the token endpoint', () => {
  for (const metadata of [{ dpop_bound_access_tokens: true }, { tls_client_certificate_bound_access_tokens: true }]) {
    assert.equal(prove({ metadata }).ask().kind, 'error', JSON.stringify(metadata))
    assert.equal(prove({ metadata, endpoint: 'pushedAuthorization' }).ask().kind, 'ok')
    assert.equal(prove({ metadata, proof: mine.proof(now), certificate: der }).ask().kind, 'ok')
  }
})
