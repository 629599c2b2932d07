/** Clients that sign: private_key_jwt at every endpoint, with keys they registered or publish, and each proof good once. */
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { test } from 'node:test'
import type { FetchRequest, EndpointRequest, Outbound } from '@grantor/authority'
import { assertionType } from '@grantor/protocol/client-auth'
import { formOf } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import {
  databases,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
  root,
} from '../support/deployment.ts'

const issuer = 'https://as.example'
const keysUrl = 'https://app.example.com/jwks.json'

interface Signing {
  readonly alg: string
  readonly kid: string
  readonly key: KeyObject
  readonly jwk: JsonObject
}

function pair(kid: string): Signing {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { alg: 'ES256', kid, key: privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid } }
}

const first = pair('k1')
const second = pair('k2')
const forged = pair('k1')

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(deployment: Deployment, by: Signing, more: JsonObject = {}): string {
  const at = Math.floor(deployment.clock / 1000)
  const claims = { iss: 'signer', sub: 'signer', aud: issuer, iat: at, exp: at + 60, jti: randomUUID(), ...more }
  const input = `${encoded({ alg: by.alg, kid: by.kid })}.${encoded(claims)}`
  const key = createPrivateKey(by.key.export({ type: 'pkcs8', format: 'pem' }))
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function asking(body: string, assertion: string, tenant: TenantId = root): EndpointRequest {
  const credentials = new URLSearchParams({ client_assertion: assertion, client_assertion_type: assertionType })
  return {
    tenant,
    form: formOf(new URLSearchParams(`${body}&${credentials.toString()}`)),
    authorization: null,
    clientCertificate: null,
    proof: null,
    ip: '192.0.2.7',
    traceId: null,
  }
}

const wanting = 'grant_type=client_credentials&scope=invoices%3Aread'

const signer = (keys: JsonObject): JsonObject => {
  const { client_secret: _, ...rest } = machine('signer', 'invoices:read')
  return { ...rest, token_endpoint_auth_method: 'private_key_jwt', ...keys }
}

const withSigner = (deployment: Deployment, keys: JsonObject) =>
  declare(deployment, { ...declaration, clients: [...declaration.clients, signer(keys)] })

const registered = { jwks: { keys: [first.jwk] } }
const refused = { ok: false, reason: 'client_unauthenticated' }

async function answered(deployment: Pick<Deployment, 'authority'>, request: EndpointRequest) {
  const answer = await deployment.authority.token(request)
  return answer.kind === 'ok' ? { ok: true } : { ok: false, reason: answer.error.reason }
}

/** A key set at an address, counted, that can be changed or taken away. */
class Published implements Outbound {
  keys: readonly JsonObject[] | null = [first.jwk]
  readonly asks: FetchRequest[] = []
  #body: Uint8Array | null = null
  #held: readonly JsonObject[] | null = null

  fetch(ask: FetchRequest): ReturnType<Outbound['fetch']> {
    this.asks.push(ask)
    // As the real one: an answer from memory unless a newer one is wanted.
    if (this.#body === null || ask.noOlderThan !== undefined) {
      if (this.keys === null && this.#body === null) return Promise.resolve(err('unreachable'))
      if (this.keys !== null && this.keys !== this.#held) {
        this.#held = this.keys
        this.#body = Buffer.from(JSON.stringify({ keys: this.keys }))
      }
    }
    const body = this.#body ?? Buffer.from('')
    return Promise.resolve(ok({ type: 'application/json', body, fetchedAt: 0, maxAge: 3600 }))
  }

  submit(): ReturnType<Outbound['submit']> {
    throw new Error('nothing is submitted')
  }

  deliver(): ReturnType<Outbound['deliver']> {
    return Promise.resolve(err('unreachable'))
  }

  post(): ReturnType<Outbound['post']> {
    return Promise.resolve(err('unreachable'))
  }

  notify(): ReturnType<Outbound['notify']> {
    return Promise.resolve(err('unreachable'))
  }
}

for (const database of databases) {
  test(`RFC 7523 §2.2: a client that signs gets tokens, revokes and introspects (${database})`, async () => {
    const deployment = await openDeployment(database)
    await withSigner(deployment, registered)
    const answer = await deployment.authority.token(asking(wanting, signed(deployment, first)))
    assert.ok(answer.kind === 'ok')
    const token = answer.value['access_token'] as string
    const seen = await deployment.authority.introspect(asking(`token=${token}`, signed(deployment, first)))
    assert.deepEqual([seen.kind === 'ok', seen.kind === 'ok' && seen.value['active']], [true, true])
    assert.ok((await deployment.authority.revoke(asking(`token=${token}`, signed(deployment, first)))).kind === 'ok')
    const gone = await deployment.authority.introspect(asking(`token=${token}`, signed(deployment, first)))
    assert.deepEqual([gone.kind === 'ok', gone.kind === 'ok' && gone.value['active']], [true, false])
  })

  test(`RFC 7523 §3: of 50 uses of one assertion at once one counts, on every node together (${database})`, async () => {
    const deployment = await openDeployment(database)
    await withSigner(deployment, registered)
    const nodes = [deployment.authority, deployment.node()]
    const assertion = signed(deployment, first)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        answered({ authority: nodes[n % 2] ?? deployment.authority }, asking(wanting, assertion)),
      ),
    )
    assert.equal(answers.filter(({ ok }) => ok).length, 1)
    assert.deepEqual(await answered(deployment, asking(wanting, assertion)), refused)
  })
}

