/** The words for an operator: each fault of an issuer with what to do about it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { type IssuerFault, issuerFaultReasons, IssuerFaults, sayOnStderr } from '../../src/issuer/issuer-faults.ts'

const issuer = 'https://id.example'
const now = Date.parse('2030-01-01T00:00:00Z')

function messages(act: (faults: IssuerFaults) => void, leeway = 60_000): readonly string[] {
  const told: IssuerFault[] = []
  act(new IssuerFaults({ issuer, leeway, onFault: (fault) => told.push(fault) }))
  for (const fault of told) assert.equal(fault.issuer, issuer)
  return told.map(({ code, state, message }) => `${code} ${state}: ${message}`)
}

const answer = { status: 200, date: null, age: 0, error: null, askedAt: now as Instant, receivedAt: now as Instant }
const asking = (authorization?: string) => ({
  url: `${issuer}/token`,
  ...(authorization === undefined ? {} : { headers: { authorization } }),
})

const unvouched = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]
for (const code of unvouched)
  test(`${code}: the authority is to be given`, () => {
    const begun = `its TLS certificate is not trusted (${code}): give the authority behind it as \`ca\``
    assert.deepEqual(
      messages((faults) => faults.failed(asking(), code)),
      [`certificate_untrusted begun: ${begun}`],
    )
  })

for (const code of ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'])
  test(`${code}: no authority helps`, () =>
    assert.deepEqual(
      messages((faults) => faults.failed(asking(), code)),
      [`certificate_untrusted begun: its TLS certificate is not trusted (${code})`],
    ))

const foreign = "an issuer that is no Grantor has no feed, so declare it with revocation: 'none'"
const check = 'check its client id and its secret'
const refusals: readonly (readonly [status: number, error: string | null, authorization: string, told: string])[] = [
  [401, null, 'Basic x', `client_refused begun: /token refuses the client of this API (401): ${check}`],
  [
    400,
    'invalid_client',
    'Basic x',
    `client_refused begun: /token refuses the client of this API (400 invalid_client): ${check}`,
  ],
  [
    400,
    'invalid_scope',
    'Basic x',
    `client_refused begun: /token refuses the client of this API (400 invalid_scope): check what this client may ask for; ${foreign}`,
  ],
  [
    403,
    null,
    'Basic x',
    `client_refused begun: /token refuses the client of this API (403): check what this client may ask for; ${foreign}`,
  ],
  [
    403,
    null,
    'Bearer x',
    "client_refused begun: /token refuses the token of this API's client (403): it needs revocations:read and events:report",
  ],
  [500, null, 'Basic x', 'unexpected_answer begun: /token answers 500'],
  [404, null, 'Bearer x', `unexpected_answer begun: /token answers 404: ${foreign}`],
  [300, null, '', 'unexpected_answer begun: /token answers 300'],
  [401, null, '', 'unexpected_answer begun: /token answers 401'],
  [404, null, '', 'unexpected_answer begun: /token answers 404'],
]
for (const [status, error, authorization, told] of refusals)
  test(`an answer ${status} ${error ?? ''} to ${authorization === '' ? 'nobody' : authorization} is told so`, () =>
    assert.deepEqual(
      messages((faults) => faults.answered(asking(authorization), { ...answer, status, error })),
      [told],
    ))

test('an old token once is no fault; twice it is, and a good answer in between makes it once again', () => {
  const refused = { ...answer, status: 401 }
  const told = messages((faults) => {
    faults.answered(asking('Bearer x'), refused)
    faults.answered(asking('Bearer x'), answer)
    faults.answered(asking('Bearer x'), refused)
  })
  assert.deepEqual(told, [])
  const twice = messages((faults) => {
    faults.answered(asking('Bearer x'), refused)
    faults.answered(asking('Bearer x'), refused)
  })
  assert.equal(twice.length, 1)
})

test('299 and 304 are good answers', () => {
  for (const status of [200, 299, 304])
    assert.deepEqual(
      messages((faults) => faults.answered(asking(), { ...answer, status })),
      [],
    )
})

const clocks: readonly (readonly [seconds: number, age: number, told: string | null])[] = [
  [60, 0, null],
  [61, 0, "61 s behind the issuer's"],
  [-61, 0, null],
  [-62, 0, "61 s ahead of the issuer's"],
  [-62, 1, null],
  [60, 1, "61 s behind the issuer's"],
]
for (const [seconds, age, told] of clocks)
  test(`a Date ${seconds} s from here and ${age} s old: ${told ?? 'within the leeway'}`, () => {
    const date = new Date(now + seconds * 1000).toUTCString()
    const expected = `clock_differs begun: the clock here is ${told}, more than the leeway: set the clock of this machine`
    assert.deepEqual(
      messages((faults) => faults.answered(asking(), { ...answer, date, age })),
      told === null ? [] : [expected],
    )
  })

test('a fault that takes the place of another of its kind is not told again; one kind stands for all', () => {
  const told = messages((faults) => {
    faults.failed({ url: 'https://a.example/x' }, 'ECONNREFUSED')
    faults.failed({ url: 'https://b.example/x' }, 'ECONNRESET')
    assert.equal(faults.current().length, 1)
    faults.unusable('https://a.example/y', 'odd')
    assert.equal(faults.current().length, 2)
    faults.answered({ url: 'https://a.example/x' }, answer)
    assert.deepEqual(
      faults.current().map(({ message }) => message),
      ['https://b.example cannot be reached (ECONNRESET)', 'odd'],
    )
  })
  assert.deepEqual(told, [
    'issuer_unreachable begun: https://a.example cannot be reached (ECONNREFUSED)',
    'unexpected_answer begun: odd',
  ])
  assert.deepEqual(Object.keys(issuerFaultReasons), [
    'issuer_unreachable',
    'certificate_untrusted',
    'client_refused',
    'unexpected_answer',
    'clock_differs',
  ])
})

test('where nobody takes them a fault is a line on stderr when it begins, and one when it is over', (t) => {
  const lines: unknown[][] = []
  t.mock.method(console, 'error', (...line: unknown[]) => void lines.push(line))
  const fault = { issuer, code: 'issuer_unreachable', message: 'it is away' } as const
  sayOnStderr({ ...fault, state: 'begun' })
  sayOnStderr({ ...fault, state: 'over' })
  assert.deepEqual(lines, [[`grantor: ${issuer}: it is away`], [`grantor: ${issuer}: over: it is away`]])
})
