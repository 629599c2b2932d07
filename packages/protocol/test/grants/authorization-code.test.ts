import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { formOf } from '../../src/oauth/form.ts'
import { authorizationCode } from '../../src/grants/authorization-code.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { CodeFacts, Grant } from '../../src/grants/grant.ts'
import type { Person } from '../../src/people/person.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Handle } from '../../src/types.ts'
import { refuse } from '../../src/grants/rule.ts'
import { at, catalogue, client, grant, issuer, person, resource } from '../samples.ts'

const handleOf = (text: string) => createHash('sha256').update(text).digest('base64url') as Handle
const verifier = 'v'.repeat(43)
const challenge = handleOf(verifier)
const redirectUri = 'https://client.example/cb'

const a = resource('https://a.example')
const b = resource('https://b.example')
const web = (metadata: Partial<ClientMetadata> = {}, id = 'web') => {
  const scope = 'openid profile offline_access a:read a:write b:read'
  return client({ grant_types: ['authorization_code', 'refresh_token'], scope, ...metadata }, { id })
}
const granted = grant({
  scope: new Set(['openid', 'offline_access', 'a:read']),
  resources: [a.identifier],
  nonce: 'n1',
})
const code: CodeFacts = {
  grant: granted,
  redirectUri,
  redirectUriSent: true,
  challenge,
  expiresAt: at(70_000),
  spentAt: null,
  failures: 0,
}
interface Change {
  readonly body?: Record<string, string | undefined>
  readonly code?: Partial<CodeFacts> | null
  readonly grant?: Partial<Grant>
  readonly client?: Client
  readonly person?: Person | null
  readonly now?: number
}
function run(change: Change) {
  const body = { code: 'gc_1', redirect_uri: redirectUri, code_verifier: verifier, ...change.body }
  const pairs = Object.entries(body).filter((it): it is [string, string] => it[1] !== undefined)
  const params = authorizationCode.parse(formOf(pairs), handleOf)
  if (params.kind === 'error') return refuse(params.error)
  return authorizationCode.decide({
    params: params.value,
    facts: { code: change.code === null ? null : { ...code, grant: { ...granted, ...change.grant }, ...change.code } },
    client: change.client ?? web(),
    catalogue: catalogue(),
    issuer,
    policy: defaultPolicy,
    now: at(change.now ?? 20_000),
    person: change.person === undefined ? person() : change.person,
  })
}

test('RFC 6749 §4.1.4: a good code is spent for exactly what was granted', () => {
  assert.deepEqual(run({}), {
    do: 'issue',
    grantId: 'g1',
    subject: 'alice',
    scope: granted.scope,
    resource: a,
    claims: { auth_time: 5, acr: 'pwd', sid: 's1' },
    spend: { kind: 'code', handle: handleOf('gc_1') },
    refresh: { scope: granted.scope, expiresAt: 10_000_000, successorOf: null },
    idToken: { grant: granted, nonce: 'n1' },
  })
})