test('RFC 7523 §3: an assertion used at one endpoint is used at all, and its identifier is free in another tenant', async () => {
  const deployment = await openDeployment()
  const clients = [...declaration.clients, signer(registered)]
  await declare(deployment, { ...declaration, clients, tenants: [{ id: 'acme', ...declaration, clients }] })
  const jti = randomUUID()
  const here = signed(deployment, first, { jti })
  assert.ok((await deployment.authority.introspect(asking('token=x', here))).kind === 'ok')
  assert.deepEqual(await answered(deployment, asking(wanting, here)), refused)
  // Made for one tenant it is worth nothing in another: the audience is the issuer of one alone.
  assert.deepEqual(await answered(deployment, asking(wanting, signed(deployment, first), 'acme' as TenantId)), refused)
  const there = signed(deployment, first, { jti, aud: `${issuer}/t/acme` })
  assert.deepEqual(await answered(deployment, asking(wanting, there, 'acme' as TenantId)), { ok: true })
})

test('RFC 8628 §3.1: a device that signs asks for its code so, and each request needs an assertion of its own', async () => {
  const deployment = await openDeployment()
  const grants = ['urn:ietf:params:oauth:grant-type:device_code']
  const tv = { ...signer(registered), grant_types: grants }
  await declare(deployment, { ...declaration, clients: [...declaration.clients, tv] })
  const assertion = signed(deployment, first)
  const ask = () =>
    deployment.authority.deviceAuthorization({ ...asking('scope=invoices%3Aread', assertion), userAgent: null })
  assert.ok((await ask()).kind === 'ok')
  const again = await ask()
  assert.equal(again.kind === 'ok' ? null : again.error.reason, 'client_unauthenticated')
})

test('a request that is decided anew uses its assertion once, and one that fails afterwards has used it too', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, registered)
  assert.ok((await answered(deployment, asking(wanting, signed(deployment, first)))).ok)
  // Another node changes the client behind our back: the first attempt is stale, the second is not a replay.
  await deployment
    .node()
    .admin.declared.apply(
      { kind: 'operator', id: 'x' },
      { ...declaration, clients: [...declaration.clients, { ...signer(registered), client_name: 'Renamed' }] },
    )
  assert.deepEqual(await answered(deployment, asking(wanting, signed(deployment, first))), { ok: true })
  const spent = signed(deployment, first)
  assert.equal((await answered(deployment, asking('grant_type=nonsense', spent))).reason, 'grant_type_unknown')
  assert.deepEqual(await answered(deployment, asking(wanting, spent)), refused)
})

test('a client that is remembered proves itself without a read; a refusal is never given on memory alone', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, registered)
  const { store } = deployment.ports
  let reads = 0
  const find: typeof store.clients.find = (...which) => {
    reads += 1
    return store.clients.find(...which)
  }
  const authority = deployment.node({ store: { ...store, clients: { ...store.clients, find } } })
  const readsFor = async (by: Signing) => {
    const before = reads
    const { ok } = await answered({ authority }, asking(wanting, signed(deployment, by)))
    return { ok, reads: reads - before }
  }
  assert.ok((await readsFor(first)).ok)
  assert.deepEqual(await readsFor(first), { ok: true, reads: 0 })
  assert.deepEqual(await readsFor(forged), { ok: false, reads: 1 })
})

test('nor is one that signs refused on memory alone for a key that it need not prove any more', async () => {
  const deployment = await openDeployment()
  const keys = { jwks: { keys: [first.jwk] } }
  await withSigner(deployment, { ...keys, dpop_bound_access_tokens: true })
  const { store } = deployment.ports
  const deaf = deployment.node({ store: { ...store, directory: { ...store.directory, watch: () => () => {} } } })
  const answer = async () => {
    const told = await deaf.token(asking(wanting, signed(deployment, first)))
    return told.kind === 'error' ? told.error.reason : told.kind
  }
  assert.equal(await answer(), 'proof_missing')
  await withSigner(deployment, { ...keys, dpop_bound_access_tokens: false })
  assert.equal(await answer(), 'ok')
})

test('a forged, foreign or misdirected assertion is refused without being used', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, registered)
  const jti = randomUUID()
  for (const more of [
    { aud: `${issuer}/token` },
    { iss: 'svc' },
    { sub: 'svc', iss: 'svc' },
    { sub: 'nobody', iss: 'nobody' },
  ]) {
    assert.deepEqual(await answered(deployment, asking(wanting, signed(deployment, first, { ...more, jti }))), refused)
  }
  assert.deepEqual(await answered(deployment, asking(wanting, signed(deployment, forged, { jti }))), refused)
  assert.deepEqual(await answered(deployment, asking(wanting, signed(deployment, first, { jti }))), { ok: true })
})

