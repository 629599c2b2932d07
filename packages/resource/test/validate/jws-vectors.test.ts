/** Tokens that must not be accepted, as a table: RFC 7515, RFC 8725, RFC 9068. Each names the one code it is refused with. */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import type { RejectionCode } from '../../src/validate/rejections.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { FakeTime } from '../fake-time.ts'
import { accessToken, audience, bearer, claimsAt, jws, part, signature, signingKey } from '../tokens.ts'

const issuer = 'https://as.example'
const time = new FakeTime()
const es = signingKey('es')
const rs = signingKey('rs', 'RS256')
const ps = signingKey('ps', 'PS256')
const ed = signingKey('ed', 'EdDSA')
const now = Math.floor(time.wall / 1000)
const keys = new GivenKeys({ keys: [es.jwk, rs.jwk, ps.jwk, ed.jwk] })
const validator = createValidator({ audience, issuers: [{ issuer, keys, revocation: 'none' }], time })
const claims = () => claimsAt(time.wall, issuer)
const without = (name: string) => Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name))
const good = accessToken(es, claims())
const [header = '', payload = '', sig = ''] = good.split('.')

async function codeOf(token: string): Promise<string> {
  const verdict = await validator.validate(bearer(token))
  return verdict.kind === 'ok' ? 'ok' : verdict.error.code
}

/** RFC 8725 §2.1: the public key as an HMAC secret, in each form someone might have it. */
const hmacWith = (secret: string | Buffer): string => {
  const data = `${part({ typ: 'at+jwt', alg: 'HS256', kid: 'rs' })}.${part(claims())}`
  return `${data}.${createHmac('sha256', secret).update(data).digest('base64url')}`
}
const pem = createPublicKey(rs.privateKey).export({ format: 'pem', type: 'spki' })
const resigned = (headerText: string, payloadText: string) => {
  const data = `${Buffer.from(headerText).toString('base64url')}.${Buffer.from(payloadText).toString('base64url')}`
  return `${data}.${signature(es, data).toString('base64url')}`
}
const headerText = JSON.stringify({ typ: 'at+jwt', alg: 'ES256', kid: 'es' })

