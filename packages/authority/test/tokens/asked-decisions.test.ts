/** What a policy service and a hook are asked, once each, and what holds where they say no, something else, or nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IssueDecision } from '@grantor/protocol/grants'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { isOwnMessage, webhookSecretOf } from '@grantor/protocol/webhooks'
import { hookKey } from '../../src/decisions/hook-key.ts'
import { asksOthers, checkIssuanceOnce } from '../../src/tokens/before-issuing.ts'

const api = 'https://api.example'
const policy = { url: 'https://pdp.example/' }
const hook = { url: 'https://hook.example/', claims: ['plan'] }
const now = 1_700_000_000_000
interface Ask {
  readonly url: string
  readonly authorization: string | null
  readonly deadline: number
  readonly maxBytes: number
  readonly types: readonly string[]
  readonly cause: object
  readonly message: {
    readonly type: string
    readonly content: string
    readonly headers: Readonly<Record<string, string>>
  }
}
const store = { keys: { derived: (purpose: string) => Buffer.from(purpose) } } as never

/** `answers` by address: what comes back, or `away`. */
async function check(
  of: JsonObject,
  answers: Readonly<Record<string, unknown>>,
  times = 1,
  scope = ['a', 'b', 'openid'],
) {
  const asked: Ask[] = []
  const signed: JsonObject[] = []
  const decide = checkIssuanceOnce({
    clock: { now: () => now },
    ids: { id: () => 'id' },
    issuers: { issuerOf: (tenant: string) => `https://as.example/t/${tenant}` },
    keyring: {
      signer: async (_: object, alg: string) => ({
        sign: (typ: string, claims: JsonObject) => (signed.push({ alg, typ, ...claims }), 'signed'),
      }),
    },
    outbound: {
      submit: async (it: Ask) => {
        asked.push(it)
        const answer = answers[it.url]
        return answer === 'away' ? err('unreachable') : ok({ body: Buffer.from(JSON.stringify(answer)) })
      },
    },
    store,
  } as never)
  const resource = { identifier: api, ...of }
  const decision = {
    resource,
    subject: 'ada',
    scope: new Set(scope),
    claims: { acr: '2', plan: 'of the protocol' },
  } as unknown as IssueDecision
  const request = {
    grantType: 'refresh_token',
    client: { id: 'web', metadata: {} },
    catalogue: { tenant: { id: 'acme' } },
    person: null,
  }
  let outcome
  for (let n = 0; n < times; n += 1) outcome = await decide(decision, request as never)
  assert.ok(outcome)
  const told =
    outcome.kind === 'error' ? outcome.error : { scope: [...outcome.value.scope], claims: outcome.value.claims }
  return { told, asked, signed, isSame: outcome.kind === 'ok' && outcome.value === decision }
}

test('an API that asks nobody is decided on at once', async () => {
  const { isSame, asked } = await check({}, {})
  assert.deepEqual([isSame, asked], [true, []])
  const decision = (of: JsonObject | null) => ({ resource: of }) as never
  assert.deepEqual(
    [null, {}, { policyService: policy }, { issuanceHook: hook }].map((of) => asksOthers(decision(of))),
    [false, false, true, true],
  )
})

test('AuthZEN §6.2: a policy service that agrees changes nothing, and one that does not refuses', async () => {
  const agreed = await check({ policyService: policy }, { [policy.url]: { decision: true } })
  assert.equal(agreed.isSame, true)
  const [only, ...more] = agreed.asked
  assert.deepEqual(more, [])
  assert.deepEqual(
    [
      only?.authorization,
      only?.deadline,
      only?.maxBytes,
      only?.types,
      only?.cause,
      only?.message.type,
      only?.message.headers,
    ],
    [
      'Bearer signed',
      1000,
      16_384,
      ['application/json'],
      { purpose: 'policy_service', clientId: null },
      'application/json',
      { 'x-request-id': 'id' },
    ],
  )
  const issuer = 'https://as.example/t/acme'
  const at = now / 1000
  assert.deepEqual(agreed.signed, [
    {
      alg: 'ES256',
      typ: agreed.signed[0]?.['typ'],
      iss: issuer,
      sub: issuer,
      aud: policy.url,
      iat: at,
      exp: at + 60,
      jti: 'id',
    },
  ])
  const denied = await check({ policyService: policy }, { [policy.url]: { decision: false } })
  assert.deepEqual(denied.told, { reason: 'policy_denied' })
})

