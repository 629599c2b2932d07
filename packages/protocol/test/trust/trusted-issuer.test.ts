/** What a file may say of an issuer that is trusted, and what is told of each mistake. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { claimsProblem } from '../../src/trust/claim-rules.ts'
import { mostTrustedIssuers, readTrustedIssuer } from '../../src/trust/trusted-issuer.ts'
import type { JsonObject } from '../../src/types.ts'

const rule = { claims: { sub: 'a' }, client: 'web' }
const least: JsonObject = { issuer: 'https://idp.example' }

function problems(more: object): readonly string[] {
  const read = readTrustedIssuer({ ...least, ...more }, served)
  if (read.kind === 'error') {
    assert.notDeepEqual(read.error, [])
    return read.error.map(({ field, problem }) => `${field} ${problem}`)
  }
  assert.deepEqual(read.value, { ...least, ...more })
  return []
}

const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...rule, claims: { sub: `a${n}` } }))
const links = (count: number) => Array.from({ length: count }, (_, n) => ({ sub: `s${n}`, username: 'u' }))
const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example`)
const linkProblem = 'people must list at most 1000 linked people, each with sub and username'
const domainProblem = 'people must list at most 100 email_domains in lower case'
const nothingElse = 'rules holds a rule that must hold claims and client, nothing else'

const table: readonly (readonly [more: object, ...problems: string[]])[] = [
  [{}],
  [{ issuer: 'https://idp.example/tenant', audience: 'grantor', single_use: false, rules: [rule] }],
  [{ issuer: 'https://idp.example?x' }, 'issuer must not hold a query or a fragment'],
  [{ issuer: 'https://idp.example#x' }, 'issuer must not have a fragment'],
  [{ jwks_uri: 'https://idp.example/keys' }],
  [
    { jwks_uri: 'https://idp.example/keys', jwks: { keys: [] } },
    'jwks must be a JWK set with at least one key',
    'jwks must not stand beside jwks_uri',
  ],
  [{ rules: {} }, 'rules must be a list'],
  [{ rules: [7] }, 'rules holds a rule that must be an object'],
  [{ rules: [{ ...rule, more: 1 }] }, nothingElse],
  [{ rules: [{ claims: { sub: 'a' } }] }, 'rules holds a rule that must name a client'],
  [{ rules: [{ ...rule, client: '' }] }, 'rules holds a rule that must name a client'],
  [{ rules: [rule, rule] }, 'rules holds two rules over the same claims, of which one never counts'],
  [
    { rules: [rule, { ...rule, client: 'other' }] },
    'rules holds two rules over the same claims, of which one never counts',
  ],
  [{ rules: many(200) }],
  [{ rules: many(201) }, 'rules must not hold more than 200 rules'],
  [{ people: [] }, 'people must be an object'],
  [{ people: {} }, 'people must hold linked people, or email_domains'],
  [
    { people: { email_domains: ['a.example'], more: 1 } },
    'people must hold claims, linked and email_domains, nothing else',
  ],
  [
    { people: { email_domains: ['a.example'], claims: {} } },
    'people has claims that must name at least one claim and its value',
  ],
  [{ people: { email_domains: ['a.example'], claims: { tenant: 't' } } }],
  [{ people: { linked: links(1000) } }],
  [{ people: { linked: links(1001) } }, linkProblem],
  [{ people: { linked: 'x' } }, linkProblem],
  [{ people: { linked: [{ sub: 'a' }] } }, linkProblem],
  [{ people: { linked: [{ sub: 'a', username: '' }] } }, linkProblem],
  [{ people: { linked: [{ sub: '', username: 'a' }] } }, linkProblem],
  [{ people: { linked: [{ sub: 'a', username: 'a', more: 1 }] } }, linkProblem],
  [{ people: { linked: [{ sub: 'a'.repeat(255), username: 'a' }] } }],
  [{ people: { linked: [{ sub: 'a'.repeat(256), username: 'a' }] } }, linkProblem],
  [{ people: { linked: [...links(1), ...links(1)] } }, 'people must not link a sub twice'],
  [{ people: { email_domains: domains(100) } }],
  [{ people: { email_domains: domains(101) } }, domainProblem],
  [{ people: { email_domains: ['A.example'] } }, domainProblem],
  [{ people: { email_domains: ['nodot'] } }, domainProblem],
  [{ people: { email_domains: 'a.example' } }, domainProblem],
]

for (const [more, ...expected] of table)
  test(`a trusted issuer with ${JSON.stringify(more).slice(0, 90)}: ${expected[0] ?? 'is one'}`, () =>
    assert.deepEqual(problems(more), expected))

test('every member that means nothing is named, and what has no issuer is none', () => {
  const read = readTrustedIssuer({ audience: 7, secret: 'x', toString: 'y' }, served)
  assert.ok(read.kind === 'error')
  assert.deepEqual(read.error.map(({ field }) => field).toSorted(), ['audience', 'issuer', 'secret', 'toString'])
  assert.match(
    read.error.find(({ field }) => field === 'secret')?.problem ?? '',
    /^is not known here; known are issuer, audience, jwks_uri, jwks, single_use, rules, people$/,
  )
  assert.equal(mostTrustedIssuers, 100)
})

function nested(levels: number): JsonObject {
  return { in: levels === 1 ? 'x' : nested(levels - 1) }
}

const claims: readonly (readonly [claims: unknown, problem: string | null])[] = [
  [{ a: 'x', b: 1, c: true, d: false }, null],
  [{}, 'must name at least one claim and its value'],
  [7, 'must name at least one claim and its value'],
  [{ a: '*' }, 'must say of at least one claim more than that it is there'],
  [{ a: { b: '*' } }, 'must say of at least one claim more than that it is there'],
  [{ a: '*', b: 'x' }, null],
  [{ a: { b: '*', c: 1 } }, null],
  [nested(4), null],
  [nested(5), 'must not be nested deeper than 4 levels'],
  [Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`c${n}`, 'x'])), null],
  [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, 'x'])), 'must not name more than 20 claims'],
  [{ '': 'x' }, 'names a claim that cannot be one'],
  [{ a: 'x', '': 'x' }, 'names a claim that cannot be one'],
  [{ ['n'.repeat(200)]: 'x' }, null],
  [{ ['n'.repeat(201)]: 'x' }, 'names a claim that cannot be one'],
  [{ a: {} }, 'must not hold empty objects'],
  [{ a: '' }, 'must hold texts, numbers, true or false, or objects of them'],
  [{ a: null }, 'must hold texts, numbers, true or false, or objects of them'],
  [{ a: ['x'] }, 'must hold texts, numbers, true or false, or objects of them'],
  [{ a: Number.NaN }, 'must hold texts, numbers, true or false, or objects of them'],
  [{ a: 'x'.repeat(1000) }, null],
  [{ a: 'x'.repeat(1001) }, 'must hold texts, numbers, true or false, or objects of them'],
  [{ a: 'x*' }, null],
  [{ a: '*x*' }, 'must not hold more than one * in a text'],
]

for (const [given, expected] of claims)
  test(`claims ${JSON.stringify(given).slice(0, 60)}: ${expected ?? 'can be asked for'}`, () =>
    assert.equal(claimsProblem(given), expected))
