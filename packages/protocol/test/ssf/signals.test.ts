/** Shared Signals: which entries of the log are told, what a transmitter says of itself, who is meant, and what a poll says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { signalsOf } from '../../src/ssf/caep.ts'
import { ssfConfiguration } from '../../src/ssf/configuration.ts'
import { setMediaType, setType, signalsSupported, signalType } from '../../src/ssf/event-types.ts'
import { readPollAnswer, setErrorOf } from '../../src/ssf/poll-answer.ts'
import { pollBounds, readPoll } from '../../src/ssf/poll.ts'
import { mostStreamsOfClient, mostStreamsOfTenant, mostSubjectsOfStream, streamStatuses } from '../../src/ssf/stream.ts'
import { readSubject, sessionSubject, subjectBounds, subjectOfSignal } from '../../src/ssf/subject.ts'
import type { Json, JsonObject } from '../../src/types.ts'
import { at } from '../samples.ts'

const caep = 'https://schemas.openid.net/secevent/caep/event-type'
type Event = Parameters<typeof signalsOf>[0]
const user = { kind: 'user', id: 'ada' } as const
const event = (name: Event['name'], data: Event['data'], more: Partial<Event> = {}): Event => ({
  name,
  data,
  subject: 'ada',
  at: at(1_800_000_000_999),
  actor: user,
  ...more,
})
/** As short as it can be told: the last word of the type, of whom, of which session, and what is said. */
const told = (it: Event) =>
  signalsOf(it).map(({ type, subject, sid, tellsClaims, body }) => {
    const { event_timestamp: time, initiating_entity: by, ...said } = body
    assert.equal(time, 1_800_000_000)
    const words = [
      type.replace(`${caep}/`, ''),
      subject,
      sid,
      tellsClaims ? 'claims' : null,
      by,
      ...Object.values(said),
    ]
    return words.filter((word) => typeof word === 'string').join(' ')
  })

test('CAEP 1.0 §3: what happened is told as what it is there, and nothing else of the log', () => {
  const rows: readonly (readonly [Event, readonly string[]])[] = [
    [event('session.ended', { sid: 's1' }), ['session-revoked ada s1 user']],
    [event('session.ended', {}), ['session-revoked ada user']],
    [event('session.ended', null), ['session-revoked ada user']],
    [event('session.ended', { sid: 7 }), ['session-revoked ada user']],
    [event('session.ended', { sid: 's1' }, { subject: null }), []],
    [event('session.ended', { sid: 's1' }, { subject: '' }), []],
    [event('factor.added', { factor: 'passkey' }), ['credential-change ada user fido2-platform create']],
    [event('factor.added', { factor: 'totp' }), ['credential-change ada user app create']],
    [event('factor.added', { factor: 'recovery_codes' }), ['credential-change ada user pin create']],
    [event('factor.removed', { factor: 'totp' }), ['credential-change ada user app delete']],
    [
      event('factor.removed', { factor: 'all' }),
      ['credential-change ada user fido2-platform delete', 'credential-change ada user app delete'],
    ],
    [event('factor.removed', { factor: 'link' }), []],
    [event('factor.removed', {}), []],
    [event('admin.user_changed', {}), []],
    [event('admin.user_changed', { password_reset: true }), ['credential-change ada user password update']],
    [event('admin.user_changed', { password_reset: 'yes' }), []],
    [event('admin.user_changed', { password_removed: true }), ['credential-change ada user password delete']],
    [event('admin.user_changed', { cutoff: true }), ['session-revoked ada user']],
    [event('admin.user_changed', { cutoff: true, late: true }), []],
    [event('admin.user_changed', { cutoff: false }), []],
    [event('admin.user_changed', { cutoff: true, lost_scope: 'a' }), ['token-claims-change ada claims user']],
    [event('admin.user_changed', { roles: 'a' }), ['token-claims-change ada claims user']],
    [
      event('admin.user_changed', { password_reset: true, cutoff: true, roles: 'a' }),
      ['credential-change ada user password update', 'session-revoked ada user', 'token-claims-change ada claims user'],
    ],
    [
      event('admin.group_changed', { added: 'a  b', removed_members: 'c', members: 'd' }, { subject: null }),
      ['a', 'b', 'c', 'd'].map((who) => `token-claims-change ${who} claims user`),
    ],
    [event('admin.group_changed', { added: 700 }), []],
    [event('token.issued', {}), []],
  ]
  for (const [it, expected] of rows) assert.deepEqual(told(it), expected, `${it.name} ${JSON.stringify(it.data)}`)
})

test('CAEP 1.0 §2: who began it is told as the person, an administrator or the system', () => {
  const by = (kind: Event['actor']['kind']) =>
    signalsOf(event('session.ended', {}, { actor: { kind, id: 'x' } }))[0]?.body['initiating_entity']
  assert.deepEqual([by('user'), by('system'), by('operator'), by('client')], ['user', 'system', 'admin', 'admin'])
})

