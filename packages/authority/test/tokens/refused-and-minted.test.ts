/** What a refusal at the token endpoint brings about, when a token may say that it was issued, and what one is made of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RefuseDecision, slowDownBy, slowestInterval } from '@grantor/protocol/grants'
import { verifierTries } from '@grantor/protocol/oauth'
import { err } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Clock } from '@grantor/authority'
import { issueSecond, type Issuance, whenIssuable } from '../../src/tokens/issue-time.ts'
import { mintAccessToken } from '../../src/tokens/mint-access-token.ts'
import { noted, refuse } from '../../src/tokens/token-refusals.ts'

const now = 10_900

/** What is done for a refusal, in its order, and what is counted. */
async function refused(
  decision: Partial<RefuseDecision>,
  { proof = null, isFresh = true }: { proof?: object | null; isFresh?: boolean } = {},
) {
  const done: unknown[] = []
  const note =
    (what: string) =>
    async (...of: unknown[]) =>
      void done.push([what, ...of])
  const deps = {
    clock: { now: () => now },
    ids: { id: () => 'id' },
    refusedRequests: {
      record: ({ name, clientId, reason }: Readonly<Record<string, string>>) =>
        void done.push(`${name} ${clientId} ${reason}`),
    },
    store: {
      tokens: { useProof: async (...of: unknown[]) => (done.push(['proof', ...of]), isFresh) },
      grants: {
        failVerifier: note('strike'),
        revoke: async ({
          id,
          at,
          events,
        }: {
          id: string
          at: number
          events: readonly { name: string; grantId: string; subject: string; reason: string }[]
        }) =>
          void done.push([
            'revoke',
            id,
            at,
            ...events.map((it) => `${it.name} ${it.grantId} ${it.subject} ${it.reason}`),
          ]),
      },
      devices: { slowDown: note('slower') },
    },
  }
  const asked = {
    request: { tenant: 'acme', ip: null, traceId: null },
    client: { id: 'web' },
    subject: 'ada',
    now,
    proof,
    facts: {},
  }
  const whole = {
    do: 'refuse',
    refusal: { reason: 'code_unknown' },
    strike: null,
    slower: null,
    revoke: null,
    ...decision,
  }
  const outcome = await refuse(whole as never, asked as never, deps as never)
  return { reason: outcome.error.reason, done }
}

test('RFC 6749 §5.2: a refusal is counted under its name; a wrong verifier under one of its own', async () => {
  assert.deepEqual(await refused({}), { reason: 'code_unknown', done: ['token.refused web code_unknown'] })
  for (const reason of ['verifier_missing', 'verifier_mismatch', 'verifier_unexpected'] as const)
    assert.deepEqual((await refused({ refusal: { reason } })).done, [`verifier.refused web ${reason}`])
})

test('RFC 8628 §3.5: who is told to come again is refused nothing, and is slowed down where the rule says so', async () => {
  for (const reason of ['device_pending', 'device_polled_too_fast'] as const)
    assert.deepEqual((await refused({ refusal: { reason } })).done, [])
  const { done } = await refused({ refusal: { reason: 'device_polled_too_fast' } as never, slower: 'd1' as never })
  assert.deepEqual(done, [['slower', 'acme', 'd1', { by: slowDownBy, most: slowestInterval }]])
})

test('RFC 7636: a guess at a verifier is struck from those there are', async () => {
  const { done } = await refused({ refusal: { reason: 'verifier_mismatch' }, strike: 'c1' as never })
  assert.deepEqual(done.at(-1), ['strike', 'acme', 'c1', verifierTries, now])
})

test('RFC 6749 §4.1.2: a replay ends the grant, and the log has both', async () => {
  const { done, reason } = await refused({ revoke: 'g1' as never })
  assert.equal(reason, 'code_unknown')
  assert.deepEqual(done.at(-1), [
    'revoke',
    'g1',
    now,
    'token.replayed g1 ada code_unknown',
    'grant.revoked g1 ada code_unknown',
  ])
})

test('RFC 9449 §11.1: whoever sends a proof again ends nothing by it', async () => {
  const proof = { jti: 'p' }
  for (const change of [{ revoke: 'g1' as never }, { strike: 'c1' as never }]) {
    const again = await refused(change, { proof, isFresh: false })
    assert.deepEqual(again, {
      reason: 'proof_replayed',
      done: [['proof', 'acme', proof], 'proof.refused web proof_replayed'],
    })
    const fresh = await refused(change, { proof })
    assert.deepEqual([fresh.reason, fresh.done.length], ['code_unknown', 3])
  }
  assert.deepEqual(
    (await refused({}, { proof, isFresh: false })).done,
    ['token.refused web code_unknown'],
    'what changes nothing uses no proof',
  )
})

test('a refusal without an event is counted, and handed on as it is', () => {
  const counted: object[] = []
  const refusal = err({ reason: 'scope_malformed' } as const)
  const asked = { request: { tenant: 'acme' }, client: { id: 'web' } }
  assert.equal(
    noted(refusal, asked as never, { refusedRequests: { record: (it: object) => counted.push(it) } } as never),
    refusal,
  )
  assert.deepEqual(counted, [{ name: 'token.refused', tenant: 'acme', clientId: 'web', reason: 'scope_malformed' }])
})

