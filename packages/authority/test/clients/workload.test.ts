/** Why a workload is no client, in the words of the log; and what of it is used up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAuthRules } from '@grantor/protocol/client-auth'
import { parseJwt } from '@grantor/protocol/jose'
import { defaultPolicy } from '@grantor/protocol/oauth'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { authenticateWorkload } from '../../src/clients/workload.ts'
import { root } from '../support/deployment.ts'
import { OtherIssuers, signedToken, signingKey } from '../support/trusted-issuer.ts'

const now = 1_800_000_000_000 as Instant
const issuer = 'https://ci.example'
const key = signingKey('k')
const seconds = now / 1000
const claims = { iss: issuer, aud: 'us', sub: 'job', iat: seconds, exp: seconds + 600.5, jti: 'one' }
const builder = { id: 'builder', disabledAt: null, metadata: { token_endpoint_auth_method: 'federated_jwt' } }

interface Shown {
  readonly claims?: JsonObject
  readonly asGrant?: boolean
  readonly named?: string | null
  readonly client?: object | null
  readonly trusted?: JsonObject
  readonly away?: boolean
}

function proven({ asGrant = false, named = null, client = builder, trusted = {}, away = false, ...more }: Shown = {}) {
  const jwt = parseJwt(signedToken({ ...claims, ...more.claims }, { by: key })) ?? assert.fail()
  const others = new OtherIssuers()
  others.publish(issuer, [key])
  if (away) others.away.add(issuer)
  const rules = [{ claims: { sub: 'job' }, client: 'builder' }]
  const trustedIssuers = [{ issuer, audience: 'us', rules, ...trusted }]
  const workload = { jwt, asGrant, named }
  return authenticateWorkload(
    { tenant: root, presented: { method: 'federated_jwt', clientId: named ?? '', workload } as never, workload },
    {
      clock: { now: () => now },
      policy: defaultPolicy,
      issuers: { issuerOf: () => 'https://as.example' },
      outbound: others,
      clientAuthMethods: clientAuthRules,
      directory: {
        currentCatalogue: async () => ({ tenant: { trustedIssuers } }),
        currentClient: async (_: string, id: string) => (id === 'builder' ? client : null),
      },
    } as never,
  )
}

const problemOf = async (shown: Shown) => {
  const outcome = await proven(shown)
  return outcome.kind === 'ok' ? null : [outcome.error.refusal.reason, outcome.error.problem]
}

test('a workload is the client that its rule names, once, and until its token ends', async () => {
  const outcome = await proven()
  assert.ok(outcome.kind === 'ok', JSON.stringify(outcome))
  const { client, use } = outcome.value
  const expiresAt = now + 600_500
  assert.deepEqual([client, use], [builder, { clientId: 'builder', id: `${issuer} one`, expiresAt }])
  assert.equal(await problemOf({ named: 'builder' }), null)
})

test('where an issuer may say the same again, or gives it no name, nothing is used up', async () => {
  for (const shown of [{ trusted: { single_use: false } }, { claims: { jti: undefined as never } }]) {
    const outcome = await proven(shown)
    assert.ok(outcome.kind === 'ok')
    assert.equal(outcome.value.use, null)
  }
})

test('RFC 7521 §4.1.1, §4.2.1: what stands for the grant is an invalid grant; the log says what was wrong', async () => {
  const [client, grant] = ['client_unauthenticated', 'assertion_invalid']
  const nobody = { clientId: null }
  const stranger = { claims: { sub: 'another' } }
  assert.deepEqual(await problemOf(stranger), [client, { ...nobody, reason: 'token_without_rule' }])
  assert.deepEqual(await problemOf({ ...stranger, asGrant: true }), [
    grant,
    { ...nobody, reason: 'token_without_rule' },
  ])
  assert.deepEqual(await problemOf({ trusted: { rules: undefined as never } }), [
    client,
    { ...nobody, reason: 'token_without_rule' },
  ])
  assert.deepEqual(await problemOf({ named: 'other' }), [
    client,
    { clientId: 'builder', reason: 'token_of_another_client' },
  ])
  assert.deepEqual(await problemOf({ claims: { iss: 'https://evil.example' } }), [
    client,
    { ...nobody, reason: 'token_issuer_unknown' },
  ])
  assert.deepEqual(await problemOf({ client: null }), [client, { ...nobody, reason: 'client_unknown' }])
  const disabled = await problemOf({ client: { ...builder, disabledAt: 1 } })
  assert.deepEqual(disabled, [client, { clientId: 'builder', reason: 'client_disabled' }])
})

test('an issuer whose keys cannot be had is away for five seconds, and nothing was wrong', async () => {
  const outcome = await proven({ away: true })
  assert.ok(outcome.kind === 'error')
  const refusal = { reason: 'issuer_unavailable', retryAfter: 5 }
  assert.deepEqual(outcome.error, { refusal, problem: null })
})
