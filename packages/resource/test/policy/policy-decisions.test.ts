/** An API that asks a policy service, over real HTTP, on every framework: what it says holds, and silence never permits. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { createPolicyService, type PolicyServiceOptions } from '../../src/policy/policy-decisions.ts'
import { policySubject } from '../../src/policy/route-policy.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { guards, serve } from '../adapters.ts'
import { FakeTime } from '../fake-time.ts'

const audience = 'https://notes.example'
const dev = createTestIssuer({ audience, issuer: 'https://issuer.example' })
const validator = createValidator({ audience, issuers: [dev.trust] })
const bearer = (scope = 'notes:read') => ({ authorization: `Bearer ${dev.mint({ scope, sub: 'alice' })}` })

type Answer = (response: ServerResponse, body: JsonObject) => void

/** A policy service that answers as the test says, and remembers what it was asked. */
async function startPolicyService() {
  const asked: { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: JsonObject }[] = []
  const state: { answer: Answer } = { answer: decision(true) }
  const origin = await serve(async (request, response) => {
    const body = JSON.parse(await text(request)) as JsonObject
    asked.push({ path: request.url ?? '', headers: request.headers, body })
    state.answer(response, body)
  })
  const service = (more: Partial<PolicyServiceOptions> = {}) =>
    createPolicyService({ url: `${origin}/access/v1/evaluation`, deadline: 30_000, ...more })
  return Object.assign(state, { asked, origin, service })
}