test('a token says the second that is over for every node, and waits where all up to that one are dead', async () => {
  assert.deepEqual(
    [
      issueSecond(10_999 as never, { margin: 0 }),
      issueSecond(11_000 as never, { margin: 0 }),
      issueSecond(11_000 as never, { margin: 1 }),
    ],
    [10_000, 11_000, 10_000],
  )
  const waits = async (dead: { client?: number; tenant?: number; grant?: number | null }, margin = 0) => {
    const clock = { time: now, margin, now: () => clock.time, until: async (at: number) => void (clock.time = at) }
    const { client, tenant, grant } = dead
    const of = (tokensDeadUpTo: number | undefined) => (tokensDeadUpTo === undefined ? {} : { tokensDeadUpTo })
    const it = {
      client: of(client),
      catalogue: { tenant: of(tenant) },
      grant: grant === undefined ? null : of(grant ?? undefined),
      now,
    }
    const { now: at } = await whenIssuable(it as unknown as Issuance, clock as unknown as Clock)
    return at
  }
  assert.equal(await waits({}), now)
  assert.equal(await waits({ grant: null }), now)
  for (const whose of ['client', 'tenant', 'grant'] as const) {
    assert.equal(await waits({ [whose]: 9_000 }), now, whose)
    assert.equal(await waits({ [whose]: 10_000 }), 11_000, whose)
    assert.equal(await waits({ [whose]: 12_000 }, 50), 13_050, whose)
  }
  assert.equal(await waits({ client: 9_000, tenant: 10_000, grant: 8_000 }), 11_000, 'the latest of them')
})

const resource = { identifier: 'https://api.example', tokenFormat: 'jwt' }
async function minted(of: object | null, decision: object = {}) {
  const signed: unknown[] = []
  const deps = {
    clock: { margin: 0 },
    ids: {
      id: () => 'jti',
      secret: (prefix: string) => `${prefix}secret`,
      handleOf: (text: string) => `handle of ${text}`,
    },
    issuers: { issuerOf: (tenant: string) => `https://as.example/t/${tenant}` },
    keyring: {
      signer: async () => ({ sign: (typ: string, payload: JsonObject) => (signed.push([typ, payload]), 'jwt') }),
    },
    policy: { accessTtl: 300 },
    statusIndexes: { take: async () => ({ list: 'l1', idx: 7 }) },
  }
  const whole = {
    resource: of,
    subject: 'ada',
    grantId: 'g1',
    scope: new Set(['a']),
    claims: { sid: 's' },
    ...decision,
  }
  const facts = { catalogue: { tenant: { id: 'acme' } }, client: { id: 'web' }, person: null, now }
  return { ...(await mintAccessToken(whole as never, facts as never, deps as never)), signed }
}

test('RFC 9068 §2.2: an access token is for its API, of whole seconds, and lives as long as the API or the policy says', async () => {
  const plain = await minted(resource)
  assert.deepEqual([plain.token, plain.opaque, plain.expiresIn, plain.signed.length], ['jwt', null, 300, 1])
  const { issuedAt, expiresAt, audience, jti, clientId, subject, grantId } = plain.facts
  assert.deepEqual(
    [issuedAt, expiresAt, audience, jti, clientId, subject, grantId],
    [10_000, 310_000, resource.identifier, 'jti', 'web', 'ada', 'g1'],
  )
  assert.equal((await minted({ ...resource, accessTtl: 60 })).facts.expiresAt, 70_000)
  assert.equal((await minted(null)).facts.audience, 'https://as.example/t/acme')
  for (const [expiresBy, ends] of [
    [40_000, 40_000],
    [310_000, 310_000],
    [900_000, 310_000],
  ] as const)
    assert.equal((await minted(resource, { expiresBy })).facts.expiresAt, ends, 'never longer than what it rests on')
})

test('RFC 9068 §2.1: a token is of the type that the API wants; one that is opaque is known by its handle', async () => {
  assert.equal((await minted(resource)).signed.map((it) => (it as [string])[0]).join(), 'at+jwt')
  assert.equal((await minted({ ...resource, tokenTyp: 'JWT' })).signed.map((it) => (it as [string])[0]).join(), 'JWT')
  const opaque = await minted({ ...resource, tokenFormat: 'opaque' })
  assert.deepEqual([opaque.token, opaque.opaque?.handle, opaque.signed], ['ga_secret', 'handle of ga_secret', []])
})

test('what is declared and what was granted in detail stands in a token, and the protocol has the last word', async () => {
  const mapped = await minted({
    ...resource,
    claimMappings: [
      { claim: 'sid', value: 'mine' },
      { claim: 'plan', value: 'x' },
    ],
  })
  assert.deepEqual(mapped.facts.claims, { plan: 'x', sid: 's' })
  const details = [{ type: 'pay' }]
  assert.deepEqual((await minted(resource, { details })).facts.claims, { sid: 's', authorization_details: details })
  assert.deepEqual((await minted(resource)).facts.claims, { sid: 's' })
})

test('a token of an API with a status list says where its status is told', async () => {
  const { facts, statusEntry } = await minted({ ...resource, statusList: true })
  const uri = 'https://as.example/t/acme/status-lists/l1'
  assert.deepEqual(facts.claims, { sid: 's', status: { status_list: { idx: 7, uri } } })
  assert.ok(statusEntry !== undefined)
  assert.equal((await minted(resource)).statusEntry, undefined)
})
