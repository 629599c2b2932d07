/** Policy services and hooks as they are declared, at the edge of each bound; and what a sign-up hook may answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { plainReason, readEvaluation } from '../../src/decisions/authzen.ts'
import {
  issuanceHookProblem,
  issuanceHookSchema,
  policyServiceProblem,
  policyServiceSchema,
} from '../../src/decisions/decision-point-input.ts'
import { decisionLimits } from '../../src/decisions/decision-point.ts'
import { readHookAnswer } from '../../src/decisions/issuance-hook.ts'
import { readSignUpAnswer, signUpHookRequest } from '../../src/decisions/sign-up-hook.ts'
import type { Json } from '../../src/types.ts'
import { at, tenant } from '../samples.ts'

const url = 'https://policy.example/decide'
const names = (count: number) => Array.from({ length: count }, (_, n) => `claim${n}`)

test('what is declared of a policy service is taken up to its bounds, and refused with the reason', () => {
  const rows: readonly (readonly [Json, string | null])[] = [
    [{ url }, null],
    [{ url, deadline_ms: 50, on_failure: 'allow' }, null],
    [{ url, deadline_ms: 4000, on_failure: 'deny' }, null],
    [[], 'must be an object'],
    [{ url, claims: [] }, 'must hold url, deadline_ms, on_failure, nothing else'],
    [{}, 'must have another url: it must be a text'],
    [{ url: 'http://policy.example/' }, 'must have another url: it must use https'],
    [{ url, on_failure: 'perhaps' }, 'must say on_failure: deny or allow'],
    ...[49, 4001, 1.5, '100'].map(
      (it) => [{ url, deadline_ms: it }, 'must have a deadline_ms from 50 to 4000'] as const,
    ),
  ]
  for (const [value, problem] of rows) assert.equal(policyServiceProblem(value, served), problem, JSON.stringify(value))
})

test('what is declared of a hook is taken up to its bounds, and refused with the reason', () => {
  const listed = 'must list claims by their names'
  const rows: readonly (readonly [Json, string | null])[] = [
    [{ url }, null],
    [{ url, claims: names(30), key: 1_000_000 }, null],
    [{ url, claims: [`c${'x'.repeat(199)}`], key: 1 }, null],
    [{ url, more: 1 }, 'must hold url, deadline_ms, on_failure, claims, key, nothing else'],
    [{ url, deadline_ms: 1 }, 'must have a deadline_ms from 50 to 4000'],
    ...[names(31), 'claim', ['a', 'a']].map(
      (claims) => [{ url, claims }, 'must list at most 30 claims, each once'] as const,
    ),
    ...[[7], ['a', ''], ['7a'], ['a b'], [`c${'x'.repeat(200)}`]].map((claims) => [{ url, claims }, listed] as const),
    [{ url, claims: ['department', 'sub'] }, 'must not list sub, which the protocol says'],
    ...[0, 1_000_001, 1.5, '1'].map((key) => [{ url, key }, 'must have a key from 1 to 1000000'] as const),
  ]
  for (const [value, problem] of rows)
    assert.equal(issuanceHookProblem(value, served), problem, JSON.stringify(value).slice(0, 90))
})

test('what an API describes of both is what is taken', () => {
  const properties = {
    url: { type: 'string', minLength: 1, maxLength: 2048 },
    deadline_ms: { type: 'integer', minimum: 50, maximum: 4000 },
    on_failure: { type: 'string', enum: ['deny', 'allow'] },
  }
  const whole = { type: 'object', required: ['url'], additionalProperties: false }
  assert.deepEqual(policyServiceSchema, { ...whole, properties })
  assert.deepEqual(issuanceHookSchema, {
    ...whole,
    properties: {
      ...properties,
      claims: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 30 },
      key: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    },
  })
  assert.deepEqual(decisionLimits, { deadline: 1000, longest: 4000, answer: 16_384, claims: 30, reason: 200 })
})

test('AuthZEN §5.5.2: a reason is found wherever services put it, bounded and harmless', () => {
  const reason = (context: Json) => readEvaluation({ decision: false, context })?.reason
  for (const name of ['reason', 'reason_admin', 'reason_user', 'id']) {
    assert.equal(reason({ [name]: 'no' }), 'no', name)
    assert.equal(reason({ [name]: { en: 'no', de: 'nein' } }), 'no', name)
  }
  assert.equal(reason({ reason: 7, id: 'x' }), 'x')
  assert.equal(reason({ other: 'x' }), null)
  assert.equal(plainReason(`a\nb${'x'.repeat(300)}`), `a?b${'x'.repeat(197)}`)
})

test('what a hook adds has at most 4096 bytes', () => {
  const answer = (bytes: number) =>
    readHookAnswer(
      { decision: 'allow', claims: { a: 'x'.repeat(bytes - '{"a":""}'.length) } },
      { hook: { url, claims: ['a'] }, scope: new Set() },
    )
  assert.equal(answer(4096)?.decision, 'allow')
  assert.equal(answer(4097), null)
})

test('a sign-up hook is told who asks from where, and not whether they have an account', () => {
  const question = { tenant, issuer: 'https://as.example', email: 'a@b.example', ip: '192.0.2.1', userAgent: null }
  assert.deepEqual(signUpHookRequest(question, at(0)), {
    type: 'account.signing_up',
    timestamp: '1970-01-01T00:00:00.000Z',
    tenant: 'default',
    data: { issuer: 'https://as.example', email: 'a@b.example', ip: '192.0.2.1', user_agent: null },
  })
})

test('a sign-up hook allows, or denies with a page or without; nothing else is an answer', () => {
  const page = `https://a.example/${'x'.repeat(2030)}`
  assert.equal(page.length, 2048)
  const rows: readonly (readonly [unknown, object | null])[] = [
    [{ decision: 'allow' }, { decision: 'allow' }],
    [{ decision: 'deny' }, { decision: 'deny', url: null }],
    [
      { decision: 'deny', reason: 'x' },
      { decision: 'deny', url: null },
    ],
    [
      { decision: 'deny', reason: 'x', url: page },
      { decision: 'deny', url: page },
    ],
    ...[null, 'allow', [], {}, { decision: true }, { decision: 'perhaps' }].map((it) => [it, null] as const),
    [{ decision: 'allow', reason: 'x' }, null],
    [{ decision: 'allow', url: page }, null],
    [{ decision: 'allow', more: 1 }, null],
    [{ decision: 'deny', more: 1 }, null],
    [{ decision: 'deny', reason: 7 }, null],
    ...[`${page}x`, 'http://a.example/', 'https://me@a.example/', 'javascript:alert(1)', 'a.example', 7].map(
      (it) => [{ decision: 'deny', url: it }, null] as const,
    ),
  ]
  for (const [answer, verdict] of rows)
    assert.deepEqual(readSignUpAnswer(answer), verdict, JSON.stringify(answer)?.slice(0, 60))
})
