/** A DPoP proof beside an assertion: one commit uses up both or neither, whatever grant it is for and at whatever node. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Authority, EndpointRequest } from '@grantor/authority'
import { assertionType } from '@grantor/protocol/client-auth'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { decodeJwt } from 'jose'
import {
  api,
  type Database,
  databases,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
  root,
  secret,
} from '../support/deployment.ts'
import { KeyHolder } from '../support/dpop-client.ts'
import { authorizeQuery, PersonAtBrowser, redirectUri, verifier } from '../support/person.ts'
import { parameters } from '../support/signing-client.ts'
import { signedToken, signingKey, workloadClaims } from '../support/trusted-issuer.ts'

const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const issuer = 'https://as.example'
const home = 'https://idp.acme.example'
const key = signingKey('own')
const others = signingKey('theirs')

const objects: JsonObject = {
  ...declaration,
  users: [{ username: 'alice', password: 'correct-horse', email: 'alice@acme.example', email_verified: true }],
  clients: [
    ...declaration.clients,
    {
      client_id: 'web',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      grant_types: ['client_credentials', 'authorization_code'],
      redirect_uris: [redirectUri],
      scope: 'openid profile offline_access invoices:read',
    },
    {
      client_id: 'strict',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'invoices:read',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      dpop_bound_access_tokens: true,
    },
    {
      client_id: 'job',
      redirect_uris: [],
      scope: 'invoices:read',
      grant_types: [bearerGrant],
      token_endpoint_auth_method: 'federated_jwt',
    },
    { ...machine('wiki', 'invoices:read'), grant_types: [bearerGrant] },
  ],
  trusted_issuers: [
    {
      issuer: home,
      jwks: { keys: [others.jwk] },
      rules: [{ claims: { sub: 'job' }, client: 'job' }],
      people: { email_domains: ['acme.example'] },
    },
  ],
}

async function open(database: Database): Promise<Deployment> {
  const it = await openDeployment(database)
  await declare(it, objects)
  return it
}

const bare = { tenant: root, authorization: null, clientCertificate: null, proof: null, ip: '192.0.2.7', traceId: null }

const assertionOf = (it: Deployment, as: string): string => {
  const at = Math.floor(it.clock / 1000)
  const claims = { iss: as, sub: as, aud: issuer, iat: at, exp: at + 60, jti: randomUUID() }
  return signedToken(claims, { by: key })
}

const asking = (form: Record<string, string>, more: Partial<EndpointRequest> = {}): EndpointRequest => ({
  ...bare,
  form: formOf(Object.entries(form)),
  ...more,
})

/** By a client that signs for itself. */
const asked = (as: string, assertion: string, form: Record<string, string> = {}): Record<string, string> => ({
  grant_type: 'client_credentials',
  scope: 'invoices:read',
  ...form,
  client_id: as,
  client_assertion: assertion,
  client_assertion_type: assertionType,
})

type Outcome = { readonly kind: 'ok' } | { readonly kind: 'error'; readonly error: { readonly reason: string } }
const told = (it: Outcome): string => (it.kind === 'ok' ? 'ok' : it.error.reason)
const counted = (them: readonly string[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(them, (it) => it)).map(([name, all]) => [name, all?.length]))

