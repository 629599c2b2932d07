/** DPoP at the token endpoint (RFC 9449): what is bound, and what whoever lacks the key can do with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority, EndpointRequest } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { decodeJwt } from 'jose'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  machine,
  openDeployment,
  root,
  unproven,
} from '../support/deployment.ts'
import { KeyHolder, tokenUrl } from '../support/dpop-client.ts'
import { parameters } from '../support/signing-client.ts'
import { authorizeQuery, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const scope = 'openid offline_access invoices:read'

const web = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
  scope,
}
const objects: JsonObject = {
  ...declaration,
  clients: [
    ...declaration.clients,
    { ...machine('web', scope), ...web },
    { client_id: 'app', token_endpoint_auth_method: 'none', ...web },
    { ...machine('strict', 'invoices:read'), dpop_bound_access_tokens: true },
    { client_id: 'stick', token_endpoint_auth_method: 'none', grant_types: [deviceGrant, 'refresh_token'], scope },
    {
      ...machine('backend', ''),
      grant_types: ['client_credentials', exchangeGrant],
      exchange: [{ audience: api, as: 'delegate' }],
    },
  ],
  users: [{ username: 'alice', password: 'correct-horse' }],
}

async function opened(database: 'sqlite' | 'postgres' = 'sqlite'): Promise<Deployment> {
  const it = await openDeployment(database)
  await declare(it, { ...objects, tenants: [{ id: 'acme', name: 'Acme', ...objects }] })
  return it
}

interface By {
  readonly as?: string
  readonly proof?: string | null
  readonly tenant?: TenantId
  readonly at?: Authority
}

const publicClients = new Set(['app', 'stick'])

function request(body: string, { as = 'svc', proof = null, tenant = root }: By): EndpointRequest {
  const asked = asking(body, { as, tenant })
  if (!publicClients.has(as)) return { ...asked, proof }
  return { ...asked, ...unproven, form: formOf(new URLSearchParams(`${body}&client_id=${as}`)), proof }
}

async function ask(it: Deployment, body: string, by: By = {}): Promise<JsonObject> {
  const answer = await (by.at ?? it.authority).token(request(body, by))
  return answer.kind === 'ok' ? answer.value : { ...answer.error }
}

const credentials = 'grant_type=client_credentials&scope=invoices:read'
const tokenIn = (answer: JsonObject): string => answer['access_token'] as string
const refreshIn = (answer: JsonObject): string => answer['refresh_token'] as string
const jktIn = (answer: JsonObject): unknown =>
  (decodeJwt(tokenIn(answer))['cnf'] as { readonly jkt?: string } | undefined)?.jkt

const codeFor = (it: Deployment, client_id: string, more: Record<string, string> = {}): Promise<string> =>
  new PersonAtBrowser(it.authority).code(authorizeQuery({ client_id, scope, ...more }))

for (const database of databases) {
  test(`RFC 9449 §5, §6: a proof binds the token to its key, and the token says so (${database})`, async () => {
    const it = await opened(database)
    const mine = new KeyHolder()
    const jwt = await ask(it, credentials, { proof: mine.proof(it.clock) })
    assert.equal(jwt['token_type'], 'DPoP')
    assert.equal(jktIn(jwt), mine.jkt)
    const opaque = await ask(it, 'grant_type=client_credentials&scope=files:read', { proof: mine.proof(it.clock) })
    for (const answer of [jwt, opaque]) {
      const said = await it.authority.introspect(asking(`token=${tokenIn(answer)}`))
      assert.ok(said.kind === 'ok' && said.value['active'] === true)
      assert.deepEqual([said.value['token_type'], said.value['cnf']], ['DPoP', { jkt: mine.jkt }])
    }
    const plain = await ask(it, credentials)
    assert.equal(plain['token_type'], 'Bearer')
    assert.equal(jktIn(plain), undefined)
    assert.equal((await ask(it, credentials, { as: 'strict' }))['reason'], 'proof_missing')
    assert.equal((await ask(it, credentials, { as: 'strict', proof: mine.proof(it.clock) }))['token_type'], 'DPoP')
  })

  test(`RFC 9449 §11.1: a proof is used once, at all nodes together, and a race has one winner (${database})`, async () => {
    const it = await opened(database)
    const other = it.node()
    const mine = new KeyHolder()
    const proof = mine.proof(it.clock)
    assert.equal((await ask(it, credentials, { proof }))['token_type'], 'DPoP')
    assert.equal((await ask(it, credentials, { proof }))['reason'], 'proof_replayed')
    assert.equal((await ask(it, credentials, { proof, at: other }))['reason'], 'proof_replayed')
    // A node that has just started knows no less.
    assert.equal((await ask(it, credentials, { proof, at: it.node() }))['reason'], 'proof_replayed')
    const raced = mine.proof(it.clock)
    const racers = Array.from({ length: 20 }, (_, n) =>
      ask(it, credentials, { proof: raced, at: n % 2 === 0 ? it.authority : other }),
    )
    const answers = await Promise.all(racers)
    assert.equal(answers.filter((answer) => answer['token_type'] === 'DPoP').length, 1)
    assert.equal(answers.filter((answer) => answer['reason'] === 'proof_replayed').length, 19)
  })

  test(`RFC 9449 §11.1: whoever repeats a whole request uses nothing up and ends nothing (${database})`, async () => {
    const it = await opened(database)
    const mine = new KeyHolder()
    const proof = mine.proof(it.clock)
    const code = await codeFor(it, 'app')
    const first = await ask(it, redemption(code), { as: 'app', proof })
    assert.equal((await ask(it, redemption(code), { as: 'app', proof }))['reason'], 'proof_replayed')
    assert.equal(await isActive(it.authority, tokenIn(first), { as: 'api' }), true)
    const used = mine.proof(it.clock)
    const second = await ask(it, refreshing(refreshIn(first)), { as: 'app', proof: used })
    assert.equal((await ask(it, refreshing(refreshIn(first)), { as: 'app', proof: used }))['reason'], 'proof_replayed')
    const third = await ask(it, refreshing(refreshIn(second)), { as: 'app', proof: mine.proof(it.clock) })
    assert.equal(jktIn(third), mine.jkt)
    // RFC 6749 §4.1.2: with a proof of its own it is the client's own second use, and that ends the grant.
    const again = await ask(it, redemption(code), { as: 'app', proof: mine.proof(it.clock) })
    assert.equal(again['reason'], 'code_replayed')
    assert.equal(await isActive(it.authority, tokenIn(third), { as: 'api' }), false)
  })

  test(`RFC 9449 §5: a public client's refresh token is of no use without its key, however it is tried (${database})`, async () => {
    const it = await opened(database)
    const mine = new KeyHolder()
    const thief = new KeyHolder()
    const first = await ask(it, redemption(await codeFor(it, 'app')), { as: 'app', proof: mine.proof(it.clock) })
    const stolen = refreshing(refreshIn(first))
    assert.equal((await ask(it, stolen, { as: 'app' }))['reason'], 'proof_missing')
    assert.equal((await ask(it, stolen, { as: 'app', proof: thief.proof(it.clock) }))['reason'], 'grant_of_another_key')
    const next = await ask(it, stolen, { as: 'app', proof: mine.proof(it.clock) })
    assert.deepEqual([next['token_type'], jktIn(next)], ['DPoP', mine.jkt])
    // Spent by now, and outside the window of a retry: who cannot prove the key cannot end the grant by it either.
    it.clock += 120_000
    assert.equal((await ask(it, stolen, { as: 'app', proof: thief.proof(it.clock) }))['reason'], 'grant_of_another_key')
    assert.equal((await ask(it, stolen, { as: 'app' }))['reason'], 'proof_missing')
    const on = await ask(it, refreshing(refreshIn(next)), { as: 'app', proof: mine.proof(it.clock), at: it.node() })
    assert.equal(jktIn(on), mine.jkt)
    // RFC 7009 §2.1: whoever has the token may say that it is to end, and does its owner a service.
    const revoked = await it.authority.revoke(request(`token=${refreshIn(on)}`, { as: 'app' }))
    assert.equal(revoked.kind, 'ok')
    const after = await ask(it, refreshing(refreshIn(on)), { as: 'app', proof: mine.proof(it.clock) })
    assert.equal(after['error'] ?? after['reason'], 'grant_ended')
  })

  test(`RFC 9449 §5: a public client may begin to prove a key later, and keeps to it then (${database})`, async () => {
    const it = await opened(database)
    const mine = new KeyHolder()
    const plain = await ask(it, redemption(await codeFor(it, 'app')), { as: 'app' })
    assert.equal(plain['token_type'], 'Bearer')
    const bound = await ask(it, refreshing(refreshIn(plain)), { as: 'app', proof: mine.proof(it.clock) })
    assert.equal(jktIn(bound), mine.jkt)
    // The answer was lost: the same again, with the key, gets the same successor.
    const retried = await ask(it, refreshing(refreshIn(plain)), { as: 'app', proof: mine.proof(it.clock) })
    assert.equal(refreshIn(retried), refreshIn(bound))
    assert.equal((await ask(it, refreshing(refreshIn(bound)), { as: 'app' }))['reason'], 'proof_missing')
  })

  test(`RFC 9700 §4.14.2: a thief who binds a stolen refresh token to a key of their own is found out as any other (${database})`, async () => {
    const it = await opened(database)
    const thief = new KeyHolder()
    const keyed = () => ({ as: 'app', proof: thief.proof(it.clock) })
    const stranger = () => ({ as: 'app', proof: new KeyHolder().proof(it.clock) })
    const fresh = async () => refreshing(refreshIn(await ask(it, redemption(await codeFor(it, 'app')), { as: 'app' })))
    for (const [later, owner] of [
      [0, () => ({ as: 'app' })],
      [120_000, () => ({ as: 'app' })],
      [0, stranger],
      [120_000, stranger],
    ] as const) {
      const stolen = await fresh()
      const taken = await ask(it, stolen, keyed())
      assert.equal(jktIn(taken), thief.jkt)
      it.clock += later
      assert.equal((await ask(it, stolen, owner()))['reason'], 'refresh_replayed')
      assert.equal((await ask(it, refreshing(refreshIn(taken)), keyed()))['reason'], 'grant_ended')
      assert.equal(await isActive(it.authority, tokenIn(taken), { as: 'api' }), false)
    }
    // The owner was first. With another key it is no retry, and binds nothing.
    const stolen = await fresh()
    const own = await ask(it, stolen, { as: 'app' })
    assert.equal((await ask(it, stolen, keyed()))['reason'], 'refresh_replayed')
    assert.equal((await ask(it, refreshing(refreshIn(own)), { as: 'app' }))['reason'], 'grant_ended')
  })

  test(`RFC 9449 §5: a client that authenticates may come with a new key, or with none (${database})`, async () => {
    const it = await opened(database)
    const [mine, newer] = [new KeyHolder(), new KeyHolder()]
    const first = await ask(it, redemption(await codeFor(it, 'web')), { as: 'web', proof: mine.proof(it.clock) })
    const second = await ask(it, refreshing(refreshIn(first)), { as: 'web', proof: newer.proof(it.clock) })
    assert.deepEqual([jktIn(first), jktIn(second)], [mine.jkt, newer.jkt])
    assert.equal((await ask(it, refreshing(refreshIn(second)), { as: 'web' }))['token_type'], 'Bearer')
  })

  test(`RFC 9449 §10: a code is bound to dpop_jkt, and a wrong key does not burn it (${database})`, async () => {
    const it = await opened(database)
    const [mine, thief] = [new KeyHolder(), new KeyHolder()]
    for (const as of ['web', 'app']) {
      const body = redemption(await codeFor(it, as, { dpop_jkt: mine.jkt }))
      assert.equal((await ask(it, body, { as }))['reason'], 'proof_missing')
      assert.equal((await ask(it, body, { as, proof: thief.proof(it.clock) }))['reason'], 'grant_of_another_key')
      const wrong = body.replace('code_verifier=v', 'code_verifier=w')
      for (let tries = 0; tries < 6; tries++)
        assert.equal((await ask(it, wrong, { as, proof: thief.proof(it.clock) }))['reason'], 'grant_of_another_key')
      assert.equal(jktIn(await ask(it, body, { as, proof: mine.proof(it.clock) })), mine.jkt)
    }
  })

  test(`RFC 9449 §10.1: a proof with a pushed request binds its code, and is used once (${database})`, async () => {
    const it = await opened(database)
    const [mine, thief] = [new KeyHolder(), new KeyHolder()]
    const url = 'https://as.example/par'
    const push = async (proof: string | null, more: Record<string, string> = {}): Promise<JsonObject> => {
      const form = new URLSearchParams(parameters({ client_id: 'web', scope, ...more }))
      const answer = await it.authority.pushedAuthorization(request(String(form), { as: 'web', proof }))
      return answer.kind === 'ok' ? answer.value : { ...answer.error }
    }
    const proof = mine.proof(it.clock, { url })
    const pushed = await push(proof)
    assert.equal((await push(proof))['reason'], 'proof_replayed')
    assert.equal((await push(mine.proof(it.clock)))['reason'], 'proof_invalid')
    const disagreeing = await push(mine.proof(it.clock, { url }), { dpop_jkt: thief.jkt })
    assert.equal(disagreeing['reason'], 'proof_of_another_key')
    const agreeing = await push(mine.proof(it.clock, { url }), { dpop_jkt: mine.jkt })
    for (const answer of [pushed, agreeing]) {
      const query = { client_id: 'web', request_uri: answer['request_uri'] as string }
      const code = await new PersonAtBrowser(it.authority).code(formOf(new URLSearchParams(query)))
      const body = redemption(code)
      assert.equal((await ask(it, body, { as: 'web' }))['reason'], 'proof_missing')
      const stolen = await ask(it, body, { as: 'web', proof: thief.proof(it.clock) })
      assert.equal(stolen['reason'], 'grant_of_another_key')
      assert.equal(jktIn(await ask(it, body, { as: 'web', proof: mine.proof(it.clock) })), mine.jkt)
    }
  })

  test(`RFC 8628, RFC 9449 §5: a device's tokens are bound by the request that fetches them (${database})`, async () => {
    const it = await opened(database)
    const [mine, thief] = [new KeyHolder(), new KeyHolder()]
    const asked = await it.authority.deviceAuthorization({
      ...request(new URLSearchParams({ scope }).toString(), { as: 'stick' }),
      userAgent: 'Stick',
    })
    assert.ok(asked.kind === 'ok', JSON.stringify(asked))
    const person = new PersonAtBrowser(it.authority)
    const entered = await it.authority.browser.enterUserCode(asked.value['user_code'] as string, person.visitor())
    assert.ok(entered.did === 'entered')
    person.keep(entered.cookies)
    person.interaction = entered.interaction
    await person.signIn()
    await person.allow()
    const poll = new URLSearchParams({ grant_type: deviceGrant, device_code: asked.value['device_code'] as string })
    const first = await ask(it, String(poll), { as: 'stick', proof: mine.proof(it.clock) })
    assert.equal(jktIn(first), mine.jkt, JSON.stringify(first))
    const stolen = { as: 'stick', proof: thief.proof(it.clock) }
    assert.equal((await ask(it, String(poll), stolen))['reason'], 'grant_of_another_key')
    assert.equal((await ask(it, refreshing(refreshIn(first)), { as: 'stick' }))['reason'], 'proof_missing')
    const next = await ask(it, refreshing(refreshIn(first)), { as: 'stick', proof: mine.proof(it.clock) })
    assert.equal(jktIn(next), mine.jkt)
  })

  test(`RFC 8693: what a bound token is exchanged for is bound to the key of whoever exchanges it (${database})`, async () => {
    const it = await opened(database)
    const [persons, backends] = [new KeyHolder(), new KeyHolder()]
    const held = await ask(it, redemption(await codeFor(it, 'app')), { as: 'app', proof: persons.proof(it.clock) })
    const body = new URLSearchParams({
      grant_type: exchangeGrant,
      subject_token: tokenIn(held),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }).toString()
    const mine = await ask(it, body, { as: 'backend', proof: backends.proof(it.clock) })
    assert.deepEqual([mine['token_type'], jktIn(mine)], ['DPoP', backends.jkt], JSON.stringify(mine))
    // What was bound is never exchanged for something that is not.
    assert.equal((await ask(it, body, { as: 'backend' }))['reason'], 'proof_missing')
    // The grant is still the person's app's, and bound to its key.
    assert.equal((await ask(it, refreshing(refreshIn(held)), { as: 'app' }))['reason'], 'proof_missing')
  })

  test(`RFC 9449 §8: where a nonce is asked for, nothing is used up before a proof carries one (${database})`, async () => {
    const it = await opened(database)
    const policy = { ...it.ports.policy, dpopNonce: 'required' as const }
    const [node, other] = [it.node({ policy }), it.node({ policy })]
    const mine = new KeyHolder()
    const body = redemption(await codeFor(it, 'app'))
    const bare = mine.proof(it.clock)
    const refused = await node.token(request(body, { as: 'app', proof: bare }))
    assert.ok(refused.kind === 'error' && refused.error.reason === 'proof_nonce_wanted', JSON.stringify(refused))
    const { nonce } = refused.error
    // Every other check comes first.
    const wrong = mine.proof(it.clock, { method: 'GET' })
    assert.equal((await ask(it, body, { as: 'app', proof: wrong, at: node }))['reason'], 'proof_invalid')
    const elsewhere = mine.proof(it.clock, { nonce, url: 'https://as.example/t/acme/token' })
    const acme = 'acme' as TenantId
    assert.equal(
      (await ask(it, credentials, { proof: elsewhere, tenant: acme, at: node }))['reason'],
      'proof_nonce_wanted',
    )
    // The nonce of one node is good at another, and at one that starts now; that of an older time is not.
    const answer = await other.token(request(body, { as: 'app', proof: mine.proof(it.clock, { nonce }) }))
    assert.ok(answer.kind === 'ok', JSON.stringify(answer))
    assert.equal(answer.dpopNonce, nonce)
    it.clock += 900_000
    const late = { as: 'app', proof: mine.proof(it.clock, { nonce }), at: it.node({ policy }) }
    assert.equal((await ask(it, refreshing(refreshIn(answer.value)), late))['reason'], 'proof_nonce_wanted')
    // Who sends no proof is asked for no nonce.
    assert.equal((await ask(it, credentials, { at: node }))['token_type'], 'Bearer')
  })
}

test('RFC 9449 §4.3: a proof that is wrong in one thing is refused, and the code it came with is still good', async () => {
  const it = await opened()
  const mine = new KeyHolder()
  const now = it.clock
  const privateJwk = mine.key.export({ format: 'jwk' }) as JsonObject
  const wrong: readonly (readonly [string, string])[] = [
    ['malformed', ''],
    ['malformed', 'nonsense'],
    ['malformed', `${mine.proof(now)}, ${mine.proof(now)}`],
    ['malformed', mine.odd(now, { typ: 'JWT' })],
    ['malformed', mine.odd(now, { alg: 'none' })],
    ['malformed', mine.odd(now, { alg: 'HS256' })],
    ['malformed', mine.odd(now, {}, { jti: undefined })],
    ['malformed', mine.odd(now, {}, { jti: 'x'.repeat(257) })],
    ['malformed', mine.odd(now, {}, { iat: String(now / 1000) })],
    ['malformed', `${mine.proof(now)}${'x'.repeat(8192)}`],
    ['key', mine.odd(now, { jwk: undefined })],
    ['key', mine.odd(now, { jwk: privateJwk })],
    ['key', mine.odd(now, { jwk: { kty: 'oct', k: 'c2VjcmV0' } })],
    ['key', mine.odd(now, { alg: 'RS256' })],
    ['method', mine.odd(now, {}, { htm: 'GET' })],
    ['method', mine.odd(now, {}, { htm: 'post' })],
    ['address', mine.odd(now, {}, { htu: 'https://as.example/par' })],
    ['address', mine.odd(now, {}, { htu: 'https://as.example/t/acme/token' })],
    ['address', mine.odd(now, {}, { htu: 'http://as.example/token' })],
    ['address', mine.odd(now, {}, { htu: 'https://as.example.evil.example/token' })],
    ['address', mine.odd(now, {}, { htu: undefined })],
    ['age', mine.proof(now - 61_000)],
    ['age', mine.proof(now + 61_000)],
    ['signature', mine.odd(now, { jwk: new KeyHolder().jwk })],
    ['signature', `${mine.proof(now).slice(0, -4)}AAAA`],
  ]
  const body = redemption(await codeFor(it, 'web'))
  // More failures than are forgiven in a minute: the limits are not what is tried here.
  const at = it.node({ limits: { ...it.ports.limits, tokenFailures: null, tokenFailuresAddress: null } })
  for (const [fault, proof] of wrong) {
    const answer = await ask(it, body, { as: 'web', proof, at })
    assert.deepEqual([answer['reason'], answer['fault']], ['proof_invalid', fault], proof)
  }
  const spelled = mine.odd(now, {}, { htu: 'HTTPS://AS.EXAMPLE:443/t%6Fken?x=1#y' })
  assert.equal(jktIn(await ask(it, body, { as: 'web', proof: spelled })), mine.jkt)
})

test('RFC 9449 §5: invalid proofs count as failures of whoever sends them', async () => {
  const it = await opened()
  const mine = new KeyHolder()
  const reasons = new Set<unknown>()
  for (let n = 0; n < 70; n++)
    reasons.add((await ask(it, credentials, { proof: mine.odd(it.clock, { alg: 'none' }) }))['reason'])
  assert.deepEqual(reasons, new Set(['proof_invalid', 'limit_reached']))
})

test('the address of the token endpoint is the one that metadata names', async () => {
  const it = await opened()
  const described = await it.authority.metadata(root)
  assert.ok(described.kind === 'ok')
  assert.equal(described.value['token_endpoint'], tokenUrl)
  assert.deepEqual(
    (described.value['dpop_signing_alg_values_supported'] as string[]).filter((alg) => /none|^HS/.test(alg)),
    [],
  )
})
