/** Collections behind a policy service: what it is asked of each operation, and that nothing is done without its word. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EvaluationRequest } from '@grantor/protocol/decisions'
import type { PolicyDecision, PolicyService } from '@grantor/resource'
import { all, sample } from './sample.ts'

function decider() {
  const asked: EvaluationRequest[] = []
  const state: { decision: PolicyDecision } = { decision: 'permit' }
  const service: PolicyService = {
    async evaluate(question) {
      asked.push(question)
      return state.decision
    },
    evaluateAll: async (questions) => questions.map(() => state.decision),
  }
  return Object.assign(state, { asked, service })
}

const identity = { sub: 'alice', scope: all }

test('AuthZEN §5: a policy service is asked who does what to which, for every operation of a collection', async () => {
  const other = decider()
  const { client, put } = sample({ server: { policy: { service: other.service } } })
  put('a')
  const body = { label: 'Shoes', weight: 2 }
  for (const [method, path, action, id] of [
    ['GET', '/v1/parcels?limit=5', 'list', '*'],
    ['GET', '/v1/parcels/a', 'read', 'a'],
    ['POST', '/v1/parcels', 'create', '*'],
    ['PUT', '/v1/parcels/a', 'replace', 'a'],
    ['PATCH', '/v1/parcels/a', 'patch', 'a'],
    ['DELETE', '/v1/parcels/a', 'remove', 'a'],
  ] as const) {
    const answer = await client({ url: path, method, as: identity, ...(method.startsWith('P') ? { body } : {}) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`)
    const { subject, ...question } = other.asked.at(-1) ?? assert.fail()
    assert.deepEqual([subject.type, subject.id], ['user', 'alice'])
    assert.deepEqual(question, { action: { name: action }, resource: { type: 'parcels', id } })
  }
})

test('what is denied, or cannot be asked, is not done and not looked at; the declaration may ask in its own words', async () => {
  const other = decider()
  const policy = {
    service: other.service,
    action: ({ method }: { readonly method: string }) => ({ name: `http:${method}` }),
    resource: ({ url }: { readonly url: string }) => ({ type: 'address', id: url }),
  }
  const { client, calls } = sample({ server: { policy } })
  other.decision = 'deny'
  const denied = await client({ url: '/v1/parcels', method: 'POST', as: identity, body: { wrong: true } })
  assert.deepEqual([denied.status, denied.json()['code']], [403, 'policy_denied'])
  assert.deepEqual(other.asked.at(-1)?.action, { name: 'http:POST' })
  assert.deepEqual(other.asked.at(-1)?.resource, { type: 'address', id: 'https://api.example/v1/parcels' })
  assert.equal((await client({ url: '/v1/parcels/none', as: identity })).status, 403, 'whether it is there is not told')
  other.decision = 'unavailable'
  const unsaid = await client({ url: '/v1/parcels', method: 'POST', as: identity, body: { label: 'x', weight: 1 } })
  assert.deepEqual([unsaid.status, unsaid.json()['code']], [503, 'policy_unavailable'])
  assert.deepEqual(calls, [])
})

test('nobody is asked about a token that does not suffice, nor about pages', async () => {
  const other = decider()
  const { client } = sample({ server: { policy: { service: other.service } } })
  await client({ url: '/v1/parcels', as: { ...identity, scope: 'parcels:write' } })
  await client({ url: '/v1/parcels' })
  await client({ url: '/openapi.json' })
  assert.deepEqual(other.asked, [])
})
