/** Pushed authorization requests: who may push and open them, that each is answered once, and what strangers try with them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeProof } from '@grantor/protocol/dpop'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import {
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  secret,
  openDeployment,
  unproven,
} from '../support/deployment.ts'
import {
  answerOf,
  authorizeQuery,
  declarePeople,
  PersonAtBrowser,
  redemption,
  redirectUri,
  type Shown,
} from '../support/person.ts'
import { parameters, push, pushing, reference, type SigningKey, signingKey } from '../support/signing-client.ts'

const openFor = async (database: (typeof databases)[number], more = {}): Promise<Deployment> => {
  const deployment = await openDeployment(database)
  await declarePeople(deployment, more)
  return deployment
}

const errorOf = (shown: Shown): string => (shown.go === 'error' ? shown.refusal.reason : shown.go)

const refusalOf = async (deployment: Deployment, request: Parameters<Deployment['authority']['token']>[0]) => {
  const answer = await deployment.authority.pushedAuthorization(request)
  return answer.kind === 'ok' ? 'pushed' : answer.error.reason
}

for (const database of databases) {
  describe(`pushed requests on ${database}`, async () => {
    const deployment = await openFor(database)
    const { authority } = deployment

    test('RFC 9126 §2.2: a push is answered with a reference that nobody can guess, good for a minute', async () => {
      const answer = await authority.pushedAuthorization(pushing(parameters()))
      assert.ok(answer.kind === 'ok')
      assert.match(answer.value['request_uri'] as string, /^urn:ietf:params:oauth:request_uri:gq_[\w-]{43}$/)
      assert.equal(answer.value['expires_in'], 60)
      assert.notEqual(await push(authority), await push(authority))
    })

    test('RFC 9126 §4: the reference leads to a code, redeemed as what was pushed; what stands beside it is ignored', async () => {
      const person = new PersonAtBrowser(authority)
      const beside = {
        scope: 'admin:clients:write',
        redirect_uri: 'https://evil.example/cb',
        state: 'evil',
        prompt: 'x',
      }
      assert.equal((await person.begin(reference(await push(authority), beside))).go, 'login')
      const consent = await person.signIn()
      assert.ok(consent.go === 'consent')
      assert.deepEqual([...consent.question.missing].toSorted(), [
        'invoices:read',
        'offline_access',
        'openid',
        'profile',
      ])
      const answer = answerOf(await person.allow())
      assert.equal(answer.get('state'), 'xyz')
      const redeemed = await authority.token(asking(redemption(answer.get('code') ?? ''), { as: 'web' }))
      assert.equal(redeemed.kind, 'ok')
    })

    test('RFC 9126 §4: until it is answered it may be opened again, by another browser too; then never', async () => {
      const uri = await push(authority, parameters({ prompt: 'consent' }))
      const [first, second] = [new PersonAtBrowser(authority), new PersonAtBrowser(authority)]
      assert.equal((await first.begin(reference(uri))).go, 'login')
      assert.equal((await first.begin(reference(uri))).go, 'login')
      assert.equal((await second.begin(reference(uri))).go, 'login')
      await first.signIn()
      assert.equal((await first.allow()).go, 'answer')
      assert.equal(errorOf(await first.begin(reference(uri))), 'request_uri_invalid')
      assert.equal(errorOf(await second.stand()), 'interaction_gone', 'what was begun with it is over as well')
    })

    test('RFC 9126 §7.3: a person who says no uses it up', async () => {
      const uri = await push(authority)
      const person = new PersonAtBrowser(authority)
      await person.begin(reference(uri))
      await person.signIn('bob', 'battery-staple')
      assert.equal(answerOf(await person.deny()).get('error'), 'access_denied')
      assert.equal(errorOf(await person.begin(reference(uri))), 'request_uri_invalid')
    })

    test('RFC 9126 §7.3: of many browsers that finish one at once, one gets a code', async () => {
      const uri = await push(authority, parameters({ scope: 'openid', prompt: 'consent' }))
      const nodes = [authority, deployment.node()]
      const people = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          const person = new PersonAtBrowser(nodes[i % 2] ?? authority)
          await person.begin(reference(uri))
          await person.signIn()
          return person
        }),
      )
      const outcomes = await Promise.all(
        people.map(async (person) => {
          const done = await person.allow().catch((cause: unknown) => ({ go: String(cause) }))
          return done.go
        }),
      )
      assert.equal(outcomes.filter((it) => it === 'answer').length, 1, outcomes.join())
    })

    test('OIDC Core §3.1.2.1: prompt=none is answered once, with a code or with why not', async () => {
      const person = new PersonAtBrowser(authority)
      const nobody = await push(authority, parameters({ prompt: 'none' }))
      assert.equal(answerOf(await person.begin(reference(nobody))).get('error'), 'login_required')
      assert.equal(errorOf(await person.begin(reference(nobody))), 'request_uri_invalid')
      await person.code()
      const silent = await push(authority, parameters({ prompt: 'none' }))
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => person.begin(reference(silent))))
      assert.equal(outcomes.filter((it) => it.go === 'answer' && answerOf(it).has('code')).length, 1)
      assert.equal(outcomes.filter((it) => it.go === 'answer').length, 1)
    })

    test('RFC 9126 §2.2: an expired one opens nothing; what was opened before goes on', async () => {
      const own = await openFor(database)
      const uri = await push(own.authority)
      const [early, late] = [new PersonAtBrowser(own.authority), new PersonAtBrowser(own.authority)]
      await early.begin(reference(uri))
      own.clock += 60_000
      assert.equal(errorOf(await late.begin(reference(uri))), 'request_uri_invalid')
      await early.signIn()
      assert.equal((await early.allow()).go, 'answer')
    })

    test('what was pushed outlives a node, and any other node opens it', async () => {
      const uri = await push(deployment.node())
      const person = new PersonAtBrowser(deployment.node())
      assert.equal((await person.begin(reference(uri))).go, 'login')
    })

    test('RFC 9126 §4: somebody else’s, guessed and foreign references open nothing and look the same', async () => {
      const person = new PersonAtBrowser(authority)
      const uri = await push(authority)
      const another = { client_id: 'web2' }
      for (const form of [
        reference(uri, another),
        reference(`${uri}x`),
        reference(uri.toUpperCase()),
        reference(uri.slice(0, -1)),
        reference('urn:ietf:params:oauth:request_uri:'),
      ])
        assert.match(errorOf(await person.begin(form)), /^request_uri_(invalid|unregistered)$|^answer$/)
      assert.equal(errorOf(await person.begin(reference(uri, another))), 'request_uri_invalid')
      const acme = 'acme' as TenantId
      const objects = { ...declaration, clients: [{ ...webClient, client_id: 'web' }] }
      await declare(deployment, { tenants: [{ id: 'acme', ...objects }] })
      const elsewhere = await authority.browser.authorize(reference(uri), { ...person.visitor(), tenant: acme })
      assert.equal(elsewhere.kind === 'ok' ? elsewhere.value.go : elsewhere.error.reason, 'request_uri_invalid')
      assert.equal((await person.begin(reference(uri))).go, 'login', 'and nothing of it was used up')
      assert.equal(errorOf(await person.begin(formOf([['request_uri', uri]]))), 'parameter_missing')
    })

    test('RFC 9126 §2.1: only the client itself pushes, and every check is made at the push', async () => {
      const table: readonly (readonly [Record<string, string>, string])[] = [
        [{ redirect_uri: 'https://evil.example/cb' }, 'redirect_uri_unregistered'],
        [{ scope: 'admin:clients:write' }, 'scope_exceeds_client'],
        [{ response_type: 'token' }, 'response_type_unsupported'],
        [{ code_challenge_method: 'plain' }, 'challenge_method_unsupported'],
        [{ code_challenge: '', code_challenge_method: '' }, 'challenge_missing'],
        [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'request_uri_pushed'],
        [{ request_uri: 'https://client.example/request' }, 'request_uri_pushed'],
        [{ prompt: 'none login' }, 'prompt_contradictory'],
        [{ id_token_hint: 'nonsense' }, 'parameter_malformed'],
      ]
      for (const [more, reason] of table)
        assert.equal(await refusalOf(deployment, pushing(parameters(more))), reason, JSON.stringify(more))
      assert.equal(await refusalOf(deployment, pushing(parameters(), { secret: 'wrong' })), 'client_unauthenticated')
      assert.equal(
        await refusalOf(deployment, { ...pushing(parameters()), ...unproven }),
        'client_unauthenticated',
        'a confidential client proves itself',
      )
      assert.equal(await refusalOf(deployment, pushing(parameters({ client_id: 'web2' }))), 'client_auth_ambiguous')
    })

    test('RFC 9126 §2.1: without client_id in the body the one that authenticated is meant', async () => {
      const { client_id: _, ...rest } = parameters()
      assert.equal(await refusalOf(deployment, pushing(rest)), 'pushed')
    })

    test('a request that is too long for an address can be pushed; one that is too long for anybody cannot', async () => {
      const long = { state: noise(4096), nonce: noise(1024), login_hint: noise(1024), acr_values: noise(1024) }
      const claims = JSON.stringify({ id_token: Object.fromEntries(names(400).map((name) => [name, null])) })
      const person = new PersonAtBrowser(authority)
      const byBrowser = await person.begin(authorizeQuery({ ...long, claims }))
      assert.equal(answerOf(byBrowser).get('error'), 'invalid_request')
      await person.begin(reference(await push(authority, parameters({ ...long, claims }))))
      const shown = await person.signIn()
      const answer = shown.go === 'consent' ? await person.allow() : shown
      assert.equal(answerOf(answer).get('state'), long.state)
      const refused = await refusalOf(deployment, pushing(parameters({ state: 's'.repeat(5000) })))
      assert.equal(refused, 'parameter_malformed')
    })

    test('RFC 9126 §5: a client that must push cannot ask by the browser, and what it pushed is taken', async () => {
      const own = await openFor(database, { require_pushed_authorization_requests: true })
      const person = new PersonAtBrowser(own.authority)
      const refused = answerOf(await person.begin(authorizeQuery()))
      assert.deepEqual([refused.get('error'), refused.get('state')], ['invalid_request', 'xyz'])
      assert.equal((await person.begin(reference(await push(own.authority)))).go, 'login')
    })

    test('RFC 9126 §5: a tenant or a deployment can have all clients push, and a tenant can say otherwise', async () => {
      const own = await openDeployment(database)
      const say = (pushing: boolean) =>
        declare(own, {
          tenants: [
            {
              id: 'acme',
              require_pushed_authorization_requests: pushing,
              clients: [{ ...webClient, client_id: 'web' }],
            },
          ],
        })
      const acme = 'acme' as TenantId
      const form = authorizeQuery({ scope: 'openid', resource: '' })
      const outcome = async (authority = own.node()) => {
        const visitor = { ...new PersonAtBrowser(authority).visitor(), tenant: acme }
        const result = await authority.browser.authorize(form, visitor)
        const metadata = await authority.metadata(acme)
        const told = metadata.kind === 'ok' && metadata.value['require_pushed_authorization_requests']
        return [result.kind === 'ok' ? result.value.go : result.error.reason, told]
      }
      await say(true)
      assert.deepEqual(await outcome(), ['answer', true], 'it was refused to the client')
      const plan = await own.authority.admin.declared.export()
      assert.ok(
        plan.kind === 'ok' && JSON.stringify(plan.value).includes('"require_pushed_authorization_requests":true'),
      )
      await say(false)
      assert.deepEqual(await outcome(), ['hub', false])
      const everywhere = own.node({ policy: { ...own.ports.policy, requirePushed: true } })
      assert.deepEqual(await outcome(everywhere), ['hub', false], 'the tenant says otherwise')
      await declare(own, { clients: [{ ...webClient, client_id: 'web' }] })
      const atRoot = await new PersonAtBrowser(everywhere).begin(form)
      assert.equal(answerOf(atRoot).get('error'), 'invalid_request')
    })

    test('RFC 9449 §10.1: a proof at the push binds the code to its key, and is good once', async () => {
      const [key, other] = [signingKey('a'), signingKey('b')]
      const proof = (by: SigningKey, path: string) =>
        makeProof(by.key, { method: 'POST', url: `https://as.example${path}`, now: deployment.ports.clock.now() })
      const proven = { ...pushing(parameters()), proof: proof(key, '/par') }
      const answer = await authority.pushedAuthorization(proven)
      assert.ok(answer.kind === 'ok')
      assert.equal(await refusalOf(deployment, proven), 'proof_replayed')
      assert.equal(await refusalOf(deployment, { ...proven, proof: proof(key, '/token') }), 'proof_invalid')
      const named = pushing(parameters({ dpop_jkt: 'x'.repeat(43) }))
      assert.equal(await refusalOf(deployment, { ...named, proof: proof(key, '/par') }), 'proof_of_another_key')
      const code = await new PersonAtBrowser(authority).code(reference(answer.value['request_uri'] as string))
      const redeem = asking(redemption(code), { as: 'web' })
      const outcome = async (shown: string | null) => {
        const redeemed = await authority.token({ ...redeem, proof: shown })
        return redeemed.kind === 'ok' ? redeemed.value['token_type'] : redeemed.error.reason
      }
      assert.equal(await outcome(null), 'proof_missing')
      assert.equal(await outcome(proof(other, '/token')), 'grant_of_another_key')
      assert.equal(await outcome(proof(key, '/token')), 'DPoP')
    })

    test('a public client pushes, a limited number from one address', async () => {
      const own = await openDeployment(database)
      await declare(own, {
        ...declaration,
        clients: [{ ...publicClient, client_id: 'app', token_endpoint_auth_method: 'none' }],
      })
      const form = parameters({ client_id: 'app', scope: 'openid', resource: '' })
      const request = { ...pushing(form), ...unproven }
      const limits = { ...own.ports.limits, authorize: { name: 'authorize', quota: 3, window: 600 } }
      const node = own.node({ limits })
      const outcomes: string[] = []
      for (let i = 0; i < 5; i++) {
        const answer = await node.pushedAuthorization(request)
        outcomes.push(answer.kind === 'ok' ? 'pushed' : answer.error.reason)
      }
      assert.deepEqual(outcomes, ['pushed', 'pushed', 'pushed', 'limit_reached', 'limit_reached'])
    })

    test('what changes between push and use counts: a redirect URI given up, a client switched off', async () => {
      const own = await openFor(database)
      const uri = await push(own.authority)
      await declarePeople(own, { redirect_uris: ['https://client.example/other'] })
      const person = new PersonAtBrowser(own.node())
      assert.equal(errorOf(await person.begin(reference(uri))), 'redirect_uri_unregistered')
      await declarePeople(own, { disabled: true })
      assert.equal(errorOf(await new PersonAtBrowser(own.node()).begin(reference(uri))), 'client_unknown')
    })

    test('what nobody came for is gone from the store when an interaction could no longer need it', async () => {
      const own = await openFor(database)
      const uri = await push(own.authority)
      const handle = own.ports.ids.handleOf(uri)
      own.clock += 60_000 + 599_000
      await own.store.sweep(own.ports.clock.now(), 100)
      assert.notEqual(await own.store.pushedRequests.find('default' as TenantId, handle), null)
      own.clock += 1_000
      await own.store.sweep(own.ports.clock.now(), 100)
      assert.equal(await own.store.pushedRequests.find('default' as TenantId, handle), null)
    })
  })
}

const noise = (length: number) => randomBytes(length).toString('base64url').slice(0, length)
const names = (count: number) => Array.from({ length: count }, (_, i) => `claim_${i}`)

const webClient: JsonObject = {
  client_secret: secret,
  scope: 'openid',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
}

const { client_secret: _secret, ...publicClient } = webClient
