/** What may be declared of a provider: each field at its edge, and who is wrong is told where and why. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { served } from '@grantor/protocol/documents'
import {
  claimMapping,
  claimsFor,
  isAnswerOf,
  isPolled,
  issuerOfToken,
  longestProviderSecret,
  mostProviders,
  type Provider,
  providerFields,
  providerPresets,
  readProvider,
  scopesOf,
  upstreamStrength,
  usernamesFor,
  verifiedEmail,
} from '../../src/providers/index.ts'
import { ldapFilterFor, ldapSubjectAttribute, longestPem, parseLdapHost } from '../../src/providers/ldap.ts'
import type { Json, JsonObject } from '../../src/types.ts'

const oidc = { id: 'corp', kind: 'oidc', name: 'Corp', issuer: 'https://corp.example', client_id: 'us' }
const ldap = {
  id: 'corp',
  kind: 'ldap',
  name: 'Corp',
  hosts: ['ldaps://ldap.example.com'],
  base_dn: 'dc=example,dc=com',
  client_id: 'cn=searcher',
}
const certificate = readFileSync(new URL('providers.test.ts', import.meta.url), 'utf8').match(
  /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/,
)?.[0]
assert.ok(certificate)
const saml = {
  id: 'corp',
  kind: 'saml',
  name: 'Corp',
  client_id: 'us',
  issuer: 'urn:corp',
  sso_url: 'https://idp.example.com/sso',
  certificates: certificate,
}
const apple = { id: 'apple', kind: 'apple', client_id: 'us', team_id: 'T', key_id: 'K' }
const problems = (it: JsonObject): readonly string[] => {
  const result = readProvider(it, served)
  return result.kind === 'ok' ? [] : result.error.map(({ field, problem }) => `${field} ${problem}`)
}
const read = (it: JsonObject): Provider => {
  const result = readProvider(it, served)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}
const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example`)
const words = (count: number) => ['openid', ...Array.from({ length: count - 1 }, (_, n) => `s${n}`)]
const groups = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`cn=${n}`, `g${n}`]))
const filter = (length: number) => `(uid={username}${'x'.repeat(length - 16)})`

const taken: readonly JsonObject[] = [
  oidc,
  ldap,
  saml,
  apple,
  { ...oidc, id: 'x'.repeat(40) },
  { ...oidc, id: '0' },
  { ...oidc, id: 'a-b' },
  { ...oidc, name: null, kind: 'google' },
  { ...oidc, client_id: 'c'.repeat(512) },
  { ...oidc, scopes: words(30) },
  { ...oidc, scopes: ['openid', 's'.repeat(200)] },
  { ...oidc, domains: domains(100) },
  { ...oidc, claims: { username: 'u', email: 'c'.repeat(200) } },
  { ...oidc, create: true, trust_email: true, trust_amr: true, disabled: false },
  { ...oidc, signals_url: 'https://corp.example/poll', signals_scope: 'ssf.read' },
  { ...oidc, signals_url: 'https://corp.example/poll' },
  { ...oidc, id_token_signed_response_alg: 'ES384' },
  { ...apple, team_id: 't'.repeat(40), key_id: 'k'.repeat(40) },
  { ...ldap, hosts: Array.from({ length: 10 }, (_, n) => `ldaps://ldap${n}.example.com`) },
  { ...ldap, base_dn: 'd'.repeat(512) },
  { ...ldap, filter: filter(1000) },
  { ...ldap, filter: '(&(uid={username})(!(cn=x)))' },
  { ...ldap, subject_attribute: `a${'b'.repeat(99)}` },
  { ...ldap, subject_attribute: '1.2.3' },
  { ...ldap, groups: groups(200) },
  { ...ldap, groups: { ['d'.repeat(512)]: 'g'.repeat(512) } },
  { ...ldap, ca: `${certificate}\n${certificate}` },
  { ...ldap, ca: certificate.padEnd(longestPem) },
  { ...ldap, kind: 'active_directory', trust_email: true },
  { ...saml, subject_attribute: 'urn:oid:0.9.2342.19200300.100.1.1' },
  { ...saml, subject_attribute: 'x'.repeat(1024) },
  { ...saml, issuer: `urn:${'x'.repeat(1020)}` },
  ...[389, 636, 3268, 3269].map((port) => ({ ...ldap, hosts: [`ldap://ldap.example.com:${port}`] })),
]
for (const it of taken)
  test(`a provider is taken: ${JSON.stringify(it).slice(0, 150)}`, () => assert.deepEqual(problems(it), []))

const needed = 'is needed'
const apart = (kinds: string) => `is of the kind ${kinds} alone`
const known = Object.keys(providerFields).join(', ')
const pem = 'must be certificates in PEM'
const groupNames = 'must name a group of ours for each of theirs'
const unbalanced = 'must be one filter in parentheses (RFC 4515)'
const notHost = /^hosts\b.* must be ldaps:\/\/host or ldap:\/\/host \(StartTLS\), with a port or without$/
const attribute = 'must be the name of an attribute (RFC 4512)'
const refused: readonly (readonly [
  of: JsonObject & { readonly kind: string },
  more: JsonObject,
  problem: string | RegExp,
])[] = [
  ...(['id', 'kind', 'client_id', 'name', 'issuer'] as const).map(
    (field) => [oidc, { [field]: null }, `${field} ${needed}`] as const,
  ),
  [oidc, { role: 'x' }, `role is not known here; known are ${known}`],
  [oidc, { toString: 'x' }, `toString is not known here; known are ${known}`],
  ...['x'.repeat(41), 'a-', '-a', 'A', '', 7].map(
    (id) => [oidc, { id }, 'id must be 1 to 40 of a-z, 0-9 and inner hyphens'] as const,
  ),
  ...['?x', '#x'].map((more) => [oidc, { issuer: `https://corp.example/${more}` }, /^issuer /] as const),
  ...['a', 'A.example', 7, ''].map(
    (domain) => [oidc, { domains: [domain] }, /^domains\b.* must be a domain in lower case$/] as const,
  ),
  [oidc, { domains: domains(101) }, /^domains /],
  [oidc, { scopes: words(31) }, /^scopes /],
  ...['s'.repeat(201), 'a b', 'a"', '', 7].map(
    (scope) => [oidc, { scopes: ['openid', scope] }, /^scopes\b.* must be a scope \(RFC 6749\)$/] as const,
  ),
  [oidc, { scopes: ['email'] }, 'scopes must hold openid'],
  [oidc, { client_id: 'c'.repeat(513) }, 'client_id must not be longer than 512 characters'],
  [oidc, { claims: [] }, 'claims must be an object of names of claims'],
  [oidc, { claims: { role: 'x' } }, 'claims must hold username and claims of a person only'],
  ...['', 7, 'c'.repeat(201)].map(
    (name) =>
      [oidc, { claims: { username: 'u', email: name } }, 'claims must name a claim of the provider for each'] as const,
  ),
  [
    oidc,
    { kind: 'microsoft', trust_email: true },
    'trust_email must not be true: this kind of provider does not check the addresses of its accounts',
  ],
  [oidc, { signals_scope: 'ssf.read' }, 'signals_scope means nothing without signals_url'],
  [oidc, { signals_url: 'http://corp.example/' }, /^signals_url /],
  ...[saml, ldap].map(
    (of) =>
      [of, { signals_url: 'https://corp.example/' }, 'signals_url is of providers of OpenID Connect alone'] as const,
  ),
  ...['HS256', 'none', '', 7].map(
    (alg) => [oidc, { id_token_signed_response_alg: alg }, /^id_token_signed_response_alg /] as const,
  ),
  [
    saml,
    { id_token_signed_response_alg: 'RS256' },
    'id_token_signed_response_alg is of providers of OpenID Connect alone',
  ],
  ...(['team_id', 'key_id'] as const).flatMap((field) => [
    [apple, { [field]: null }, `${field} ${needed}`] as const,
    [apple, { [field]: 't'.repeat(41) }, `${field} must not be longer than 40 characters`] as const,
    [oidc, { [field]: 't' }, `${field} ${apart('apple')}`] as const,
  ]),
  ...(['hosts', 'base_dn'] as const).map((field) => [ldap, { [field]: null }, `${field} ${needed}`] as const),
  [ldap, { hosts: [] }, `hosts ${needed}`],
  ...(['sso_url', 'certificates'] as const).map((field) => [saml, { [field]: null }, `${field} ${needed}`] as const),
  ...Object.entries({ hosts: ldap.hosts, base_dn: 'x', ca: certificate, filter: filter(20), groups: {} }).flatMap(
    ([field, value]) =>
      [oidc, saml].map((of) => [of, { [field]: value }, `${field} ${apart('ldap or active_directory')}`] as const),
  ),
  [oidc, { subject_attribute: 'x' }, `subject_attribute ${apart('ldap or active_directory or saml')}`],
  ...Object.entries({ sso_url: saml.sso_url, certificates: certificate }).flatMap(([field, value]) =>
    [oidc, ldap].map((of) => [of, { [field]: value }, `${field} ${apart('saml')}`] as const),
  ),
  ...[ldap, saml].map((of) => [of, { scopes: ['openid'] }, 'scopes means nothing to this kind'] as const),
  [ldap, { trust_amr: true }, 'trust_amr must not be true: a directory says nothing of how people signed in'],
  [ldap, { hosts: Array.from({ length: 11 }, (_, n) => `ldaps://ldap${n}.example.com`) }, /^hosts /],
  ...['https://a.example', 'ldaps://', 'ldaps://a.example:0', 'ldaps://a.example:65536', 'ldaps://[', 7].map(
    (host) => [ldap, { hosts: [host] }, notHost] as const,
  ),
  [ldap, { hosts: ['ldaps://10.0.0.1'] }, /^hosts\b.* must not name a private host/],
  ...[1, 390, 635, 65_535].map(
    (port) => [ldap, { hosts: [`ldaps://a.example.com:${port}`] }, /^hosts\b.* must use a port of LDAP/] as const,
  ),
  [ldap, { base_dn: 'd'.repeat(513) }, 'base_dn must not be longer than 512 characters'],
  [ldap, { filter: '' }, 'filter must not be empty'],
  [ldap, { filter: filter(1001) }, 'filter must not be longer than 1000 characters'],
  [ldap, { filter: '(uid=ada)' }, 'filter must compare something with {username}'],
  ...[
    'uid={username}',
    '(uid={username}',
    '(uid={username}))',
    '(uid={username})(cn=x)',
    ')(uid={username}',
    '(uid={username}) ',
  ].map((it) => [ldap, { filter: it }, `filter ${unbalanced}`] as const),
  ...['entry UUID', '', '1', `a${'b'.repeat(100)}`, 7].map(
    (it) => [ldap, { subject_attribute: it }, `subject_attribute ${attribute}`] as const,
  ),
  [saml, { subject_attribute: 'x'.repeat(1025) }, 'subject_attribute must not be longer than 1024 characters'],
  [ldap, { groups: [] }, 'groups must be an object of names of groups'],
  [ldap, { groups: groups(201) }, 'groups must not hold more than 200 entries'],
  ...[{ a: '' }, { '': 'a' }, { a: 7 }, { a: 'b', c: 'd'.repeat(513) }, { ['d'.repeat(513)]: 'b' }].map(
    (it) => [ldap, { groups: it }, `groups ${groupNames}`] as const,
  ),
  ...[
    '',
    'x',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    `${certificate}\n${certificate.replace(/MII/, 'AAA')}`,
  ].map((ca) => [ldap, { ca }, `ca ${pem}`] as const),
  ...[7, certificate.padEnd(longestPem + 1)].map(
    (ca) => [ldap, { ca }, `ca must be a text of at most ${longestPem}`] as const,
  ),
  [saml, { sso_url: 'http://idp.example.com/' }, /^sso_url /],
  ...['SAMLRequest', 'RelayState'].map(
    (name) =>
      [
        saml,
        { sso_url: `https://idp.example.com/?${name}=x` },
        `sso_url must not hold ${name} in its query, which we add`,
      ] as const,
  ),
]
for (const [of, more, problem] of refused)
  test(`of a provider of kind ${of.kind} with ${JSON.stringify(more).slice(0, 90)} it is told: ${problem}`, () => {
    const told = problems({ ...of, ...more })
    assert.equal(told.length, 1, told.join('; '))
    if (typeof problem === 'string') assert.deepEqual(told, [problem])
    else assert.match(told[0] ?? '', problem)
  })

test('what the operator named may be private and of any port', () => {
  const allowing = { ...served, addresses: { ...served.addresses, outboundAllow: new Set(['10.0.0.1']) } }
  assert.equal(readProvider({ ...ldap, hosts: ['ldaps://10.0.0.1:7000'] }, allowing).kind, 'ok')
})

test('a certificate bundle has at most 64 KiB', () => assert.equal(longestPem, 65_536))

test('what an API describes of a field is what is taken of it', () => {
  const lengths = Object.fromEntries(
    Object.entries(providerFields).map(([name, { schema }]) => [name, schema['maxLength'] ?? schema['maxProperties']]),
  )
  assert.deepEqual(
    [lengths['id'], lengths['filter'], lengths['groups'], lengths['ca'], lengths['subject_attribute']],
    [40, 1000, 200, longestPem, 100],
  )
  const inner = (name: keyof typeof providerFields) => {
    const { items, additionalProperties } = providerFields[name].schema as {
      items?: JsonObject
      additionalProperties?: JsonObject
    }
    const it = items ?? additionalProperties
    return [it?.['type'], it?.['minLength'], it?.['maxLength']]
  }
  assert.deepEqual(inner('claims'), ['string', 1, 200])
  assert.deepEqual(inner('groups'), ['string', 1, 512])
  assert.deepEqual(inner('hosts'), ['string', 1, 300])
  assert.deepEqual(inner('scopes'), ['string', 1, 200])
  assert.deepEqual(inner('domains'), ['string', 3, 253])
  for (const name of ['claims', 'groups'] as const) assert.equal(providerFields[name].schema['type'], 'object')
  assert.deepEqual(
    ['id', 'ca'].map((name) => providerFields[name as 'id'].schema['type']),
    ['string', 'string'],
  )
})

test('a host of a directory is read with its port, and an address without its brackets', () => {
  const none = new Set<string>()
  const host = (text: string, allow = none) => parseLdapHost(text, allow)
  assert.deepEqual(host('LDAP://Ldap.Example.com/'), {
    scheme: 'ldap',
    host: 'ldap.example.com',
    port: 389,
    allowed: false,
  })
  assert.deepEqual(host('ldaps://[2001:db8::1]:3269'), {
    scheme: 'ldaps',
    host: '2001:db8::1',
    port: 3269,
    allowed: false,
  })
  assert.deepEqual([host('ldaps://a.example:1')?.port, host('ldaps://a.example:65535')?.port], [1, 65_535])
  assert.equal(host('ldaps://a.example:0'), null)
  assert.equal(host('ldaps://a.example:65536'), null)
  assert.equal(host('ldaps://10.0.0.1:7000', new Set(['10.0.0.1']))?.allowed, true)
  assert.equal(host('ldaps://10.0.0.1:7000', new Set(['10.0.0.1:636']))?.allowed, false)
})

test('where nothing is declared people are found by what every directory of the kind has', () => {
  assert.equal(ldapFilterFor({ kind: 'ldap' }, 'a*'), '(|(uid=a\\2a)(mail=a\\2a))')
  const active = ldapFilterFor({ kind: 'active_directory' }, 'ada')
  assert.match(active, /\(sAMAccountName=ada\)\(userPrincipalName=ada\)/)
  assert.match(active, /\(!\(userAccountControl:1\.2\.840\.113556\.1\.4\.803:=2\)\)/, 'nobody who is disabled')
  const kinds = ['ldap', 'active_directory'] as const
  assert.deepEqual(
    kinds.map((kind) => ldapSubjectAttribute({ kind })),
    ['entryUUID', 'objectGUID'],
  )
  assert.equal(ldapSubjectAttribute({ kind: 'ldap', subject_attribute: 'uid' }), 'uid')
})

test('what each kind of provider is like', () => {
  const facts = Object.fromEntries(
    Object.entries(providerPresets).map(([kind, it]) => [
      kind,
      `${it.protocol} ${it.issuer} ${it.name} [${it.scopes.join(' ')}] ${it.claims.username} ${it.claims.name}` +
        [
          it.needsSecret && ' secret',
          it.pkce && ' pkce',
          it.formPost && ' form',
          it.asksAgain && ' again',
          it.verifiesEmail && ' email',
        ]
          .filter(Boolean)
          .join(''),
    ]),
  )
  assert.deepEqual(facts, {
    oidc: 'oidc null null [openid profile email] preferred_username name pkce again email',
    google: 'oidc https://accounts.google.com Google [openid profile email] preferred_username name secret pkce email',
    microsoft:
      'oidc https://login.microsoftonline.com/common/v2.0 Microsoft [openid profile email] preferred_username name secret pkce again',
    apple: 'oidc https://appleid.apple.com Apple [openid name email] preferred_username name secret form email',
    gitlab: 'oidc https://gitlab.com GitLab [openid profile email] nickname name secret pkce again email',
    github: 'github https://github.com GitHub [read:user user:email] login name secret pkce email',
    saml: 'saml null null [] uid displayName again email',
    ldap: 'ldap null null [] uid cn secret again email',
    active_directory: 'ldap null null [] sAMAccountName displayName secret again email',
  })
})

test('what a preset says holds where nothing else is declared', () => {
  assert.deepEqual(scopesOf(read(oidc)), ['openid', 'profile', 'email'])
  assert.deepEqual(scopesOf(read({ ...oidc, scopes: ['openid'] })), ['openid'])
  assert.equal(claimMapping(read({ ...oidc, claims: { username: 'upn' } }))['username'], 'upn')
  assert.equal(read(apple).name, 'Apple')
  const directory = { given_name: 'givenName', family_name: 'sn', email: 'mail', locale: 'preferredLanguage' }
  assert.deepEqual(claimMapping(read(ldap)), { username: 'uid', name: 'cn', ...directory })
  const github = { id: 'github', kind: 'github', client_id: 'us' }
  assert.deepEqual(claimMapping(read(github)), {
    username: 'login',
    name: 'name',
    email: 'email',
    email_verified: 'email_verified',
  })
  // Where a preset has no word for it, it is called by ours.
  assert.equal(verifiedEmail({ mail: 'ada@example.com', email_verified: true }, read(saml)), 'ada@example.com')
  assert.deepEqual([mostProviders, longestProviderSecret], [50, 4096])
})

test('a provider is asked for events where it is served and says where', () => {
  const signals_url = 'https://corp.example/poll'
  assert.equal(isPolled({ signals_url }), true)
  assert.equal(isPolled({ signals_url, disabled: false }), true)
  assert.equal(isPolled({ signals_url, disabled: true }), false)
  assert.equal(isPolled({}), false)
})

const said: JsonObject = {
  preferred_username: 'ada',
  name: 'Ada',
  given_name: 'A',
  family_name: 'L',
  locale: 'en',
  email: 'ada@example.com',
  email_verified: true,
  birthdate: '1815-12-10',
}

test('an account is made with what is mapped, and with nothing else that a provider says', () => {
  const names = { name: 'Ada', given_name: 'A', family_name: 'L', locale: 'en' }
  assert.deepEqual(claimsFor(said, read(oidc)), { ...names, email: 'ada@example.com' })
  assert.deepEqual(claimsFor(said, read({ ...oidc, trust_email: true })), {
    ...names,
    email: 'ada@example.com',
    email_verified: true,
  })
  assert.deepEqual(claimsFor({ ...said, email_verified: false }, read(oidc)), names)
  assert.deepEqual(
    claimsFor({ ...said, name: 'A\u0000', locale: 7 }, read({ ...oidc, claims: { birthdate: 'birthdate' } })),
    {
      given_name: 'A',
      family_name: 'L',
      birthdate: '1815-12-10',
      email: 'ada@example.com',
    },
  )
  // Other names of the same; and no claim is a truth value or an object of theirs.
  const mapped = read({
    ...oidc,
    claims: { email: 'upn', email_verified: 'ok', updated_at: 'changed', address: 'home' },
  })
  const other = { upn: 'b@example.com', ok: 'true', changed: 7, home: { locality: 'x' } }
  assert.deepEqual(claimsFor(other, mapped), { email: 'b@example.com', updated_at: 7 })
  assert.deepEqual(claimsFor({ changed: 7.5 }, mapped), {})
  const phone = read({ ...oidc, claims: { phone_number_verified: 'checked', address: 'home' } })
  assert.deepEqual(claimsFor({ checked: 'true', home: 'a text' }, phone), {})
})

test('an address counts where it is verified and is one', () => {
  const provider = read(oidc)
  assert.equal(verifiedEmail(said, provider), 'ada@example.com')
  for (const more of [
    { email: 'ada' },
    { email: 7 },
    { email_verified: 'yes' },
    { email_verified: null },
    { email_verified: 1 },
  ])
    assert.equal(verifiedEmail({ ...said, ...more }, provider), null, JSON.stringify(more))
})

test('a new account is called as they are called there, else by their address', () => {
  const provider = read(oidc)
  assert.deepEqual(usernamesFor(said, provider), ['ada', 'ada@example.com'])
  assert.deepEqual(usernamesFor({ ...said, preferred_username: 'a b' }, provider), ['ada@example.com'])
  assert.deepEqual(usernamesFor({ ...said, preferred_username: 7, email_verified: false }, provider), [])
})

test('RFC 8176 §2: every registered method of a provider that is believed is told on', () => {
  const methods = 'face fpt geo hwk iris kba mca mfa otp pin pop pwd rba retina sc sms swk tel user vbm wia'.split(' ')
  assert.deepEqual(upstreamStrength({ amr: methods }, { trusted: true }).amr, methods)
  const acrOf = (acr: Json, amr: readonly string[] = []) =>
    upstreamStrength({ acr, amr: [...amr] }, { trusted: true }).acr
  assert.deepEqual(
    ['phr', 'phrh', 'urn:grantor:acr:2fa', 'urn:grantor:acr:1fa', 'x', 7].map((acr) => acrOf(acr)),
    ['phr', 'phr', 'urn:grantor:acr:2fa', 'urn:grantor:acr:1fa', 'urn:grantor:acr:1fa', 'urn:grantor:acr:1fa'],
  )
  assert.equal(acrOf('x', ['otp']), 'urn:grantor:acr:1fa')
})

test('an issuer without a template is compared as it is, whatever directory a token names', () => {
  const tid = '9188040d-6c67-4c5b-b112-36a304b66dad'
  assert.equal(issuerOfToken({ iss: 'https://a.example' }, 'https://a.example'), 'https://a.example')
  assert.equal(issuerOfToken({ iss: 'https://b.example', tid }, 'https://a.example'), null)
  const template = 'https://login.example/{tenantid}/v2.0'
  for (const iss of [
    `https://login.example/${tid}/v2.1`,
    `https://evil.example/${tid}/v2.0`,
    `https://login.example/${tid}x/v2.0`,
  ])
    assert.equal(isAnswerOf(iss, template, true), false, iss)
  assert.equal(isAnswerOf(`https://login.example/${tid}`, 'https://login.example/{tenantid}', true), true)
  assert.equal(isAnswerOf(tid, '{tenantid}', true), true)
})
