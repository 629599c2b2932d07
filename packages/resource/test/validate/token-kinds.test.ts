/** Every other kind of JWT that an issuer or a client signs, shown as an access token: RFC 8725 §2.8, §3.11, §3.12; RFC 9068 §5. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { audience, bearer, claimsAt, jws, signingKey } from '../tokens.ts'

const issuer = 'https://as.example'
const key = signingKey('k1')
const ofClient = signingKey('k1')
const time = new FakeTime()

const seconds = Math.floor(time.now() / 1000)
const common = { iss: issuer, sub: 'alice', aud: audience, iat: seconds, exp: seconds + 600 }
const signIn = { auth_time: seconds, acr: 'pwd', amr: ['pwd'], sid: 's1' }

/** Each with the type it has in the wild, signed by the issuer's own key and meant for this audience. */
const kinds: readonly (readonly [string, string, JsonObject])[] = [
  ['an ID token', 'JWT', { ...common, ...signIn, nonce: 'n', at_hash: 'x' }],
  ['a refreshed ID token', 'JWT', { ...common, ...signIn }],
  [
    'an ID token with an id and scope claims',
    'JWT',
    { ...common, ...signIn, jti: 'j', name: 'Alice', scope: 'openid' },
  ],
  ['an ID token that says its client', 'JWT', { ...common, ...signIn, jti: 'j', client_id: 'web', nonce: 'n' }],
  ['an ID token with the hash of a code', 'JWT', { ...common, jti: 'j', client_id: 'web', c_hash: 'x' }],
  ['signed userinfo', 'JWT', { ...common, name: 'Alice', email: 'alice@example.com' }],
  [
    'a logout token',
    'logout+jwt',
    { ...common, jti: 'j', sid: 's1', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  ],
  ['a security event', 'secevent+jwt', { ...common, jti: 'j', client_id: 'web', events: { 'https://e.example': {} } }],
  ['a client assertion', 'JWT', { ...common, iss: 'web', sub: 'web', jti: 'j' }],
  ['a client assertion in the name of the issuer', 'client-authentication+jwt', { ...common, sub: 'web', jti: 'j' }],
  [
    'a signed introspection answer',
    'token-introspection+jwt',
    { ...common, token_introspection: { active: true, ...common, client_id: 'web', jti: 'j', scope: 'orders:read' } },
  ],
  [
    'a signed introspection answer that says as much as the token it describes',
    'token-introspection+jwt',
    { ...common, client_id: 'web', jti: 'j', token_introspection: { active: true } },
  ],
  ['a revocation snapshot', 'revsnap+jwt', { ...common, v: 1, epoch: 'e', pos: 1, revoked: [], cutoffs: [] }],
]

const validatorFor = (types?: readonly string[]) =>
  createValidator({
    audience,
    issuers: [
      {
        issuer,
        keys: new GivenKeys({ keys: [key.jwk] }),
        revocation: 'none',
        ...(types === undefined ? {} : { types }),
      },
    ],
    time,
  })
const configurations = { 'at+jwt alone': undefined, 'JWT alone': ['JWT'], both: ['at+jwt', 'JWT'] } as const

for (const [name, types] of Object.entries(configurations)) {
  for (const [kind, typ, claims] of kinds) {
    test(`RFC 9068 §5: ${kind} is no access token to a validator of ${name}, by its own type or by a better one`, async () => {
      const validator = validatorFor(types)
      for (const said of [typ, 'JWT', 'at+jwt', 'application/at+jwt']) {
        for (const signer of [key, ofClient]) {
          const token = jws(signer, { typ: said, alg: 'ES256', kid: 'k1' }, claims)
          assert.equal((await validator.validate(bearer(token))).kind, 'error', said)
        }
      }
    })
  }

  test(`a validator of ${name} accepts access tokens of its types, and no others`, async () => {
    const validator = validatorFor(types)
    const accepted = new Set<string>((types ?? ['at+jwt']).map((it) => it.toLowerCase()))
    for (const typ of ['at+jwt', 'JWT', 'jwt', 'logout+jwt', 'secevent+jwt', undefined]) {
      const header = { alg: 'ES256', kid: 'k1', ...(typ === undefined ? {} : { typ }) }
      const token = jws(key, header, claimsAt(time.now(), issuer, { auth_time: seconds, acr: 'pwd' }))
      const verdict = await validator.validate(bearer(token))
      assert.equal(verdict.kind === 'ok', accepted.has(typ?.toLowerCase() ?? ''), String(typ))
    }
  })
}