test('CAEP 1.0 §3, RFC 8417 §2.3: types are called as the specifications call them', () => {
  assert.deepEqual(signalsSupported, [
    `${caep}/session-revoked`,
    `${caep}/credential-change`,
    `${caep}/token-claims-change`,
  ])
  assert.equal(signalType.verification, 'https://schemas.openid.net/secevent/ssf/event-type/verification')
  assert.equal(signalType.streamUpdated, 'https://schemas.openid.net/secevent/ssf/event-type/stream-updated')
  assert.deepEqual([setType, setMediaType], ['secevent+jwt', 'application/secevent+jwt'])
  assert.deepEqual(streamStatuses, ['enabled', 'paused', 'disabled'])
})

test('SSF 1.0 §7.1: a transmitter says where everything is', () => {
  assert.deepEqual(ssfConfiguration('https://as.example'), {
    spec_version: '1_0',
    issuer: 'https://as.example',
    jwks_uri: 'https://as.example/jwks',
    delivery_methods_supported: ['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'],
    configuration_endpoint: 'https://as.example/ssf/streams',
    status_endpoint: 'https://as.example/ssf/status',
    add_subject_endpoint: 'https://as.example/ssf/subjects/add',
    remove_subject_endpoint: 'https://as.example/ssf/subjects/remove',
    verification_endpoint: 'https://as.example/ssf/verification',
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:6750' }],
    default_subjects: 'ALL',
  })
})

const issuer = 'https://as.example'
const named = { format: 'iss_sub', iss: issuer, sub: 'ada' }
const longest = 'x'.repeat(subjectBounds.text)

test('RFC 9493 §3: somebody is named by issuer and subject, by an id, or by an address', () => {
  const rows: readonly (readonly [Json | undefined, JsonObject | null, object | null])[] = [
    [named, named, { by: 'sub', iss: issuer, sub: 'ada' }],
    [{ ...named, more: 'x' }, named, { by: 'sub', iss: issuer, sub: 'ada' }],
    [
      { format: 'opaque', id: longest },
      { format: 'opaque', id: longest },
      { by: 'sub', iss: null, sub: longest },
    ],
    [
      { format: 'email', email: 'a@b.example' },
      { format: 'email', email: 'a@b.example' },
      { by: 'email', email: 'a@b.example' },
    ],
    [{ format: 'complex', user: named, session: {} }, named, { by: 'sub', iss: issuer, sub: 'ada' }],
    ...[
      undefined,
      null,
      'ada',
      [],
      {},
      { format: 'account', uri: 'acct:a' },
      { ...named, iss: '' },
      { ...named, sub: '' },
      { ...named, iss: 7 },
      { format: 'iss_sub', sub: 'ada' },
      { format: 'opaque', id: `${longest}x` },
      { format: 'opaque' },
      { format: 'email', email: '' },
      { email: 'a@b.example' },
      { format: 'complex' },
      { format: 'complex', user: { format: 'complex', user: named } },
      { format: 'complex', user: 'ada' },
    ].map((value) => [value as Json, null, null] as const),
  ]
  for (const [value, subId, person] of rows)
    assert.deepEqual(readSubject(value), subId === null ? null : { subId, person }, JSON.stringify(value)?.slice(0, 80))
})

test('SSF 1.0 §3.3: a complex subject has a bounded number of members', () => {
  const complex = (count: number) => ({
    format: 'complex',
    user: named,
    ...Object.fromEntries(Array.from({ length: count - 2 }, (_, n) => [`m${n}`, {}])),
  })
  assert.notEqual(readSubject(complex(subjectBounds.members)), null)
  assert.equal(readSubject(complex(subjectBounds.members + 1)), null)
  assert.deepEqual(subjectBounds, { text: 512, members: 8 })
})

test('SSF 1.0 §3.3: one session of somebody is told beside them, and read again', () => {
  assert.deepEqual(sessionSubject(named, null), named)
  const both = sessionSubject(named, 's1')
  assert.deepEqual(both, { format: 'complex', user: named, session: { format: 'opaque', id: 's1' } })
  assert.deepEqual(subjectOfSignal(both, issuer), { sub: 'ada', sid: 's1' })
  assert.deepEqual(subjectOfSignal(named, issuer), { sub: 'ada' })
  assert.deepEqual(subjectOfSignal({ format: 'complex', user: named, session: {} }, issuer), { sub: 'ada' })
})

test('a session that cannot be told from others, and whoever is of another issuer, is nobody', () => {
  const of = (session: Json) => subjectOfSignal({ format: 'complex', user: named, session }, issuer)
  for (const session of [
    { format: 'iss_sub', id: 's' },
    { format: 'opaque' },
    { format: 'opaque', id: '' },
    { id: 's' },
  ])
    assert.equal(of(session as Json), null, JSON.stringify(session))
  for (const value of [
    { ...named, iss: 'https://other.example' },
    { format: 'opaque', id: 'ada' },
    { format: 'email', email: 'a@b.example' },
    null,
  ])
    assert.equal(subjectOfSignal(value, issuer), null, JSON.stringify(value))
})