interface Sent {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const json = { 'content-type': 'application/json' }
const sending =
  (content: string, { status = 200, headers = json }: Sent = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(content)
const decision = (it: unknown): Answer => sending(JSON.stringify({ decision: it }))

const question = (id: string) => ({
  subject: { type: 'user', id: 'alice' },
  action: { name: 'read' },
  resource: { type: 'note', id },
})

/** What is no permission, whatever it looks like. */
const noAnswers: Readonly<Record<string, Answer>> = {
  'a text': decision('true'),
  'a number': decision(1),
  null: decision(null),
  'no decision': sending('{}'),
  'a list': sending('[true]'),
  'no JSON': sending('true!'),
  'an empty body': sending(''),
  'another type': sending('{"decision":true}', { headers: { 'content-type': 'text/plain' } }),
  'a failure': sending('{"decision":true}', { status: 500 }),
  'a redirect': sending('{"decision":true}', { status: 307, headers: { ...json, location: '/elsewhere' } }),
  'too much': sending(JSON.stringify({ decision: true, more: 'x'.repeat(20_000) })),
  'a cut connection': (response) => void response.socket?.destroy(),
}

for (const [adapter, open] of Object.entries(guards)) {
  describe(`a policy service behind the guard on ${adapter}`, () => {
    test('AuthZEN §6: it is asked who, what and which, and the route answers what it says', async () => {
      const pdp = await startPolicyService()
      const policy = {
        service: pdp.service({ token: () => 'who-asks' }),
        action: 'read',
        resource: ({ url }: { readonly url: string }) => ({
          type: 'note',
          id: new URL(url).searchParams.get('id') ?? '',
        }),
        context: ({ method }: { readonly method: string }) => ({ method }),
      }
      const send = await open({ options: { validator, audience, policy }, need: 'notes:read' }, { path: '/notes' })
      const admitted = await send('/notes?id=7', { headers: bearer() })
      assert.deepEqual([admitted.status, await admitted.text()], [200, 'alice'])
      const { path, headers, body } = pdp.asked[0] ?? assert.fail()
      assert.deepEqual([path, headers.authorization], ['/access/v1/evaluation', 'Bearer who-asks'])
      const { subject, ...rest } = body
      assert.deepEqual([(subject as JsonObject)['type'], (subject as JsonObject)['id']], ['user', 'alice'])
      const resource = { type: 'note', id: '7' }
      assert.deepEqual(rest, { action: { name: 'read' }, resource, context: { method: 'GET' } })

      pdp.answer = decision(false)
      const denied = await send('/notes?id=7', { headers: bearer() })
      assert.equal(denied.status, 403)
      assert.equal(denied.headers.get('content-type'), 'application/problem+json')
      assert.equal(((await denied.json()) as JsonObject)['code'], 'policy_denied')
    })

    test('nobody is asked about a token that does not suffice', async () => {
      const pdp = await startPolicyService()
      const policy = { service: pdp.service() }
      const send = await open({ options: { validator, audience, policy }, need: 'notes:write' }, { path: '/notes' })
      assert.equal((await send('/notes', { headers: bearer('notes:read') })).status, 401)
      assert.equal((await send('/notes')).status, 401)
      assert.equal(pdp.asked.length, 0)
    })

    test('what is no decision is 503, and with onFailure allow the request goes on', async () => {
      const pdp = await startPolicyService()
      for (const [what, answer] of Object.entries(noAnswers)) {
        pdp.answer = answer
        for (const [onFailure, status] of [
          ['deny', 503],
          ['allow', 200],
        ] as const) {
          const policy = { service: pdp.service({ onFailure }) }
          const send = await open({ options: { validator, audience, policy }, need: 'notes:read' }, { path: '/notes' })
          const answered = await send('/notes', { headers: bearer() })
          assert.equal(answered.status, status, `${what}, ${onFailure}`)
          if (status === 503) {
            assert.equal(((await answered.json()) as JsonObject)['code'], 'policy_unavailable')
            assert.equal(answered.headers.get('retry-after'), '1')
          }
        }
      }
    })
  })
}

test('a service that does not answer in time, is not there, or whose token cannot be had, has not answered', async () => {
  const pdp = await startPolicyService()
  pdp.answer = () => {}
  assert.equal(await pdp.service({ deadline: 20 }).evaluate(question('1')), 'unavailable')
  const gone = createPolicyService({ url: 'http://127.0.0.1:9/access/v1/evaluation' })
  assert.equal(await gone.evaluate(question('1')), 'unavailable')
  pdp.answer = decision(true)
  const unknown = pdp.service({ token: () => Promise.reject(new Error('away')) })
  assert.equal(await unknown.evaluate(question('1')), 'unavailable')
})

test('an answer is remembered for as long as is said, for the same question, and a failure never', async () => {
  const pdp = await startPolicyService()
  const time = new FakeTime()
  const service = pdp.service({ cacheSeconds: 5, time })
  pdp.answer = decision('no')
  assert.equal(await service.evaluate(question('1')), 'unavailable')
  pdp.answer = decision(true)
  assert.equal(await service.evaluate(question('1')), 'permit')
  pdp.answer = decision(false)
  assert.equal(await service.evaluate(question('1')), 'permit')
  assert.equal(await service.evaluate(question('2')), 'deny')
  pdp.answer = decision(true)
  assert.equal(await service.evaluate(question('2')), 'deny', 'so is a refusal')
  pdp.answer = decision(false)
  await time.advance(4_999)
  assert.equal(await service.evaluate(question('1')), 'permit')
  await time.advance(1)
  assert.equal(await service.evaluate(question('1')), 'deny')
  const forgetful = pdp.service()
  const before = pdp.asked.length
  await forgetful.evaluate(question('1'))
  await forgetful.evaluate(question('1'))
  assert.equal(pdp.asked.length, before + 2)
})

test('AuthZEN §7: many questions are one request, answered in their order or not at all', async () => {
  const pdp = await startPolicyService()
  pdp.answer = (response, { evaluations }) => {
    const ids = (evaluations as readonly JsonObject[]).map(({ resource }) => (resource as JsonObject)['id'])
    sending(JSON.stringify({ evaluations: ids.map((id) => ({ decision: id !== '2' })) }))(response, {})
  }
  const service = pdp.service()
  const all = await service.evaluateAll(['1', '2', '3'].map(question))
  assert.deepEqual(all, ['permit', 'deny', 'permit'])
  assert.equal(pdp.asked[0]?.path, '/access/v1/evaluations')
  const many = await service.evaluateAll(Array.from({ length: 150 }, (_, n) => question(String(n))))
  assert.deepEqual([many.length, many.filter((it) => it === 'deny').length], [150, 1])
  assert.deepEqual(await service.evaluateAll([]), [])
  for (const answer of ['{"evaluations":[{"decision":true}]}', '{"evaluations":{}}', '{}', '[]']) {
    pdp.answer = sending(answer)
    assert.deepEqual(await service.evaluateAll(['1', '2'].map(question)), ['unavailable', 'unavailable'], answer)
  }
  pdp.answer = sending('{"evaluations":[{"decision":true},{"decision":"true"}]}')
  assert.deepEqual(await service.evaluateAll(['1', '2'].map(question)), ['permit', 'unavailable'])
})

test('AuthZEN §7: many questions go to the address of one with an s behind its path, at the same host', async () => {
  const pdp = await startPolicyService()
  for (const [path, asked] of [
    ['/access/v1/evaluation?tenant=acme', '/access/v1/evaluations?tenant=acme'],
    ['', '/s'],
  ] as const) {
    await pdp.service({ url: `${pdp.origin}${path}` }).evaluateAll([question('1')])
    assert.equal(pdp.asked.at(-1)?.path, asked)
  }
})

test('AuthZEN §7: of many questions only those are asked that are not remembered, and each gets its own answer', async () => {
  const pdp = await startPolicyService()
  const ids = (body: JsonObject) =>
    (body['evaluations'] as readonly JsonObject[]).map(({ resource }) => (resource as JsonObject)['id'])
  pdp.answer = (response, body) =>
    sending(JSON.stringify({ evaluations: ids(body).map((id) => ({ decision: id !== '2' })) }))(response, {})
  const service = pdp.service({ cacheSeconds: 5, time: new FakeTime() })
  assert.deepEqual(await service.evaluateAll(['1', '2'].map(question)), ['permit', 'deny'])
  assert.deepEqual(await service.evaluateAll(['3', '2', '4', '1'].map(question)), [
    'permit',
    'deny',
    'permit',
    'permit',
  ])
  assert.deepEqual(ids(pdp.asked[1]?.body ?? {}), ['3', '4'])
  assert.deepEqual(await service.evaluateAll(['1', '2'].map(question)), ['permit', 'deny'])
  assert.equal(pdp.asked.length, 2, 'where all are, nobody is asked')
})

test('an answer has at most 16 KiB for each question, to the byte', async () => {
  const pdp = await startPolicyService()
  const padded = (bytes: number, body: object) => {
    const bare = JSON.stringify({ ...body, more: '' }).length
    return sending(JSON.stringify({ ...body, more: 'x'.repeat(bytes - bare) }))
  }
  for (const [bytes, said] of [
    [16_384, 'permit'],
    [16_385, 'unavailable'],
  ] as const) {
    pdp.answer = padded(bytes, { decision: true })
    assert.equal(await pdp.service().evaluate(question('1')), said)
    pdp.answer = padded(2 * bytes - (bytes % 2), { evaluations: [{ decision: true }, { decision: true }] })
    assert.deepEqual(await pdp.service().evaluateAll(['1', '2'].map(question)), [said, said])
  }
})

test('a hundred questions are one request, and the hundred and first is another', async () => {
  const pdp = await startPolicyService()
  pdp.answer = (response, { evaluations }) => {
    const many = evaluations as readonly JsonObject[]
    sending(JSON.stringify({ evaluations: many.map(() => ({ decision: true })) }))(response, {})
  }
  for (const [count, requests] of [
    [100, 1],
    [101, 2],
  ] as const) {
    pdp.asked.length = 0
    const all = await pdp.service().evaluateAll(Array.from({ length: count }, (_, n) => question(String(n))))
    assert.deepEqual([all.length, pdp.asked.length], [count, requests])
  }
})

test('the service is told who asks and that JSON is wanted; without a token nothing is claimed', async () => {
  const pdp = await startPolicyService()
  await pdp.service().evaluate(question('1'))
  await pdp.service({ token: 'fixed' }).evaluate(question('1'))
  await pdp.service({ token: async () => 'made' }).evaluate(question('1'))
  assert.deepEqual(
    pdp.asked.map(({ headers }) => headers.authorization),
    [undefined, 'Bearer fixed', 'Bearer made'],
  )
  const ids = pdp.asked.map(({ headers }) => String(headers['x-request-id']))
  assert.equal(new Set(ids).size, 3)
  for (const { headers, path } of pdp.asked)
    assert.deepEqual(
      [headers['content-type'], headers.accept, path],
      ['application/json', 'application/json', '/access/v1/evaluation'],
    )
})

test('a policy service is reached by https, but for loopback', () => {
  for (const url of ['http://pdp.example/access/v1/evaluation', 'ftp://pdp.example', 'pdp', 'https://a:b@pdp.example'])
    assert.throws(() => createPolicyService({ url }), TypeError, url)
})

test('a caller is a user or a client, with what the token says of it', () => {
  const caller = {
    subject: 'svc',
    clientId: 'svc',
    issuer: 'https://i.example',
    tenant: 'acme',
    scope: new Set(['b', 'a']),
  }
  assert.deepEqual(policySubject(caller as never), {
    type: 'client',
    id: 'svc',
    properties: { client_id: 'svc', issuer: 'https://i.example', scope: ['a', 'b'], tenant: 'acme' },
  })
  assert.equal(policySubject({ ...caller, subject: 'alice' } as never).type, 'user')
})

test('RFC 9728: a protected resource asks before its handler is called', async () => {
  const other = await startPolicyService()
  const it = protectedResource({
    validator,
    audience,
    name: 'Notes',
    issuers: ['https://issuer.example'],
    scope: 'notes:read',
    policy: { service: other.service() },
  })
  const receive = () =>
    it.receive({
      method: 'GET',
      target: '/notes/7',
      ip: null,
      peer: null,
      headers: Object.entries(bearer()),
      body: () => Promise.resolve(null),
    } as never)
  assert.equal((await receive()).kind, 'admitted')
  assert.deepEqual(other.asked.at(-1)?.body['resource'], { type: 'path', id: '/notes/7' })
  other.answer = decision(false)
  const refused = await receive()
  assert.equal(refused.kind === 'answered' && refused.response.status, 403)
  other.answer = sending('{}')
  const unsaid = await receive()
  assert.equal(unsaid.kind === 'answered' && unsaid.response.status, 503)
})
