/** Assertions of SAML providers: every check on its own, at its very edge; and what is read of one that is good. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samlAuthentication, samlClaims, type SamlElement, samlProblem, samlSubject } from '../../src/providers/saml.ts'
import { at } from '../samples.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const leeway = 60
const instant = (offset: number): string => new Date(now + offset).toISOString()
const on = {
  issuer: 'https://idp.example/entity',
  audience: 'https://as.example/saml',
  recipient: 'https://as.example/acs',
  inResponseTo: '_request',
  now: at(now),
  leeway,
}
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const data = { Recipient: on.recipient, InResponseTo: on.inResponseTo, NotOnOrAfter: instant(1000) }
const confirmation = (more: Readonly<Record<string, string>> = {}, method = bearer): SamlElement => ({
  $: { Method: method },
  SubjectConfirmationData: [{ $: { ...data, ...more } }],
})
const audience = (...names: readonly string[]): SamlElement => ({ Audience: names.map((name) => ({ _: ` ${name} ` })) })
const conditions = (more: Readonly<Record<string, string>> = {}): SamlElement => ({
  $: { NotBefore: instant(0), NotOnOrAfter: instant(1000), ...more },
  AudienceRestriction: [audience(on.audience)],
})
const statement: SamlElement = { $: { AuthnInstant: instant(-1000) } }
const good: SamlElement = {
  $: { Version: '2.0' },
  Issuer: [{ _: on.issuer }],
  Subject: [{ SubjectConfirmation: [confirmation()] }],
  Conditions: [conditions()],
  AuthnStatement: [statement],
}
const without = (element: SamlElement, name: string): SamlElement =>
  Object.fromEntries(Object.entries(element).filter(([key]) => key !== name))
const confirmed = (...all: readonly SamlElement[]): SamlElement => ({
  ...good,
  Subject: [{ SubjectConfirmation: all }],
})
const held = (it: SamlElement): SamlElement => ({ ...good, Conditions: [it] })
const dataWithout = (name: keyof typeof data): SamlElement => ({
  $: { Method: bearer },
  SubjectConfirmationData: [{ $: Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)) }],
})

const session = (ends: string): SamlElement => ({
  ...good,
  AuthnStatement: [{ $: { ...statement.$, SessionNotOnOrAfter: ends } }],
})

const cases: readonly (readonly [what: string, assertion: SamlElement, problem: string | null])[] = [
  ['whole', good, null],
  ['with an issuer that has blanks around it', { ...good, Issuer: [{ _: `\n ${on.issuer} ` }] }, null],
  ['of version 1.1', { ...good, $: { Version: '1.1' } }, 'saml_version'],
  ['of no version', without(good, '$'), 'saml_version'],
  ['of another issuer', { ...good, Issuer: [{ _: 'https://evil.example' }] }, 'saml_issuer'],
  ['of no issuer', without(good, 'Issuer'), 'saml_issuer'],
  ['of two issuers', { ...good, Issuer: [{ _: on.issuer }, { _: on.issuer }] }, 'saml_issuer'],
  ['about nobody', without(good, 'Subject'), 'saml_confirmation'],
  ['about two people', { ...good, Subject: [{ SubjectConfirmation: [confirmation()] }, {}] }, 'saml_confirmation'],
  ['that nobody may bring', confirmed(), 'saml_confirmation'],
  ['for the holder of a key', confirmed(confirmation({}, `${bearer}x`)), 'saml_confirmation'],
  ['for another address', confirmed(confirmation({ Recipient: 'https://evil.example' })), 'saml_recipient'],
  ['for no address', confirmed(dataWithout('Recipient')), 'saml_recipient'],
  ['without data of its confirmation', confirmed({ $: { Method: bearer } }), 'saml_recipient'],
  ['in answer to another request', confirmed(confirmation({ InResponseTo: '_other' })), 'saml_in_response_to'],
  ['that nobody asked for', confirmed(dataWithout('InResponseTo')), 'saml_in_response_to'],
  ['confirmed without an end', confirmed(dataWithout('NotOnOrAfter')), 'saml_confirmation_time'],
  ['confirmed until just now', confirmed(confirmation({ NotOnOrAfter: instant(-60_000) })), 'saml_confirmation_time'],
  ['confirmed a moment longer', confirmed(confirmation({ NotOnOrAfter: instant(-59_999) })), null],
  ['confirmed from a time on', confirmed(confirmation({ NotBefore: instant(-1) })), 'saml_confirmation_time'],
  ['confirmed twice, once for us', confirmed(confirmation({ Recipient: 'x' }), confirmation()), null],
  [
    'confirmed twice, never for us',
    confirmed(confirmation({ Recipient: 'x' }), confirmation({ InResponseTo: 'y' })),
    'saml_recipient',
  ],
  ['without conditions', without(good, 'Conditions'), 'saml_conditions'],
  ['with two conditions', { ...good, Conditions: [conditions(), conditions()] }, 'saml_conditions'],
  ['without times', held(without(conditions(), '$')), null],
  ['that begins when clocks may still differ', held(conditions({ NotBefore: instant(60_000) })), null],
  ['that begins a moment later', held(conditions({ NotBefore: instant(60_001) })), 'saml_conditions_time'],
  [
    'that ended as long ago as clocks may differ',
    held(conditions({ NotOnOrAfter: instant(-60_000) })),
    'saml_conditions_time',
  ],
  ['that ended a moment later', held(conditions({ NotOnOrAfter: instant(-59_999) })), null],
  ...[
    '2026-06-01T12:00:00',
    '2026-06-01T12:00:00+00:00',
    '2026-06-01',
    'soon',
    '',
    '2026-13-01T12:00:00Z',
    '2026-06-01T12:00:00.1234567890Z',
  ].flatMap(
    (text) =>
      [
        [`that begins at ${text}`, held(conditions({ NotBefore: text })), 'saml_conditions_time'],
        [`that ends at ${text}`, held(conditions({ NotOnOrAfter: text })), 'saml_conditions_time'],
        [`confirmed until ${text}`, confirmed(confirmation({ NotOnOrAfter: text })), 'saml_confirmation_time'],
      ] as const,
  ),
  ['that begins at a part of a second', held(conditions({ NotBefore: '2026-06-01T12:00:00.123456789Z' })), null],
  ['for nobody', held(without(conditions(), 'AudienceRestriction')), 'saml_audience'],
  ['for others', held({ ...conditions(), AudienceRestriction: [audience('a', 'b')] }), 'saml_audience'],
  ['for others and us', held({ ...conditions(), AudienceRestriction: [audience('a', on.audience)] }), null],
  [
    'for us, and for others alone',
    held({ ...conditions(), AudienceRestriction: [audience(on.audience), audience('a')] }),
    'saml_audience',
  ],
  ['of nobody who signed in', without(good, 'AuthnStatement'), 'saml_authn_statement'],
  ['of two sign-ins', { ...good, AuthnStatement: [statement, statement] }, 'saml_authn_statement'],
  ['of a sign-in at no time', { ...good, AuthnStatement: [{}] }, 'saml_authn_instant'],
  ['of a session that ends later', session(instant(1)), null],
  ['of a session that is over', session(instant(0)), 'saml_session_time'],
  ['of a session that ends at no moment', session('never'), 'saml_session_time'],
  ['of a sign-in at no moment', { ...good, AuthnStatement: [{ $: { AuthnInstant: 'now' } }] }, 'saml_authn_instant'],
]
for (const [what, assertion, problem] of cases)
  test(`SAML Profiles §4.1.4.3: an assertion ${what}: ${problem ?? 'good'}`, () =>
    assert.equal(samlProblem(assertion, on), problem))

test('what every object inherits is no attribute of an element', () => {
  assert.equal(samlSubject({ Subject: [{ NameID: [{ _: 'ada' }] }] }, 'constructor'), null)
  assert.equal(
    samlProblem({ ...good, $: Object.create({ Version: '2.0' }) as Record<string, string> }, on),
    'saml_version',
  )
})

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const email = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const named = (text: string, format = persistent): SamlElement => ({
  Subject: [{ NameID: [{ $: { Format: format }, _: text }] }],
})
const attributes = (
  ...all: readonly (readonly [Readonly<Record<string, string>>, readonly unknown[]])[]
): SamlElement => ({
  AttributeStatement: [
    { Attribute: all.map(([$, values]) => ({ $, AttributeValue: values as readonly SamlElement[] })) },
  ],
})

test('SAML Core §8.3: a person is called by a name that lasts', () => {
  assert.equal(samlSubject(named(' ada '), null), 'ada')
  assert.equal(samlSubject(named('ada', transient), null), null)
  assert.equal(samlSubject({ Subject: [{ NameID: [{ _: 'ada' }] }] }, null), 'ada')
  for (const none of ['', ' ', 'a\u0007b', 'a\ud800', 'a'.repeat(256)])
    assert.equal(samlSubject(named(none), null), null, none)
  assert.equal(samlSubject(named('a'.repeat(255)), null), 'a'.repeat(255))
  assert.equal(samlSubject({}, null), null)
  assert.equal(samlSubject({ Subject: [{ NameID: [{ _: 'a' }, { _: 'b' }] }] }, null), null)
})

test('where the operator named an attribute, a person is called by its only value', () => {
  const of = (...values: readonly unknown[]) => ({
    ...named('other', transient),
    ...attributes([{ Name: 'employee' }, values]),
  })
  assert.equal(samlSubject(of({ _: '7' }), 'employee'), '7')
  assert.equal(samlSubject(of('7'), 'employee'), '7')
  assert.equal(samlSubject(of('7', '8'), 'employee'), null)
  assert.equal(samlSubject(of(), 'employee'), null)
  assert.equal(samlSubject(named('ada'), 'employee'), null)
})

const aliases: readonly (readonly [name: string, claim: string])[] = [
  ['urn:oid:0.9.2342.19200300.100.1.1', 'uid'],
  ['urn:oid:0.9.2342.19200300.100.1.3', 'mail'],
  ['urn:oid:2.5.4.3', 'cn'],
  ['urn:oid:2.5.4.4', 'sn'],
  ['urn:oid:2.5.4.42', 'givenName'],
  ['urn:oid:2.16.840.1.113730.3.1.39', 'preferredLanguage'],
  ['urn:oid:2.16.840.1.113730.3.1.241', 'displayName'],
  ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', 'mail'],
  ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname', 'givenName'],
  ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname', 'sn'],
  ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name', 'displayName'],
]
for (const [name, claim] of aliases)
  test(`RFC 4519, RFC 2798: ${name} is ${claim}`, () =>
    assert.deepEqual(samlClaims(attributes([{ Name: name }, ['x']]), { believed: false }), {
      [name]: 'x',
      [claim]: 'x',
      email_verified: false,
    }))

test('an attribute is known by its name and by its friendly name, and the first of several stands', () => {
  const said = attributes(
    [{ Name: 'urn:x', FriendlyName: 'mail' }, ['one', 'two']],
    [{ Name: 'mail' }, ['three']],
    [{ Name: 'empty' }, []],
    [{}, ['nameless']],
    [{ Name: '', FriendlyName: '' }, ['nameless']],
  )
  assert.deepEqual(samlClaims(said, { believed: true }), { 'urn:x': 'one', mail: 'one', email_verified: true })
  assert.deepEqual(samlClaims({}, { believed: false }), { email_verified: false })
})

test('SAML Core §8.3.2: a name that is an address is one, unless an attribute says it', () => {
  assert.equal(samlClaims(named(' ada@example.com ', email), { believed: false })['mail'], 'ada@example.com')
  assert.equal(samlClaims(named('ada@example.com'), { believed: false })['mail'], undefined)
  const both = { ...named('ada@example.com', email), ...attributes([{ Name: 'mail' }, ['ada@corp.example']]) }
  assert.equal(samlClaims(both, { believed: false })['mail'], 'ada@corp.example')
})

const classes: readonly (readonly [context: string, amr: readonly string[]])[] = [
  ['urn:oasis:names:tc:SAML:2.0:ac:classes:Password', ['pwd']],
  ['urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport', ['pwd']],
  ['urn:oasis:names:tc:SAML:2.0:ac:classes:Smartcard', ['sc']],
  ['urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI', ['sc']],
  ['urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken', ['otp']],
  ['urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract', ['mfa']],
  ['https://refeds.org/profile/mfa', ['mfa']],
  ['http://schemas.microsoft.com/claims/multipleauthn', ['mfa']],
  ['urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified', []],
  ['constructor', []],
]
for (const [context, amr] of classes)
  test(`SAML Authentication Context §3.4, RFC 8176: ${context} is ${amr.join() || 'nothing known'}`, () => {
    const authn = {
      $: { AuthnInstant: '2026-06-01T11:59:00.900Z' },
      AuthnContext: [{ AuthnContextClassRef: [{ _: context }] }],
    }
    assert.deepEqual(samlAuthentication({ AuthnStatement: [authn] }), { amr, auth_time: now / 1000 - 60 })
  })

test('the session of a provider is kept where it is named', () => {
  const authn = { $: { AuthnInstant: instant(0), SessionIndex: '_s' } }
  assert.deepEqual(samlAuthentication({ AuthnStatement: [authn] }), { amr: [], auth_time: now / 1000, sid: '_s' })
  assert.deepEqual(samlAuthentication({}), { amr: [], auth_time: 0 })
})
