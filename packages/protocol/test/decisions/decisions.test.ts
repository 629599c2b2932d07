import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issuanceEvaluation, readEvaluation } from '../../src/decisions/authzen.ts'
import { issuanceHookProblem, policyServiceProblem } from '../../src/decisions/decision-point-input.ts'
import { issuanceHookRequest, readHookAnswer } from '../../src/decisions/issuance-hook.ts'
import type { Served } from '../../src/documents/capabilities.ts'
import { at, client, issuer, person, resource, tenant } from '../samples.ts'

const question = {
  tenant,
  issuer,
  grantType: 'authorization_code',
  client: client({ client_name: 'Web' }),
  person: person({ roles: ['reader'], groups: ['Office'], attributes: { department: 'Sales' } }),
  subject: 'alice',
  resource: resource('https://a.example'),
  scope: new Set(['openid', 'a:write', 'a:read']),
  claims: { acr: '1', auth_time: 5, sid: 'never told', cnf: { jkt: 'never told' } },
}
const user = { username: 'alice', roles: ['reader'], groups: ['Office'], attributes: { department: 'Sales' } }

test('AuthZEN §6.1: the question names who, what, at which API, and the rest as context', () => {
  assert.deepEqual(issuanceEvaluation(question), {
    subject: { type: 'user', id: 'alice', properties: user },
    action: {
      name: 'issue_token',
      properties: { grant_type: 'authorization_code', scope: ['a:read', 'a:write', 'openid'] },
    },
    resource: { type: 'api', id: 'https://a.example' },
    context: { issuer, tenant, client_id: 'web', acr: '1', auth_time: 5 },
  })
  const own = issuanceEvaluation({ ...question, person: null, subject: 'web', claims: {} })
  assert.deepEqual(own.subject, { type: 'client', id: 'web', properties: {} })
})

test('AuthZEN §6.2: a decision is a boolean, and nothing that looks like one', () => {
  assert.deepEqual(readEvaluation({ decision: true }), { decision: true, reason: null })
  for (const [context, reason] of [
    [{ reason: 'no\nmore' }, 'no?more'],
    [{ reason_admin: { en: 'Policy C076E82F' } }, 'Policy C076E82F'],
    [{ id: '0' }, '0'],
    [{ reason: 7 }, null],
    ['words', null],
  ] as const)
    assert.deepEqual(readEvaluation({ decision: false, context }), { decision: false, reason })
  for (const answer of [
    null,
    [],
    'true',
    {},
    { decision: 'true' },
    { decision: 1 },
    { decision: null },
    { Decision: true },
  ])
    assert.equal(readEvaluation(answer), null, JSON.stringify(answer))
})

test('a hook is told what a token would hold, and neither keys nor sessions', () => {
  const { data, ...head } = issuanceHookRequest(question, at(0))
  assert.deepEqual(head, { type: 'token.issuing', timestamp: '1970-01-01T00:00:00.000Z', tenant })
  assert.deepEqual(data, {
    issuer,
    grant_type: 'authorization_code',
    client_id: 'web',
    client_name: 'Web',
    resource: 'https://a.example',
    scope: 'a:read a:write openid',
    subject: 'alice',
    user,
    acr: '1',
    auth_time: 5,
  })
})

test('a hook may deny, add the claims that are its own, and take away scopes of the API; nothing else is an answer', () => {
  const context = {
    hook: { url: 'https://hook.example', claims: ['plan', 'https://a.example/x'] },
    scope: question.scope,
  }
  const read = (answer: unknown) => readHookAnswer(answer, context)
  assert.deepEqual(read({ decision: 'deny' }), { decision: 'deny', reason: null })
  assert.deepEqual(read({ decision: 'deny', reason: 'no' }), { decision: 'deny', reason: 'no' })
  assert.deepEqual(read({ decision: 'allow' }), { decision: 'allow', claims: {}, scope: question.scope })
  assert.deepEqual(read({ decision: 'allow', claims: { plan: 'gold' }, scope: 'a:read' }), {
    decision: 'allow',
    claims: { plan: 'gold' },
    scope: new Set(['openid', 'a:read']),
  })
  for (const answer of [
    null,
    [],
    {},
    { decision: true },
    { decision: 'maybe' },
    { decision: 'deny', reason: 5 },
    { decision: 'allow', reason: 'x' },
    { decision: 'allow', more: 1 },
    { decision: 'allow', sub: 'root' },
    { decision: 'allow', claims: [] },
    { decision: 'allow', claims: { sub: 'root' } },
    { decision: 'allow', claims: { scope: 'admin' } },
    { decision: 'allow', claims: { other: 1 } },
    { decision: 'allow', claims: { plan: 'x'.repeat(5000) } },
    { decision: 'allow', scope: 'a:read b:read' },
    { decision: 'allow', scope: '' },
    { decision: 'allow', scope: ['a:read'] },
  ])
    assert.equal(read(answer), null, JSON.stringify(answer).slice(0, 80))
  const forged = { ...context, hook: { ...context.hook, claims: ['sub'] } }
  assert.equal(readHookAnswer({ decision: 'allow', claims: { sub: 'root' } }, forged), null, 'whatever was stored')
})

test('what is declared of a policy service and a hook is checked', () => {
  const served = { addresses: { outboundAllow: new Set(['pdp.internal']) } } as unknown as Served
  const url = 'https://pdp.example/access/v1/evaluation'
  for (const [value, problem] of [
    [{ url }, null],
    [{ url, deadline_ms: 50, on_failure: 'allow' }, null],
    [{ url: 'https://pdp.internal/x' }, null],
    ['x', /object/],
    [{}, /url/],
    [{ url: 'http://pdp.example' }, /https/],
    [{ url: 'https://10.0.0.1/x' }, /private/],
    [{ url: 'https://localhost/x' }, /private/],
    [{ url, deadline_ms: 10 }, /deadline_ms/],
    [{ url, deadline_ms: 4001 }, /deadline_ms/],
    [{ url, on_failure: 'maybe' }, /on_failure/],
    [{ url, claims: [] }, /nothing else/],
  ] as const) {
    const found = policyServiceProblem(value, served)
    if (problem === null) assert.equal(found, null, JSON.stringify(value))
    else assert.match(found ?? 'nothing', problem)
  }
  for (const [value, problem] of [
    [{ url, claims: ['plan'], key: 2 }, null],
    [{ url, claims: ['sub'] }, /the protocol says/],
    [{ url, claims: ['a', 'a'] }, /each once/],
    [{ url, claims: 'a' }, /each once/],
    [{ url, claims: [''] }, /names/],
    [{ url, key: 0 }, /key/],
    [{ url, secret: 'x' }, /nothing else/],
  ] as const) {
    const found = issuanceHookProblem(value, served)
    if (problem === null) assert.equal(found, null, JSON.stringify(value))
    else assert.match(found ?? 'nothing', problem)
  }
})