for (const database of databases) {
  test(`${database}: RFC 9449 §11.1: a proof that was used leaves a fresh client assertion good, at /token and at /par`, async () => {
    const it = await open(database)
    const holder = new KeyHolder()
    const pushed = { ...parameters(), grant_type: '' }
    for (const [endpoint, path, form] of [
      ['token', '/token', {}],
      ['pushedAuthorization', '/par', pushed],
    ] as const) {
      const proof = holder.proof(it.clock, { url: `${issuer}${path}` })
      const send = (assertion: string, by: string) =>
        it.authority[endpoint](asking(asked('web', assertion, form), { proof: by }))
      assert.equal(told(await send(assertionOf(it, 'web'), proof)), 'ok', endpoint)
      const fresh = assertionOf(it, 'web')
      assert.equal(told(await send(fresh, proof)), 'proof_replayed')
      assert.equal(told(await send(fresh, proof)), 'proof_replayed', 'and again, not as a used assertion')
      const next = holder.proof(it.clock, { url: `${issuer}${path}` })
      assert.equal(told(await send(fresh, next)), 'ok', 'the assertion was not used up')
      assert.equal(
        told(await send(fresh, holder.proof(it.clock, { url: `${issuer}${path}` }))),
        'client_unauthenticated',
      )
      assert.equal(told(await send(assertionOf(it, 'web'), next)), 'proof_replayed', 'the proof was used up with it')
    }
  })

  test(`${database}: RFC 9449 §8: no refusal of a proof uses up the assertion beside it`, async () => {
    const it = await open(database)
    const asks = it.node({ policy: { ...it.ports.policy, dpopNonce: 'required' } })
    const holder = new KeyHolder()
    const assertion = assertionOf(it, 'strict')
    const send = (proof: string | null) => asks.token(asking(asked('strict', assertion), { proof }))
    assert.equal(told(await send(null)), 'proof_missing')
    assert.equal(told(await send('x.y.z')), 'proof_invalid')
    assert.equal(told(await send(holder.proof(it.clock, { url: `${issuer}/par` }))), 'proof_invalid')
    const wanting = await send(holder.proof(it.clock))
    assert.ok(wanting.kind === 'error' && wanting.error.reason === 'proof_nonce_wanted', JSON.stringify(wanting))
    const { nonce } = wanting.error
    // Another node, opened since: nonces hang on the database alone.
    const restarted = it.node({ policy: { ...it.ports.policy, dpopNonce: 'required' } })
    const good = await restarted.token(asking(asked('strict', assertion), { proof: holder.proof(it.clock, { nonce }) }))
    assert.ok(good.kind === 'ok' && good.value['token_type'] === 'DPoP', JSON.stringify(good))
  })

  test(`${database}: RFC 9449 §10: a proof of another key than the code's uses up neither code nor assertion nor proof`, async () => {
    const it = await open(database)
    const [holder, thief] = [new KeyHolder(), new KeyHolder()]
    const code = await new PersonAtBrowser(it.authority).code(
      authorizeQuery({ scope: 'openid invoices:read', dpop_jkt: holder.jkt }),
    )
    const form = {
      grant_type: 'authorization_code',
      scope: '',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    const assertion = assertionOf(it, 'web')
    const send = async (proof: string | null, own = assertion) =>
      told(await it.authority.token(asking(asked('web', own, form), { proof })))
    const wrong = thief.proof(it.clock)
    assert.equal(await send(wrong), 'grant_of_another_key')
    assert.equal(await send(wrong), 'grant_of_another_key', 'neither the proof nor the assertion was used up')
    assert.equal(await send(null), 'proof_missing')
    assert.equal(await send(holder.proof(it.clock)), 'ok')
    assert.equal(await send(holder.proof(it.clock)), 'client_unauthenticated', 'now it was')
    // A code that is spent ends its grant, and that only by whoever has its key.
    assert.equal(await send(thief.proof(it.clock), assertionOf(it, 'web')), 'grant_of_another_key')
    assert.equal(await send(holder.proof(it.clock), assertionOf(it, 'web')), 'code_replayed')
  })

  test(`${database}: RFC 9449 §10.1: a push whose proof and dpop_jkt disagree uses up neither assertion nor proof`, async () => {
    const it = await open(database)
    const [holder, other] = [new KeyHolder(), new KeyHolder()]
    const assertion = assertionOf(it, 'web')
    const proof = holder.proof(it.clock, { url: `${issuer}/par` })
    const push = async (dpop_jkt: string) =>
      told(await it.authority.pushedAuthorization(asking(asked('web', assertion, parameters({ dpop_jkt })), { proof })))
    assert.equal(await push(other.jkt), 'proof_of_another_key')
    assert.equal(await push(other.jkt), 'proof_of_another_key')
    assert.equal(await push(holder.jkt), 'ok')
    assert.equal(await push(holder.jkt), 'client_unauthenticated')
    const fresh = assertionOf(it, 'web')
    const tried = new Set<string>()
    for (let n = 0; n < 70; n++) {
      const form = asked('web', fresh, parameters({ dpop_jkt: other.jkt }))
      const proof = holder.proof(it.clock, { url: `${issuer}/par` })
      tried.add(told(await it.authority.pushedAuthorization(asking(form, { proof }))))
    }
    assert.deepEqual(tried, new Set(['proof_of_another_key', 'limit_reached']), 'and is counted as failed proofs are')
  })

  test(`${database}: RFC 9449 §5: whoever tries keys at a grant is counted as whoever fails to prove`, async () => {
    const it = await open(database)
    const code = await new PersonAtBrowser(it.authority).code(
      authorizeQuery({ scope: 'openid invoices:read', dpop_jkt: new KeyHolder().jkt }),
    )
    const form = {
      grant_type: 'authorization_code',
      scope: '',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    const assertion = assertionOf(it, 'web')
    const thief = new KeyHolder()
    const tried = new Set<string>()
    for (let n = 0; n < 70; n++)
      tried.add(told(await it.authority.token(asking(asked('web', assertion, form), { proof: thief.proof(it.clock) }))))
    assert.deepEqual(tried, new Set(['grant_of_another_key', 'limit_reached']))
  })

  test(`${database}: RFC 9449 §11.1: of many at two nodes with one proof one wins, and no other loses its assertion; and the other way round`, async () => {
    const it = await open(database)
    const nodes: readonly Authority[] = [it.authority, it.node()]
    const holder = new KeyHolder()
    const at = (n: number): Authority => nodes[n % nodes.length] as Authority
    const several = Array.from({ length: 12 }, (_, n) => n)
    const proof = holder.proof(it.clock)
    const assertions = several.map(() => assertionOf(it, 'web'))
    const byProof = await Promise.all(
      assertions.map(async (assertion, n) => told(await at(n).token(asking(asked('web', assertion), { proof })))),
    )
    assert.deepEqual(counted(byProof), { ok: 1, proof_replayed: 11 })
    const again = await Promise.all(
      assertions.map(async (assertion, n) =>
        told(await at(n + 1).token(asking(asked('web', assertion), { proof: holder.proof(it.clock) }))),
      ),
    )
    assert.deepEqual(counted(again), { ok: 11, client_unauthenticated: 1 })
    assert.equal(again[byProof.indexOf('ok')], 'client_unauthenticated')

    const one = assertionOf(it, 'web')
    const proofs = several.map(() => holder.proof(it.clock))
    const byAssertion = await Promise.all(
      proofs.map(async (own, n) => told(await at(n).token(asking(asked('web', one), { proof: own })))),
    )
    assert.deepEqual(counted(byAssertion), { ok: 1, client_unauthenticated: 11 })
    const unused = await Promise.all(
      proofs.map(async (own, n) =>
        told(await at(n).token(asking(asked('web', assertionOf(it, 'web')), { proof: own }))),
      ),
    )
    assert.deepEqual(counted(unused), { ok: 11, proof_replayed: 1 })
  })

  const grants: readonly (readonly [string, (it: Deployment) => Record<string, string>, Partial<EndpointRequest>])[] = [
    [
      'RFC 7523 §2.1: the jwt-bearer grant of a workload',
      (it) => ({
        assertion: signedToken(workloadClaims(it.clock, { iss: home, aud: issuer, sub: 'job' }), { by: others }),
      }),
      {},
    ],
    [
      'draft-ietf-oauth-identity-assertion-authz-grant §4.4: an identity assertion grant',
      (it) => {
        const about = { iss: home, aud: issuer, sub: 'u1', client_id: 'wiki', scope: 'invoices:read', resource: api }
        const claims = workloadClaims(it.clock, { ...about, email: 'alice@acme.example', email_verified: true })
        return { assertion: signedToken(claims, { by: others, header: { typ: 'oauth-id-jag+jwt' } }) }
      },
      { authorization: `Basic ${Buffer.from(`wiki:${secret}`).toString('base64')}` },
    ],
  ]
  for (const [what, made, by] of grants)
    test(`${database}: ${what} gives a token bound to the key of the proof; a used proof leaves the assertion good`, async () => {
      const it = await open(database)
      const holder = new KeyHolder()
      const proof = holder.proof(it.clock)
      const send = (form: Record<string, string>, own: string, node = it.authority) =>
        node.token(asking({ grant_type: bearerGrant, scope: 'invoices:read', ...form }, { ...by, proof: own }))
      const bound = await send(made(it), proof)
      assert.ok(bound.kind === 'ok', JSON.stringify(bound))
      assert.equal(bound.value['token_type'], 'DPoP')
      assert.deepEqual(decodeJwt(bound.value['access_token'] as string)['cnf'], { jkt: holder.jkt })
      const fresh = made(it)
      assert.equal(told(await send(fresh, proof)), 'proof_replayed')
      assert.equal(told(await send(fresh, holder.odd(it.clock, { alg: 'none' }))), 'proof_invalid')
      const other = it.node()
      const assertions = Array.from({ length: 6 }, () => made(it))
      const next = holder.proof(it.clock)
      const raced = await Promise.all(
        assertions.map(async (form, n) => told(await send(form, next, n % 2 === 0 ? other : it.authority))),
      )
      assert.deepEqual(counted(raced), { ok: 1, proof_replayed: 5 })
      for (const [n, form] of assertions.entries())
        assert.equal(told(await send(form, holder.proof(it.clock))), raced[n] === 'ok' ? 'assertion_used' : 'ok')
      assert.equal(told(await send(fresh, holder.proof(it.clock))), 'ok')
    })
}