const polled = (body: Json) => {
  const read = readPoll(body)
  return read.kind === 'ok' ? read.value : read.error
}
const taken = (body: Json) => {
  const read = readPoll(body)
  assert.ok(read.kind === 'ok')
  return read.value
}
const ids = (count: number) => Array.from({ length: count }, (_, n) => `${n}`)
const errors = (count: number) => Object.fromEntries(ids(count).map((id) => [id, { err: 'jwtParse' }]))

test('RFC 8936 §2.4: what is left out of a poll has its default', () => {
  const usual = { maxEvents: 100, returnImmediately: false, ack: [], setErrs: [] }
  assert.deepEqual(polled({}), usual)
  assert.deepEqual(polled({ maxEvents: 0, returnImmediately: true }), {
    ...usual,
    maxEvents: 0,
    returnImmediately: true,
  })
  assert.deepEqual(polled({ maxEvents: 101 }), usual)
  assert.deepEqual(polled({ maxEvents: 99, ack: ['a', 'b', 'a'] }), { ...usual, maxEvents: 99, ack: ['a', 'b'] })
  assert.equal(taken({ ack: ids(1000) }).ack.length, 1000)
  assert.equal(taken({ setErrs: errors(1000) }).setErrs.length, 1000)
  assert.deepEqual(pollBounds, { sets: 100, acks: 1000 })
})

test('RFC 8936 §2.4: what is wrong with a poll is said', () => {
  const rows: readonly (readonly [Json, string])[] = [
    ...[null, [], 'x'].map((body) => [body, 'The body is an object.'] as const),
    ...[-1, 1.5, '5', null].map((maxEvents) => [{ maxEvents }, 'maxEvents is a whole number.'] as const),
    ...['true', 1, null].map((it) => [{ returnImmediately: it }, 'returnImmediately is true or false.'] as const),
    ...['a', {}, ['a', 7], ids(1001)].map((ack) => [{ ack }, 'ack is a list of up to 1000 ids.'] as const),
    ...[[], 'a', errors(1001)].map((setErrs) => [{ setErrs }, 'setErrs is an object of up to 1000 members.'] as const),
  ]
  for (const [body, problem] of rows) assert.equal(polled(body), problem, JSON.stringify(body).slice(0, 60))
})

test('RFC 8936 §2.6: of an error its code is kept, and none of the other side’s words', () => {
  const codeOf = (value: Json) => taken({ setErrs: { id: value } }).setErrs
  for (const code of ['jwtParse', 'invalid_key', 'a-b', 'x'.repeat(64)])
    assert.deepEqual(codeOf({ err: code, description: 'x' }), [{ id: 'id', error: code }])
  for (const value of [
    'jwtParse',
    null,
    {},
    { err: 7 },
    { err: '' },
    { err: 'two words' },
    { err: 'x'.repeat(65) },
    ['err'],
  ])
    assert.deepEqual(codeOf(value), [{ id: 'id', error: 'receiver_error' }], JSON.stringify(value))
})

test('RFC 8936 §2.5: an answer to a poll is read as far as was asked for', () => {
  const sets = { a: 'x', b: 'y', c: 7 }
  assert.deepEqual(readPollAnswer({ sets, moreAvailable: false }, 3), {
    sets: Object.entries(sets),
    moreAvailable: false,
  })
  assert.deepEqual(readPollAnswer({ sets, moreAvailable: true }, 3)?.moreAvailable, true)
  assert.deepEqual(readPollAnswer({ sets }, 2), {
    sets: [
      ['a', 'x'],
      ['b', 'y'],
    ],
    moreAvailable: true,
  })
  assert.deepEqual(readPollAnswer({ sets: {} }, 2), { sets: [], moreAvailable: false })
  for (const body of [null, {}, { sets: [] }, { sets: 'x' }, { sets, moreAvailable: 'yes' }])
    assert.equal(readPollAnswer(body as JsonObject | null, 3), null, JSON.stringify(body))
})

test('RFC 8935 §2.4: a check that failed is told by its code', () => {
  const problems = ['token_iss', 'token_aud', 'token_azp', 'token_signature', 'token_typ', 'token_iat']
  assert.deepEqual(problems.map(setErrorOf), [
    'invalid_issuer',
    'invalid_audience',
    'invalid_audience',
    'invalid_key',
    'invalid_request',
    'invalid_request',
  ])
})

test('as many streams and people are kept as docs/shared-signals.md says', () => {
  const page = readFileSync(new URL('../../../../docs/shared-signals.md', import.meta.url), 'utf8')
  const [, client, tenant] = /A client has up to (\d+), a tenant up to (\d+)\./.exec(page) ?? []
  const [, text, subjects] =
    /(\d+) characters, up to ([\d ]+) people a stream/.exec(page.replaceAll(/(\d) (\d)/g, '$1$2')) ?? []
  assert.equal(subjectBounds.text, Number(text))
  assert.deepEqual(
    [mostStreamsOfClient, mostStreamsOfTenant, mostSubjectsOfStream],
    [client, tenant, subjects].map(Number),
  )
})