test('assertion_audience: endpoints lets older clients name an endpoint of this issuer', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, registered)
  const lenient = {
    authority: deployment.node({ policy: { ...deployment.ports.policy, assertionAudience: 'endpoints' } }),
  }
  for (const aud of [`${issuer}/token`, [issuer, `${issuer}/introspect`]]) {
    assert.deepEqual(await answered(lenient, asking(wanting, signed(deployment, first, { aud }))), { ok: true })
  }
  const foreign = signed(deployment, first, { aud: 'https://as.evil/token' })
  assert.deepEqual(await answered(lenient, asking(wanting, foreign)), refused)
})

test('RFC 7519 §4: an assertion that says something twice, or has a text for its identifier, is refused', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, registered)
  const long = signed(deployment, first, { jti: 'x'.repeat(257) })
  assert.deepEqual(await answered(deployment, asking(wanting, long)), refused)
  const most = signed(deployment, first, { jti: 'x'.repeat(256) })
  assert.deepEqual(await answered(deployment, asking(wanting, most)), { ok: true })
  const [header = '', claims = ''] = signed(deployment, first).split('.')
  const plain = Buffer.from(claims, 'base64url').toString()
  const twice = Buffer.from(plain.replace('{', '{"aud":"https://evil.example",')).toString('base64url')
  const input = `${header}.${twice}`
  const signature = sign('sha256', Buffer.from(input), { key: first.key, dsaEncoding: 'ieee-p1363' })
  const forged = `${input}.${signature.toString('base64url')}`
  assert.deepEqual(await answered(deployment, asking(wanting, forged)), refused)
})

test('RFC 7517 §4.5: of published keys none counts whose kid is another key too, nor a set that says something twice', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, { jwks_uri: keysUrl })
  const published = new Published()
  const authority = deployment.node({ outbound: published })
  published.keys = [first.jwk, { ...pair('other').jwk, kid: first.kid }]
  assert.deepEqual(await answered({ authority }, asking(wanting, signed(deployment, first))), refused)
  published.keys = [first.jwk]
  assert.deepEqual(await answered({ authority }, asking(wanting, signed(deployment, first))), { ok: true })
})

test('keys at jwks_uri: fetched, kept, looked for anew when a key id is unknown, and gone when they are gone', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, { jwks_uri: keysUrl })
  const outbound = new Published()
  const at = { authority: deployment.node({ outbound }) }
  assert.deepEqual(await answered(at, asking(wanting, signed(deployment, first))), { ok: true })
  const asked = { url: keysUrl, types: ['application/json', 'application/jwk-set+json'], maxBytes: 65_536 }
  assert.partialDeepStrictEqual(outbound.asks.at(0), asked)
  assert.ok(outbound.asks.every((ask) => ask.noOlderThan === undefined))
  // A new key signs before we have seen it.
  outbound.keys = [first.jwk, second.jwk]
  assert.deepEqual(await answered(at, asking(wanting, signed(deployment, second))), { ok: true })
  assert.equal(outbound.asks.at(-1)?.noOlderThan, 10)
  // A wrong signature under a known key id is a forgery, not a new key.
  const before = outbound.asks.filter((ask) => ask.noOlderThan !== undefined).length
  assert.deepEqual(await answered(at, asking(wanting, signed(deployment, forged))), refused)
  assert.equal(outbound.asks.filter((ask) => ask.noOlderThan !== undefined).length, before)
  outbound.keys = [second.jwk]
  assert.deepEqual(await answered(at, asking(wanting, signed(deployment, pair('k3')))), refused)
  assert.deepEqual(
    await answered(at, asking(wanting, signed(deployment, first))),
    refused,
    'a withdrawn key is withdrawn',
  )
})

test('keys that cannot be had or read authenticate nobody', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, { jwks_uri: keysUrl })
  for (const body of ['', '[]', '{"keys":7}', '{"keys":[{"kty":"oct","k":"AAAA"},null,7]}', '\u0000']) {
    const outbound = new Published()
    outbound.fetch = () =>
      Promise.resolve(ok({ type: 'application/json', body: Buffer.from(body), fetchedAt: 0, maxAge: 60 }))
    const at = { authority: deployment.node({ outbound }) }
    assert.deepEqual(await answered(at, asking(wanting, signed(deployment, first))), refused, body)
  }
  assert.deepEqual(await answered(deployment, asking(wanting, signed(deployment, first))), refused, 'unreachable')
})

test('failed assertions count as failures of their client and address', async () => {
  const deployment = await openDeployment()
  await withSigner(deployment, registered)
  const answers: string[] = []
  for (let n = 0; n < 61; n++) {
    const answer = await deployment.authority.token(asking(wanting, signed(deployment, forged)))
    answers.push(answer.kind === 'ok' ? 'ok' : answer.error.reason)
  }
  assert.deepEqual(new Set(answers.slice(0, 60)), new Set(['client_unauthenticated']))
  assert.equal(answers.at(-1), 'limit_reached')
})
