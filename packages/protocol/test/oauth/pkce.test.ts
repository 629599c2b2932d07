import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '../../src/oauth/form.ts'
import { answersChallenge, isVerifier, requestedChallenge, requiresPkce, verifierTries } from '../../src/oauth/pkce.ts'
import { err, ok } from '../../src/result.ts'
import { client } from '../samples.ts'

// RFC 7636 appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('RFC 7636 appendix B: the verifier answers its challenge, and no other', () => {
  assert.ok(answersChallenge(verifier, challenge))
  assert.ok(!answersChallenge(`${verifier.slice(0, -1)}l`, challenge))
  assert.ok(!answersChallenge(verifier, `${challenge.slice(0, -1)}N`))
  assert.ok(!answersChallenge(verifier, ''))
  assert.ok(!answersChallenge(challenge, challenge))
})

test('RFC 7636 §4.1: a verifier has 43 to 128 unreserved characters', () => {
  for (const text of [verifier, 'a'.repeat(43), '~'.repeat(128)]) assert.ok(isVerifier(text))
  for (const text of [
    '',
    'a'.repeat(42),
    'a'.repeat(129),
    `${'a'.repeat(43)}+`,
    `${'a'.repeat(43)}é`,
    `${'a'.repeat(43)}\n`,
  ])
    assert.ok(!isVerifier(text), text)
})

const table: readonly (readonly [string, Record<string, string>, unknown])[] = [
  ['S256', { code_challenge: challenge, code_challenge_method: 'S256' }, ok(challenge)],
  ['nothing at all', {}, ok(null)],
  [
    'plain',
    { code_challenge: challenge, code_challenge_method: 'plain' },
    err({ reason: 'challenge_method_unsupported' }),
  ],
  [
    'an omitted method, which means plain',
    { code_challenge: challenge },
    err({ reason: 'challenge_method_unsupported' }),
  ],
  [
    'another spelling',
    { code_challenge: challenge, code_challenge_method: 's256' },
    err({ reason: 'challenge_method_unsupported' }),
  ],
  [
    'a method without challenge',
    { code_challenge_method: 'S256' },
    err({ reason: 'parameter_missing', name: 'code_challenge' }),
  ],
  [
    'a short challenge',
    { code_challenge: 'abc', code_challenge_method: 'S256' },
    err({ reason: 'parameter_malformed', name: 'code_challenge' }),
  ],
  [
    'a padded challenge',
    { code_challenge: `${challenge}=`, code_challenge_method: 'S256' },
    err({ reason: 'parameter_malformed', name: 'code_challenge' }),
  ],
]
for (const [what, body, want] of table)
  test(`RFC 7636 §4.3, RFC 9700 §2.1.1: a request with ${what}`, () =>
    assert.deepEqual(requestedChallenge(formOf(Object.entries(body))), want))

test('PKCE is for every client, or as chosen, and always for public ones', () => {
  assert.ok(requiresPkce(client({}), { pkce: 'always' }))
  assert.ok(!requiresPkce(client({}), { pkce: 'public_clients' }))
  assert.ok(!requiresPkce(client({ pkce: 'public_clients' }), { pkce: 'always' }))
  assert.ok(requiresPkce(client({ pkce: 'always' }), { pkce: 'public_clients' }))
  assert.ok(
    requiresPkce(client({ token_endpoint_auth_method: 'none', pkce: 'public_clients' }), { pkce: 'public_clients' }),
  )
})

test('RFC 7636 §4.1: a verifier has 43 to 128 characters; five wrong ones spend a code', () => {
  assert.deepEqual(
    [42, 43, 128, 129].map((length) => isVerifier('x'.repeat(length))),
    [false, true, true, false],
  )
  assert.equal(verifierTries, 5)
})
