/** Tokens of other issuers: every check on its own, at its very edge, in the order in which they speak. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import { parseJwt } from '../../src/jose/jwt.ts'
import { textLimits } from '../../src/oauth/text-limits.ts'
import { importKey } from '../../src/jose/verification-key.ts'
import {
  isIdJag,
  personMeant,
  subjectOfToken,
  tokenEnd,
  tokenIdOf,
  trustedTokenProblem,
} from '../../src/trust/trusted-token.ts'
import type { Json, JsonObject } from '../../src/types.ts'
import { at, issuer as self } from '../samples.ts'

const now = 1_800_000_000
const issuer = 'https://idp.example'
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const key = importKey({ ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid: 'k' })
assert.ok(key)
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const base: JsonObject = { iss: issuer, sub: 'workload', aud: self, exp: now + 600, iat: now, nbf: now, jti: 'one' }

interface Making {
  readonly typ?: string | undefined
  readonly by?: KeyObject
  readonly from?: string
  readonly audience?: string
}

function problem(
  more: Readonly<Record<string, unknown>> = {},
  { typ, by = privateKey, from = issuer, audience }: Making = {},
) {
  const header = { alg: 'ES256', kid: 'k', ...(typ === undefined ? {} : { typ }) }
  const input = `${encoded(header)}.${encoded({ ...base, ...more })}`
  const jwt = parseJwt(
    `${input}.${sign('sha256', Buffer.from(input), { key: by, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`,
  )
  assert.ok(jwt)
  const trusted = { issuer: from, ...(audience === undefined ? {} : { audience }) }
  return trustedTokenProblem(jwt, {
    issuer: trusted,
    self,
    keys: key === null ? [] : [key],
    now: at(now * 1000),
    leeway: 60,
  })
}

function nested(levels: number): Json {
  return levels === 0 ? 1 : { in: nested(levels - 1) }
}

const table: readonly (readonly [
  what: string,
  claims: Readonly<Record<string, unknown>>,
  expected: string | null,
  making?: Making,
])[] = [
  ['whole', {}, null],
  ['of another issuer', { iss: 'https://other.example' }, 'token_iss'],
  ['of nobody', { iss: undefined }, 'token_iss'],
  ['of us, trusted under our own name', { iss: self }, 'token_iss', { from: self }],
  ['about nobody', { sub: undefined }, 'token_sub'],
  ['about an empty name', { sub: '' }, 'token_sub'],
  ['for nobody', { aud: undefined }, 'token_aud'],
  ['for another', { aud: 'https://other.example' }, 'token_aud'],
  ['for us in a list of one', { aud: [self] }, null],
  ['for us and another', { aud: [self, 'https://other.example'] }, 'token_aud'],
  ['for no one in a list', { aud: [] }, 'token_aud'],
  ['for the declared audience', { aud: 'grantor' }, null, { audience: 'grantor' }],
  ['for us where another audience is declared', {}, 'token_aud', { audience: 'grantor' }],
  ['of as long a name as there is', { sub: 'x'.repeat(textLimits.claim) }, null],
  ['of a longer name', { sub: 'x'.repeat(textLimits.claim + 1) }, 'token_sub'],
  ['with as long a jti as there is', { jti: 'x'.repeat(textLimits.jti) }, null],
  ['with a longer jti', { jti: 'x'.repeat(textLimits.jti + 1) }, 'token_jti'],
  ['sixteen levels deep', { deep: nested(15) }, null],
  ['seventeen levels deep', { deep: nested(16) }, 'token_deep'],
  ['with an empty jti', { jti: '' }, 'token_jti'],
  ['with a jti of a number', { jti: 7 }, 'token_jti'],
  ['without jti', { jti: undefined }, null],
  ['without an end', { exp: undefined }, 'token_exp'],
  ['at its end', { exp: now }, 'token_exp'],
  ['a moment before its end', { exp: now + 1 }, null],
  ['good for a day and the leeway', { exp: now + 86_400 + 60 }, null],
  ['good for longer', { exp: now + 86_400 + 61 }, 'token_exp'],
  ['with an end of text', { exp: `${now + 60}` }, 'token_exp'],
  ['begun within the leeway', { nbf: now + 60, iat: now + 60 }, null],
  ['not begun', { nbf: now + 61 }, 'token_nbf'],
  ['made later', { iat: now + 61 }, 'token_nbf'],
  ['with a beginning of text', { nbf: 'x' }, 'token_nbf'],
  ['without a beginning', { nbf: undefined, iat: undefined }, null],
  ['signed by another', {}, 'token_signature', { by: stranger }],
  ['of the type JWT', {}, null, { typ: 'JWT' }],
  ['of the type at+jwt', {}, null, { typ: 'at+jwt' }],
  ['of the type client-authentication+jwt', {}, null, { typ: 'client-authentication+jwt' }],
  ['of the type logout+jwt', {}, 'token_typ', { typ: 'logout+jwt' }],
  ['of the type dpop+jwt', {}, 'token_typ', { typ: 'dpop+jwt' }],
  ['an identity assertion grant of an hour and the leeway', { exp: now + 3660 }, null, { typ: 'oauth-id-jag+jwt' }],
  ['an identity assertion grant of more', { exp: now + 3661 }, 'token_exp', { typ: 'oauth-id-jag+jwt' }],
  [
    'an identity assertion grant, which is for us whatever is declared',
    {},
    null,
    { typ: 'oauth-id-jag+jwt', audience: 'grantor' },
  ],
]

for (const [what, claims, expected, making] of table)
  test(`RFC 7523 §3: a token ${what}: ${expected ?? 'is good'}`, () => assert.equal(problem(claims, making), expected))

test('what is read of a good token: its kind, its name, whom it is about, when it ends', () => {
  assert.deepEqual(
    [isIdJag({ typ: 'oauth-id-jag+jwt' }), isIdJag({ typ: 'jwt' }), isIdJag({ typ: undefined })],
    [true, false, false],
  )
  assert.equal(tokenIdOf({ claims: { jti: 'x' } }), 'x')
  for (const jti of ['', 7, null, 'x'.repeat(100_000)]) assert.equal(tokenIdOf({ claims: { jti } }), null)
  assert.equal(subjectOfToken({ claims: { sub: 'alice' } }), 'alice')
  assert.equal(subjectOfToken({ claims: { sub: 7 } }), '')
  assert.equal(tokenEnd({ claims: { exp: 1.9999 } }), 1999)
})

test('a person is meant by a link first, then by an address of a domain that was given, in the declared tenant only', () => {
  const people = {
    linked: [
      { sub: 'a', username: 'alice' },
      { sub: 'b', username: 'bob' },
    ],
    email_domains: ['acme.example'],
  }
  const email = { email: 'x@acme.example', email_verified: true }
  assert.deepEqual(personMeant({ sub: 'b', ...email }, people), { username: 'bob' })
  assert.deepEqual(personMeant({ sub: 'c', ...email }, people), { email: 'x@acme.example' })
  assert.equal(personMeant({ sub: 'c', ...email }, undefined), null)
  assert.equal(personMeant({ sub: 'c', ...email }, { linked: people.linked }), null)
  assert.equal(personMeant({ sub: 'c', ...email, email: 7 }, people), null)
  assert.equal(personMeant({ sub: 'c', ...email, email: 'acme.example' }, people), null)
  assert.equal(personMeant({ sub: 'c', ...email, email_verified: false }, people), null)
  assert.equal(personMeant({ sub: 'b', tenant: 't1' }, people), null, 'who says a tenant says the declared one')
  const ofTenant = { ...people, claims: { tenant: 't1' } }
  assert.deepEqual(personMeant({ sub: 'b', tenant: 't1' }, ofTenant), { username: 'bob' })
  assert.equal(personMeant({ sub: 'b', tenant: 't2' }, ofTenant), null)
  assert.equal(personMeant({ sub: 'b' }, ofTenant), null)
  assert.equal(personMeant({ sub: 'b', tenant: 't1' }, { ...people, claims: { org: 'x' } }), null)
})