const vectors: readonly (readonly [string, string, RejectionCode])[] = [
  ['RFC 7515 §7.1: two parts', `${header}.${payload}`, 'token_malformed'],
  ['RFC 7515 §7.1: four parts', `${good}.AAAA`, 'token_malformed'],
  ['RFC 7516 §7.1: five parts (a JWE)', `${good}.AAAA.AAAA`, 'token_malformed'],
  ['RFC 7515 §7.1: an empty signature', `${header}.${payload}.`, 'token_malformed'],
  ['RFC 7515 §7.1: an empty payload', `${header}..${sig}`, 'token_malformed'],
  ['RFC 7515 §7.1: an empty header', `.${payload}.${sig}`, 'token_malformed'],
  ['RFC 7515 §2: padding', `${header}.${payload}.${sig}==`, 'token_malformed'],
  ['RFC 7515 §2: the alphabet of base64', `${header}.${payload}.${'+/'.repeat(43)}`, 'token_malformed'],
  [
    'RFC 4648 §3.5: stray bits at the end',
    `${header}.${payload}.${sig.slice(0, -1)}${stray(sig.at(-1))}`,
    'token_malformed',
  ],
  [
    'RFC 7515 §5.2: a header that is no JSON',
    `${Buffer.from('{"alg":').toString('base64url')}.${payload}.${sig}`,
    'token_malformed',
  ],
  ['RFC 7515 §5.2: a header that is an array', `${part(['ES256'])}.${payload}.${sig}`, 'token_malformed'],
  [
    'RFC 7519 §7.2: claims that are an array',
    jws(es, { typ: 'at+jwt', alg: 'ES256', kid: 'es' }, [claims()]),
    'token_malformed',
  ],
  ['RFC 7519 §7.2: claims that are null', jws(es, { typ: 'at+jwt', alg: 'ES256', kid: 'es' }, null), 'token_malformed'],
  [
    'RFC 7515 §5.2: claims that are no UTF-8',
    resigned(headerText, '').replace('..', `.${Buffer.from([0xff, 0xfe]).toString('base64url')}.`),
    'token_malformed',
  ],
  ['RFC 7515 §4.1.11: crit', accessToken(es, claims(), { crit: ['exp'] }), 'token_malformed'],
  ['RFC 7797 §3: b64', accessToken(es, claims(), { b64: false, crit: ['b64'] }), 'token_malformed'],
  ['RFC 7515 §4.1.1: no alg', jws(es, { typ: 'at+jwt', kid: 'es' }, claims()), 'token_malformed'],
  [
    'RFC 7515 §4.1.4: a kid that is no string',
    jws(es, { typ: 'at+jwt', alg: 'ES256', kid: 7 }, claims()),
    'token_malformed',
  ],
  ['RFC 8725 §3.1: none', `${part({ typ: 'at+jwt', alg: 'none', kid: 'es' })}.${payload}.AAAA`, 'signature_invalid'],
  [
    'RFC 8725 §3.1: none, with a kid that nobody published',
    `${part({ typ: 'at+jwt', alg: 'none', kid: 'x' })}.${payload}.AAAA`,
    'signature_invalid',
  ],
  ['RFC 8725 §3.1: nOnE', `${part({ typ: 'at+jwt', alg: 'nOnE', kid: 'es' })}.${payload}.AAAA`, 'signature_invalid'],
  ['RFC 8725 §2.1: HS256 with the public key (PEM)', hmacWith(pem), 'signature_invalid'],
  ['RFC 8725 §2.1: HS256 with the public key (JWK)', hmacWith(JSON.stringify(rs.jwk)), 'signature_invalid'],
  [
    'RFC 8725 §2.1: HS256 with the modulus',
    hmacWith(Buffer.from(rs.jwk['n'] as string, 'base64url')),
    'signature_invalid',
  ],
  ['RFC 8725 §3.1: PS256 with a key for RS256', accessToken({ ...rs, alg: 'PS256' }, claims()), 'signature_invalid'],
  ['RFC 8725 §3.1: RS256 named over an EC key', accessToken(es, claims(), { alg: 'RS256' }), 'signature_invalid'],
  ['RFC 8725 §3.1: a prototype key as alg', accessToken(es, claims(), { alg: 'constructor' }), 'signature_invalid'],
  ['a signature of another token', `${header}.${part(claims())}.${sig}`, 'signature_invalid'],
  [
    'CVE-2022-21449: r and s are zero',
    `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'signature_invalid',
  ],
  ['RFC 7518 §3.4: a signature in DER', derSigned(), 'signature_invalid'],
  [
    'RFC 7518 §3.4: a signature that is cut',
    `${header}.${payload}.${Buffer.from(sig, 'base64url').subarray(0, 63).toString('base64url')}`,
    'signature_invalid',
  ],
  ['a stranger behind a known kid', accessToken({ ...signingKey('es') }, claims()), 'signature_invalid'],
  ['a key nobody published', accessToken(signingKey('new'), claims()), 'unknown_signing_key'],
  [
    'RFC 7515 §4.1.2: a key that the token brings along',
    accessToken(signingKey('own'), claims(), { jwk: es.jwk, jku: `${issuer}/jwks` }),
    'unknown_signing_key',
  ],
  ['RFC 9068 §4: no typ', jws(es, { alg: 'ES256', kid: 'es' }, claims()), 'token_type_invalid'],
  ['RFC 9068 §4: an ID token', accessToken(es, claims(), { typ: 'JWT' }), 'token_type_invalid'],
  ['RFC 9068 §4: a logout token', accessToken(es, claims(), { typ: 'logout+jwt' }), 'token_type_invalid'],
  ['RFC 9068 §4: a snapshot of the feed', accessToken(es, claims(), { typ: 'revsnap+jwt' }), 'token_type_invalid'],
  ['no issuer', accessToken(es, without('iss')), 'token_malformed'],
  ['another issuer', accessToken(es, claimsAt(time.wall, 'https://other.example')), 'issuer_untrusted'],
  [
    'an issuer that only begins alike',
    accessToken(es, claimsAt(time.wall, `${issuer}.evil.example`)),
    'issuer_untrusted',
  ],
  ['an issuer with a slash more', accessToken(es, claimsAt(time.wall, `${issuer}/`)), 'issuer_untrusted'],
  [
    'a tenant where tenants are not trusted',
    accessToken(es, claimsAt(time.wall, `${issuer}/t/acme`)),
    'issuer_untrusted',
  ],
  [
    'RFC 9068 §4: another audience',
    accessToken(es, { ...claims(), aud: 'https://other.example' }),
    'audience_mismatch',
  ],
  ['RFC 9068 §4: no audience', accessToken(es, without('aud')), 'audience_mismatch'],
  [
    'RFC 9068 §4: an audience that only contains ours',
    accessToken(es, { ...claims(), aud: [`${audience}/more`] }),
    'audience_mismatch',
  ],
  ['RFC 9068 §2.2: no exp', accessToken(es, without('exp')), 'token_malformed'],
  ['RFC 7519 §4.1.4: exp as text', accessToken(es, { ...claims(), exp: String(now + 600) }), 'token_malformed'],
  ['RFC 7519 §4.1.4: exp beyond all dates', accessToken(es, { ...claims(), exp: 1e300 }), 'token_malformed'],
  ['RFC 9068 §2.2: no iat', accessToken(es, without('iat')), 'token_malformed'],
  ['RFC 9068 §2.2: no sub', accessToken(es, without('sub')), 'token_malformed'],
  ['RFC 9068 §2.2: no client_id', accessToken(es, without('client_id')), 'token_malformed'],
  ['RFC 9068 §2.2: no jti', accessToken(es, without('jti')), 'token_malformed'],
  ['RFC 9068 §2.2.3: scope as a list', accessToken(es, { ...claims(), scope: ['orders:read'] }), 'token_malformed'],
  [
    'RFC 9449 §7.2: a bound token as plain bearer',
    accessToken(es, { ...claims(), cnf: { jkt: 'abc' } }),
    'proof_required',
  ],
  ['RFC 7800 §3: a confirmation that cannot be read', accessToken(es, { ...claims(), cnf: 'abc' }), 'proof_required'],
  ['a token of more than 8 KiB', accessToken(es, { ...claims(), note: 'x'.repeat(9000) }), 'token_malformed'],
]

function stray(last = 'A'): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(last) ^ 1] ?? 'A'
}

/** The other encoding of ECDSA signatures, which a lenient verifier would take. */
function derSigned(): string {
  const bytes = Buffer.from(sig, 'base64url')
  const integer = (half: Buffer) => {
    const value = Buffer.from([0, ...half])
    return Buffer.from([2, value.length, ...value])
  }
  const body = Buffer.concat([integer(bytes.subarray(0, 32)), integer(bytes.subarray(32))])
  return `${header}.${payload}.${Buffer.from([0x30, body.length, ...body]).toString('base64url')}`
}

for (const [what, token, code] of vectors) {
  test(`${what} → ${code}`, async () => {
    assert.equal(await codeOf(token), code)
    assert.equal(await codeOf(token), code, 'and again, when something might have been remembered')
  })
}

for (const key of [es, rs, ps, ed]) {
  test(`A good token signed with ${key.alg} is accepted, with typ in either form`, async () => {
    assert.equal(await codeOf(accessToken(key, claims())), 'ok')
    assert.equal(await codeOf(accessToken(key, claims(), { typ: 'application/AT+jwt' })), 'ok')
  })
}

test('RFC 7519 §4.1.3: one audience of several suffices', async () => {
  assert.equal(await codeOf(accessToken(es, { ...claims(), aud: ['https://other.example', audience] })), 'ok')
})

const times: readonly (readonly [string, object, string])[] = [
  ['exp 59 s ago', { exp: now - 59 }, 'ok'],
  ['exp 60 s ago', { exp: now - 60 }, 'token_expired'],
  ['exp 61 s ago', { exp: now - 61 }, 'token_expired'],
  ['nbf in 60 s', { nbf: now + 60 }, 'ok'],
  ['nbf in 61 s', { nbf: now + 61 }, 'token_not_yet_valid'],
  ['iat in 60 s', { iat: now + 60 }, 'ok'],
  ['iat in 61 s', { iat: now + 61 }, 'token_not_yet_valid'],
]
for (const [what, claim, code] of times) {
  test(`RFC 7519 §4.1.4, leeway of 60 s: ${what} → ${code}`, async () => {
    assert.equal(await codeOf(accessToken(es, { ...claims(), ...claim })), code)
  })
}

/** RFC 7519 §4.1 and RFC 9068 §2.2: what each is, by its name; nothing here is any of them. */
const dates = ['exp', 'iat', 'nbf']
const texts = ['sub', 'client_id', 'jti', 'scope']
const notDates = ['1700000000', true, null, {}, [], -1, 1e300]
const notTexts = [7, true, null, {}, ['a']]

for (const [names, values] of [
  [dates, notDates],
  [texts, notTexts],
] as const)
  for (const name of names)
    test(`A signed token whose ${name} is of another type is malformed`, async () => {
      for (const value of values)
        assert.equal(
          await codeOf(accessToken(es, { ...claims(), [name]: value })),
          'token_malformed',
          JSON.stringify(value),
        )
    })

test('Signature first: a forged token is called forged, whatever else is wrong with it', async () => {
  const wrong = { ...claims(), aud: 'https://other.example', exp: now - 1000 }
  assert.equal(await codeOf(accessToken({ ...signingKey('es') }, wrong, { typ: 'JWT' })), 'signature_invalid')
  assert.equal(await codeOf(accessToken(es, wrong, { typ: 'JWT' })), 'token_type_invalid')
  assert.equal(await codeOf(accessToken(es, wrong)), 'audience_mismatch')
})

test('No token that differs in one character from a good one is accepted', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.constantFrom(...alphabet.split('')), async (at, letter) => {
      fc.pre(good[at] !== letter)
      assert.notEqual(await codeOf(good.slice(0, at) + letter + good.slice(at + 1)), 'ok')
    }),
    { numRuns: 300 },
  )
})

test('Whatever is presented, the answer is a verdict: nothing is thrown', async () => {
  const json = fc.oneof(fc.json(), fc.constant(headerText), fc.constant(JSON.stringify(claims())))
  const segment = fc.oneof(
    json.map((text) => Buffer.from(text).toString('base64url')),
    fc.string(),
    fc.constantFrom(header, payload, sig),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { maxLength: 5 }), async (parts) => {
      const verdict = await validator.validate({ authorization: `Bearer ${parts.join('.')}` })
      assert.ok(verdict.kind === 'ok' ? parts.join('.') === good : [400, 401].includes(verdict.error.status))
    }),
    { numRuns: 500 },
  )
})