test('where no answer comes, or none that is one, what is declared holds: no, unless it is declared otherwise', async () => {
  for (const [kind, point, reason] of [
    ['policyService', policy, 'policy_unavailable'],
    ['issuanceHook', hook, 'hook_unavailable'],
  ] as const)
    for (const answer of ['away', { decision: 'perhaps' }, [], 7]) {
      const answers = { [point.url]: answer }
      assert.deepEqual((await check({ [kind]: point }, answers)).told, { reason, retryAfter: 2 })
      assert.deepEqual((await check({ [kind]: { ...point, on_failure: 'deny' } }, answers)).told, {
        reason,
        retryAfter: 2,
      })
      assert.equal((await check({ [kind]: { ...point, on_failure: 'allow' } }, answers)).isSame, true)
    }
})

test('a hook denies, takes away scopes of the API and adds its own claims; the protocol has the last word', async () => {
  assert.deepEqual((await check({ issuanceHook: hook }, { [hook.url]: { decision: 'deny' } })).told, {
    reason: 'hook_denied',
  })
  const { told, asked } = await check(
    { issuanceHook: hook },
    { [hook.url]: { decision: 'allow', scope: 'a', claims: { plan: 'mine' } } },
  )
  assert.deepEqual(told, { scope: ['openid', 'a'], claims: { plan: 'of the protocol', acr: '2' } })
  const [only] = asked
  assert.deepEqual(
    [only?.authorization, only?.cause, only?.message.type],
    [null, { purpose: 'issuance_hook', clientId: null }, 'application/json'],
  )
  const { content, headers } = only?.message ?? assert.fail()
  const key = hookKey('acme' as never, { identifier: api, issuanceHook: hook }, { store })
  const received = { headers, content, now }
  assert.equal(isOwnMessage({ ...received, secrets: [webhookSecretOf(key)] }), true)
  assert.equal((JSON.parse(content) as JsonObject)['timestamp'], new Date(now).toISOString())
})

test('the key of a hook is another in every tenant, for every API and by every number', () => {
  const key = (tenant: string, identifier: string, number?: number) =>
    Buffer.from(
      hookKey(
        tenant as never,
        { identifier, issuanceHook: { ...hook, ...(number === undefined ? {} : { key: number }) } },
        { store },
      ),
    ).toString('hex')
  const all = [key('a', api), key('b', api), key('a', `${api}/2`), key('a', api, 2)]
  assert.equal(new Set(all).size, 4)
  assert.equal(key('a', api, 1), key('a', api))
})

test('both are asked, the policy first; what it denies the hook does not hear of', async () => {
  const both = { policyService: policy, issuanceHook: hook }
  const agreed = await check(both, { [policy.url]: { decision: true }, [hook.url]: { decision: 'allow' } })
  assert.deepEqual(
    agreed.asked.map(({ url }) => url),
    [policy.url, hook.url],
  )
  const denied = await check(both, { [policy.url]: { decision: false }, [hook.url]: { decision: 'allow' } })
  assert.deepEqual([denied.told, denied.asked.length], [{ reason: 'policy_denied' }, 1])
})

test('whoever is decided on anew with the same question is not asked about twice', async () => {
  const both = { policyService: { ...policy, deadline_ms: 70 }, issuanceHook: hook }
  const { asked } = await check(both, { [policy.url]: { decision: true }, [hook.url]: { decision: 'allow' } }, 3)
  assert.deepEqual(
    asked.map(({ url, deadline }) => [url, deadline]),
    [
      [policy.url, 70],
      [hook.url, 1000],
    ],
  )
})
