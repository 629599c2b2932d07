/** Whom a presented token speaks for: what each kind gives, and when none of them gives anything. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeSubject } from '../../src/exchange/exchange-subject.ts'
import { tokenTypes } from '../../src/exchange/token-types.ts'
import type { RefreshFacts, TokenFacts } from '../../src/grants/grant.ts'
import type { JsonObject } from '../../src/types.ts'
import { accessFacts, at, catalogue, client, grant, issuer, person, refreshFacts } from '../samples.ts'

const now = at(100_000)
const on = { client: client(), catalogue: catalogue(), issuer, now, person: person() }
const subjectOf = (facts: TokenFacts | RefreshFacts | null, type: string = tokenTypes.jwt) => {
  const found = exchangeSubject({ facts, type }, on)
  return found.kind === 'ok' ? found.value : found.error.reason
}

const access = (expiresAt = 600_000, active = true): TokenFacts => ({
  kind: 'access',
  token: accessFacts({ scope: new Set(['a:read']), expiresAt: at(expiresAt), claims: { sid: 's' } }),
  active,
  grant: grant(),
})
const idToken = (exp = 600): TokenFacts => ({
  kind: 'jwt',
  typ: 'jwt',
  claims: { iss: issuer, aud: 'web', sub: 'alice', exp, iat: 50, auth_time: 5, jti: 'g1.x' },
  grant: grant(),
})
type Foreign = Extract<TokenFacts, { kind: 'foreign' }>
const foreign = (more: Partial<Foreign> = {}): Foreign => ({
  kind: 'foreign',
  issuer: 'https://idp.example',
  subject: 'them',
  idJag: false,
  claims: {},
  id: null,
  singleUse: false,
  expiresAt: at(600_000),
  client: null,
  person: person(),
  ...more,
})

test('RFC 8693 §2.1: an access token speaks for its subject, at its audience, with its scope', () => {
  assert.deepEqual(subjectOf(access()), {
    subject: 'alice',
    grantId: 'g1',
    audience: 'https://api.example',
    scope: new Set(['a:read']),
    most: null,
    isPerson: true,
    expiresAt: 600_000,
    claims: { sid: 's' },
    eventData: { exchanged: 'j1', exchanged_client: 'web', exchanged_scope: 'a:read' },
  })
  const { isPerson } = subjectOf({ ...access(), grant: null } as TokenFacts) as { isPerson: boolean }
  assert.equal(isPerson, false)
})

test('RFC 8693 §2.1: an ID token opens nothing by itself', () => {
  const { claims: _, ...rest } = subjectOf(idToken(), tokenTypes.id) as { claims: JsonObject }
  assert.deepEqual(rest, {
    subject: 'alice',
    grantId: 'g1',
    audience: null,
    scope: new Set(),
    most: null,
    isPerson: true,
    expiresAt: 600_000,
    eventData: { exchanged_client: 'web', exchanged: 'g1.x' },
  })
  const nameless = { ...idToken(), claims: { ...(idToken() as { claims: JsonObject }).claims, jti: 7 } } as TokenFacts
  assert.deepEqual((subjectOf(nameless) as { eventData: JsonObject }).eventData, { exchanged_client: 'web' })
})

test('RFC 8693 §2.1: the token of another issuer speaks for the client that a rule names, or for a person', () => {
  const service = client({ scope: 'a:read' }, { id: 'service' })
  const eventData = { assertion_issuer: 'https://idp.example', assertion_subject: 'them' }
  const about = { audience: null, scope: new Set(), grantId: null, expiresAt: 600_000, eventData }
  assert.deepEqual(subjectOf(foreign({ client: service, person: null })), {
    ...about,
    subject: 'service',
    most: new Set(['a:read']),
    isPerson: false,
    claims: {},
  })
  assert.deepEqual(subjectOf(foreign({ claims: { auth_time: 42 } })), {
    ...about,
    subject: 'alice',
    most: null,
    isPerson: true,
    opens: { person: person(), signedInAt: 42_000, expiresAt: 660_000 },
    claims: { auth_time: 42 },
  })
  // Who is said to have signed in later than now did so now, and so does who is not said to have.
  for (const claims of [{ auth_time: 101 }, { auth_time: 'x' }, {}]) {
    const { opens, claims: kept } = subjectOf(foreign({ claims })) as {
      opens: { signedInAt: number }
      claims: JsonObject
    }
    assert.deepEqual([opens.signedInAt, kept], [100_000, { auth_time: 100 }])
  }
})

test('OIDC Core §2: auth_time is a whole second, and none that is yet to come', () => {
  const { claims, opens } = subjectOf(foreign({ claims: { auth_time: 42.9 } })) as {
    claims: JsonObject
    opens: { signedInAt: number }
  }
  assert.deepEqual([claims['auth_time'], opens.signedInAt], [42, 42_900])
})

test('RFC 9449 §5: what another issuer bound to a key is known to be bound', () => {
  const { claims } = subjectOf(foreign({ claims: { cnf: { jkt: 'k' } } })) as { claims: JsonObject }
  assert.deepEqual(claims['cnf'], { jkt: 'k' })
})

test('RFC 8693 §4.1: who acted at another issuer is named with it, however deep', () => {
  const actor = (act: unknown) =>
    (subjectOf(foreign({ claims: { act: act as JsonObject, may_act: { sub: 'x' } } })) as { claims: JsonObject }).claims
  const idp = 'https://idp.example'
  assert.deepEqual(actor({ sub: 'one', act: { sub: 'two', iss: 'https://b.example', extra: 1 } }), {
    may_act: { sub: 'x' },
    act: { sub: 'one', iss: idp, act: { sub: 'two', iss: 'https://b.example' } },
    auth_time: 100,
  })
  assert.deepEqual(actor({ sub: 'one', iss: 7 })['act'], { sub: 'one', iss: idp })
  for (const none of [undefined, 'one', { sub: 7 }, { act: { sub: 'two' } }])
    assert.equal(actor(none)['act'], undefined)
})

const disabled = { disabledAt: at(1) }
const refused: readonly (readonly [what: string, facts: TokenFacts | RefreshFacts | null, type?: string])[] = [
  ['nothing', null],
  ['a refresh token', refreshFacts(grant())],
  ['an access token as an ID token', access(), tokenTypes.id],
  ['an access token that is dead', access(600_000, false)],
  ['an access token that ends at once', access(101_999)],
  ['an ID token as an access token', idToken(), tokenTypes.access],
  ['an ID token that ends at once', idToken(101)],
  ['the token of another issuer as an access token', foreign(), tokenTypes.access],
  ['the token of another issuer that ends at once', foreign({ expiresAt: at(101_999) })],
  ['a grant for one client', foreign({ idJag: true })],
  ['a client that is disabled', foreign({ client: client({}, disabled), person: null })],
  ['nobody', foreign({ person: null })],
  ['a person who is disabled', foreign({ person: person(disabled) })],
  ['what is refused', { kind: 'refused', problem: 'x' }],
]
for (const [what, facts, type] of refused)
  test(`RFC 8693 §2.2.2: ${what} → subject_token_invalid`, () =>
    assert.equal(subjectOf(facts, type), 'subject_token_invalid'))

test('RFC 8693 §2.2.2: what ends in two seconds is still exchanged; whose issuer is away may come again', () => {
  assert.equal(typeof subjectOf(access(102_000)), 'object')
  assert.equal(typeof subjectOf(idToken(102)), 'object')
  assert.equal(typeof subjectOf(foreign({ expiresAt: at(102_000) })), 'object')
  assert.deepEqual(exchangeSubject({ facts: { kind: 'unavailable' }, type: tokenTypes.jwt }, on), {
    kind: 'error',
    error: { reason: 'issuer_unavailable', retryAfter: 5 },
  })
})
