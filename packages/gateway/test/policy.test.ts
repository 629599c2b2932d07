/** A gateway that asks a policy service over real HTTP: in front of the API, and for other proxies. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { readGatewayPlan } from '../src/index.ts'
import { audience, issuer, startHarness } from './harness.ts'

async function startPolicyService() {
  const asked: { readonly headers: IncomingHttpHeaders; readonly body: JsonObject }[] = []
  const state: { answer: string | null; deny: string | null; silent: string | null } = {
    answer: '{"decision":true}',
    deny: null,
    silent: null,
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await text(request)) as JsonObject
    asked.push({ headers: request.headers, body })
    const id = (body['resource'] as JsonObject)['id']
    if (state.answer === null || id === state.silent) response.socket?.destroy()
    else if (id === state.deny)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"decision":false}')
    else response.writeHead(200, { 'content-type': 'application/json' }).end(state.answer)
  }
  const server = createServer((request, response) => void answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/access/v1/evaluation`
  return Object.assign(state, {
    asked,
    url,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections()
    },
  })
}

test('AuthZEN §6: a request passes where the policy service says so, and never reaches the API else', async () => {
  await using other = await startPolicyService()
  await using it = await startHarness({ file: { policy: { url: other.url, token: 'of-the-gateway' } } })
  const token = it.mint({ sub: 'alice', clientId: 'web' })
  assert.equal((await it.ask('/orders/7?x=y', { token })).status, 200)
  const { headers, body } = other.asked[0] ?? assert.fail()
  assert.equal(headers.authorization, 'Bearer of-the-gateway')
  assert.deepEqual(
    [(body['subject'] as JsonObject)['id'], body['action'], body['resource']],
    ['alice', { name: 'GET' }, { type: 'path', id: '/orders/7' }],
  )
  other.answer = '{"decision":false}'
  const denied = await it.ask('/orders/7', { token })
  assert.deepEqual([denied.status, JSON.parse(denied.body)['code']], [403, 'policy_denied'])
  const forwarded = await it.ask('/forward-auth', {
    token,
    headers: { 'x-forwarded-method': 'POST', 'x-forwarded-uri': '/orders/8', 'x-forwarded-host': 'api.example' },
  })
  assert.equal(forwarded.status, 403)
  assert.deepEqual(other.asked.at(-1)?.body['resource'], { type: 'path', id: '/orders/8' })
  for (const answer of ['{"decision":"true"}', '[]', null]) {
    other.answer = answer
    const unsaid = await it.ask('/orders/7', { token })
    assert.deepEqual([unsaid.status, JSON.parse(unsaid.body)['code']], [503, 'policy_unavailable'], String(answer))
    assert.equal(unsaid.headers['retry-after'], '1')
  }
  assert.equal(it.seen.length, 1)
})

test('the policy service decides on each tool, resource and prompt, where the file of an MCP server says so', async () => {
  await using other = await startPolicyService()
  const mcp = { path: '/mcp', scopes: ['mcp'], tools: { list: [], add: ['write'] }, resources: { 'note://*': [] } }
  const policy = { url: other.url }
  await using it = await startHarness({ file: { routes: [], mcp: { ...mcp, policy: true }, policy } })
  await using plain = await startHarness({ file: { routes: [], mcp, policy } })
  const one = (method: string, params: JsonObject = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
  const ask = (at: typeof it, ...messages: JsonObject[]) =>
    at.ask('/mcp', {
      method: 'POST',
      token: at.mint({ sub: 'alice', scope: 'mcp' }),
      body: JSON.stringify(messages.length === 1 ? messages[0] : messages),
      headers: { 'content-type': 'application/json' },
    })
  const named = () =>
    other.asked.splice(0).map(({ body: { action, resource } }) => [action, resource].map(nameIn).join(' '))
  const list = one('tools/call', { name: 'list', arguments: { secret: 'of alice' } })
  assert.equal((await ask(it, list)).status, 200)
  assert.equal(JSON.stringify(other.asked).includes('of alice'), false)
  const [, second = assert.fail()] = other.asked
  assert.equal((second.body['subject'] as JsonObject)['id'], 'alice')
  assert.deepEqual(named(), ['POST /mcp', 'tools/call list'])
  await ask(it, list, list, one('resources/read', { uri: 'note://1' }), one('tools/list'))
  assert.deepEqual(named(), ['POST /mcp', 'tools/call list', 'resources/read note://1'])
  // A token without the scope is no matter of the policy.
  assert.equal((await ask(it, one('tools/call', { name: 'add' }))).status, 403)
  assert.deepEqual(named(), ['POST /mcp'])
  await ask(plain, list)
  assert.deepEqual(named(), ['POST /mcp'])
  const before = it.seen.length
  other.deny = 'list'
  const denied = await ask(it, one('tools/list'), list)
  assert.deepEqual([denied.status, JSON.parse(denied.body)['code']], [403, 'policy_denied'])
  other.silent = 'list'
  const unsaid = await ask(it, list)
  assert.deepEqual([unsaid.status, JSON.parse(unsaid.body)['code']], [503, 'policy_unavailable'])
  assert.equal(it.seen.length, before)
  const unread = readGatewayPlan({ issuer, audience, upstream: 'http://127.0.0.1:1', mcp: { ...mcp, policy: true } })
  assert.deepEqual(unread.kind === 'error' ? unread.error.map(({ field }) => field) : [], ['mcp.policy'])
})

const nameIn = (it: unknown): unknown => (it as JsonObject)['name'] ?? (it as JsonObject)['id']

test('nobody is asked about a token that does not suffice or a public route; silence may be taken for a yes', async () => {
  await using other = await startPolicyService()
  const routes = [
    { path: '/orders', scopes: ['orders:read'] },
    { path: '/open', public: true },
  ]
  await using it = await startHarness({ file: { routes, policy: { url: other.url, on_failure: 'allow' } } })
  await it.ask('/orders', { token: it.mint({ scope: 'other' }) })
  await it.ask('/orders')
  assert.equal((await it.ask('/open')).status, 200)
  assert.deepEqual(other.asked, [])
  other.answer = null
  assert.equal((await it.ask('/orders', { token: it.mint() })).status, 200)
})

test('a policy service that cannot be one is refused with its field', () => {
  const problems = (policy: JsonObject) => {
    const plan = readGatewayPlan({ issuer, audience, routes: [{ path: '/', scopes: [] }], policy })
    return plan.kind === 'error' ? plan.error.map(({ field }) => field) : []
  }
  const url = 'https://pdp.example/access/v1/evaluation'
  assert.deepEqual(problems({ url }), [])
  assert.deepEqual(problems({ url: 'http://pdp.example/' }), ['policy.url'])
  assert.deepEqual(problems({}), ['policy.url'])
  assert.deepEqual(problems({ url, on_failure: 'perhaps' }), ['policy.on_failure'])
  assert.deepEqual(problems({ url, token: 'a', token_file: 'b' }), ['policy.token'])
  assert.deepEqual(problems({ url, more: 1 }), ['policy.more'])
})