type Row = readonly [title: string, change: Change, reason: string, also?: { revoke?: string; strike?: string }]
const refused: readonly Row[] = [
  ['RFC 6749 §4.1.3: code is required', { body: { code: undefined } }, 'parameter_missing'],
  ['RFC 6749 §5.2: an unknown code', { code: null }, 'code_unknown'],
  [
    'RFC 6749 §4.1.3: a code of another client, which can neither burn nor end it',
    { client: web({}, 'other') },
    'code_of_another_client',
  ],
  [
    'RFC 6749 §4.1.3: a spent code shown by another client ends nothing',
    { client: web({}, 'other'), code: { spentAt: at(1) } },
    'code_of_another_client',
  ],
  [
    'RFC 6749 §4.1.2: a replayed code ends its grant',
    { code: { spentAt: at(15_000) } },
    'code_replayed',
    { revoke: 'g1' },
  ],
  [
    'RFC 6749 §4.1.2: a replay is known as one after the code has expired',
    { code: { spentAt: at(15_000) }, now: 100_000 },
    'code_replayed',
    { revoke: 'g1' },
  ],
  [
    'RFC 6749 §4.1.2: a spent code without the verifier ends nothing',
    { code: { spentAt: at(15_000) }, body: { code_verifier: undefined } },
    'verifier_missing',
  ],
  [
    'RFC 6749 §4.1.2: a spent code with another verifier ends nothing',
    { code: { spentAt: at(15_000) }, body: { code_verifier: 'w'.repeat(43) } },
    'verifier_mismatch',
  ],
  [
    'RFC 6749 §4.1.2: a spent code with another redirect_uri ends nothing',
    { code: { spentAt: at(15_000) }, body: { redirect_uri: 'https://evil.example' } },
    'redirect_uri_mismatch',
  ],
  [
    'RFC 6749 §4.1.2: a replayed code that has no challenge ends its grant',
    { code: { spentAt: at(15_000), challenge: null }, body: { code_verifier: undefined } },
    'code_replayed',
    { revoke: 'g1' },
  ],
  ['a code expires at its very instant', { now: 70_000 }, 'code_expired'],
  [
    'RFC 6749 §4.1.3: redirect_uri is required where it was sent',
    { body: { redirect_uri: undefined } },
    'redirect_uri_mismatch',
  ],
  ['RFC 6749 §4.1.3: another redirect_uri', { body: { redirect_uri: `${redirectUri}/` } }, 'redirect_uri_mismatch'],
  [
    'RFC 6749 §4.1.3: another redirect_uri where none was sent',
    { code: { redirectUriSent: false }, body: { redirect_uri: 'https://evil.example' } },
    'redirect_uri_mismatch',
  ],
  [
    'RFC 7636 §4.6: a missing verifier does not count as a try',
    { body: { code_verifier: undefined } },
    'verifier_missing',
  ],
  [
    'RFC 7636 §4.6: a wrong verifier is counted',
    { body: { code_verifier: 'w'.repeat(43) } },
    'verifier_mismatch',
    { strike: handleOf('gc_1') },
  ],
  ['RFC 7636 §4.1: a malformed verifier', { body: { code_verifier: 'short' } }, 'parameter_malformed'],
  [
    'RFC 9700 §4.8.2: a verifier without a challenge is a downgrade',
    { code: { challenge: null } },
    'verifier_unexpected',
  ],
  ['a code of a revoked grant', { grant: { revokedAt: at(1) } }, 'grant_ended'],
  ['a person who was disabled meanwhile', { person: person({ disabledAt: at(1) }) }, 'subject_gone'],
  ['a person who is gone', { person: null }, 'subject_gone'],
  ['another person', { person: person({ id: 'bob' }) }, 'subject_gone'],
  ['RFC 8707 §2.2: a resource that was not granted', { body: { resource: b.identifier } }, 'resource_outside_grant'],
  [
    'RFC 8707 §2.2: a grant over two resources needs a choice',
    { grant: { resources: [a.identifier, b.identifier] } },
    'resource_ambiguous',
  ],
]
for (const [title, change, reason, also] of refused)
  test(`${title} → ${reason}`, () => {
    const decision = run(change)
    assert.ok(decision.do === 'refuse')
    assert.equal(decision.refusal.reason, reason)
    assert.deepEqual([decision.revoke, decision.strike], [also?.revoke ?? null, also?.strike ?? null])
  })

const issued = (change: Change) => {
  const decision = run(change)
  assert.ok(decision.do === 'issue', JSON.stringify(decision))
  return decision
}

test('RFC 8707 §2.2: a grant over two resources is redeemed for one at a time', () => {
  const both = { resources: [a.identifier, b.identifier], scope: new Set(['openid', 'a:read', 'b:read']) }
  const decision = issued({ grant: both, body: { resource: 'https://B.example/' } })
  assert.deepEqual([decision.resource, decision.scope], [b, new Set(['openid', 'b:read'])])
})

test('RFC 6749 §4.1.3: without redirect_uri in the authorization request none is needed', () => {
  issued({ code: { redirectUriSent: false }, body: { redirect_uri: undefined } })
})

test('a grant of OIDC scopes alone is for the issuer', () => {
  assert.equal(issued({ grant: { resources: [], scope: new Set(['openid']) } }).resource, null)
})

test('what the client is no longer registered for is not issued', () => {
  assert.deepEqual(issued({ client: web({ scope: 'openid' }) }).scope, new Set(['openid']))
})

test('OIDC Core §11: an OIDC request gets a refresh token only with offline_access, and only if registered', () => {
  assert.notEqual(issued({}).refresh, null)
  assert.equal(issued({ grant: { scope: new Set(['openid', 'a:read']) } }).refresh, null)
  assert.notEqual(issued({ grant: { scope: new Set(['a:read']) } }).refresh, null)
  assert.equal(issued({ client: web({ grant_types: ['authorization_code'] }) }).refresh, null)
})

test('OIDC Core §3.1.3.3: an ID token only with openid', () => {
  assert.equal(issued({ grant: { scope: new Set(['a:read']) } }).idToken, null)
})
