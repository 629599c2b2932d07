/** In front of an MCP server: which messages pass, and what could make two readers take one for two. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import type { Json } from '@grantor/protocol/types'
import { type Asked, type Harness, type HarnessOptions, startHarness } from './harness.ts'

const mcp = {
  path: '/mcp',
  scopes: ['mcp'],
  tools: { list: [], add: ['write'] },
  resources: { 'note://public/*': [], 'note://secret/*': ['secret'] },
  prompts: { greet: ['prompt'] },
}

const start = (more: Readonly<Record<string, Json>> = {}, answer?: HarnessOptions['answer']) =>
  startHarness({ file: { routes: [], mcp: { ...mcp, ...more } }, ...(answer === undefined ? {} : { answer }) })

const message = (method: string, params: Json = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

const post = (it: Harness, body: string, { token = it.mint({ scope: 'mcp' }), headers = {} }: Asked = {}) =>
  it.ask('/mcp', { method: 'POST', token, body, headers: { 'content-type': 'application/json', ...headers } })

test('a tool without a scope of its own passes; one with a scope is refused with the step-up that agents understand', async () => {
  await using it = await start()
  assert.equal((await post(it, message('initialize'))).status, 200)
  assert.equal((await post(it, message('tools/call', { name: 'list' }))).status, 200)
  assert.equal(it.seen.at(-1)?.body, message('tools/call', { name: 'list' }))
  const refused = await post(it, message('tools/call', { name: 'add' }))
  assert.equal(refused.status, 403)
  assert.equal(
    refused.headers['www-authenticate'],
    'Bearer realm="api.example", error="insufficient_scope", scope="mcp write", resource_metadata="https://api.example/.well-known/oauth-protected-resource"',
  )
  assert.equal(
    (await post(it, message('tools/call', { name: 'add' }), { token: it.mint({ scope: 'mcp write' }) })).status,
    200,
  )
  const without = await post(it, message('ping'), { token: it.mint({ scope: 'write' }) })
  assert.equal(without.status, 403)
  assert.equal((await it.ask('/mcp', { method: 'POST' })).status, 401)
})

test('resources and prompts are asked by name; what the file does not list is 403 without a scope to ask for', async () => {
  await using it = await start()
  const status = async (method: string, params: Json) => (await post(it, message(method, params))).status
  assert.equal(await status('resources/read', { uri: 'note://public/1' }), 200)
  assert.equal(await status('resources/read', { uri: 'note://secret/1' }), 403)
  assert.equal(await status('resources/subscribe', { uri: 'note://secret/1' }), 403)
  assert.equal(await status('resources/read', { uri: 'note://public/../secret/1' }), 403)
  assert.equal(await status('resources/read', { uri: 'note://public/%2e%2e/secret/1' }), 403)
  assert.equal(await status('resources/read', { uri: 'note://public/%252e%252e/secret/1' }), 403)
  assert.equal(await status('resources/read', { uri: 'file:///etc/passwd' }), 403)
  assert.equal(await status('prompts/get', { name: 'greet' }), 403)
  assert.equal(await status('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' } }), 403)
  assert.equal(await status('completion/complete', { ref: { type: 'ref/resource', uri: 'note://public/1' } }), 200)
  const unlisted = await post(it, message('tools/call', { name: 'remove' }))
  assert.deepEqual([unlisted.status, unlisted.headers['www-authenticate']], [403, undefined])
  assert.equal(await status('tools/run', { name: 'list' }), 403)
  assert.equal(await status('tools/call', { name: ['list'] }), 403)
  assert.equal(await status('tools/call', {}), 403)
})

test('an address is judged as a server reads it by the URL standard, too', async () => {
  const resources = { 'note://all/*': [], 'note://all/secret': ['secret'], 'note://all/a%20b': ['secret'] }
  await using it = await start({ resources: { ...resources, 'https://x.example': [] } })
  const status = async (uri: string) => (await post(it, message('resources/read', { uri }))).status
  // Tabs and line ends are taken out, blanks at the ends cut off, other characters encoded.
  for (const uri of ['secr\tet', 'se\ncret', 'secret ', 'secret\u0000', 'x/.\t./secret', 'a b', 'a%20b', 'secret'])
    assert.equal(await status(`note://all/${uri}`), 403, JSON.stringify(uri))
  for (const uri of ['note://all/other', 'note://all/größe x', 'note://all/a%20c', 'https://x.example'])
    assert.equal(await status(uri), 200, uri)
})

test('every message of a batch is checked, and a batch has a bound', async () => {
  await using it = await start()
  const one = (method: string, params: Json = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
  const status = async (batch: Json) => (await post(it, JSON.stringify(batch))).status
  assert.equal(await status([one('ping'), one('tools/call', { name: 'list' })]), 200)
  assert.equal(await status([one('ping'), one('tools/call', { name: 'add' })]), 403)
  assert.equal(await status([]), 400)
  assert.equal(await status(Array.from({ length: 51 }, () => one('ping'))), 400)
  assert.equal(await status([[one('tools/call', { name: 'add' })]]), 400)
})

test('what two readers could take for two messages is refused', async () => {
  await using it = await start()
  for (const body of [
    '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"add"}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"add"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","NAME":"add"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","name":"add"}}',
    // CVE-2026-27896: encoding/json of Go takes U+017F for s and U+212A for k; others end a name at its first NUL.
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list"},"param\u017f":{"name":"add"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","name\\u0000":"add"}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","method\\u0000":"tools/call","params":{"name":"add"}}',
    '{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"note://public/1","uri\\u0000":"note://secret/1"}}}',
    '{"jsonrpc":"2.0","id":1,"result":{},"re\u017fult":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["add"]}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"id":1,"method":"ping"}',
    `${'['.repeat(200)}${']'.repeat(200)}`,
    '\u{feff}{"jsonrpc":"2.0","id":1,"method":"ping"}',
    'null',
    '',
    '{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0"}',
  ])
    assert.equal((await post(it, body)).status, 400, body.slice(0, 100))
  const ping = message('ping')
  assert.equal((await post(it, ping, { headers: { 'content-type': 'text/plain' } })).status, 415)
  assert.equal((await post(it, ping, { headers: { 'content-encoding': 'gzip' } })).status, 415)
  // In UTF-7 this calls `add`.
  const disguised = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","+AG4-ame":"add"}}'
  for (const charset of ['utf-7', '"UTF-16LE"', 'utf-8; charset=utf-7'])
    assert.equal(
      (await post(it, disguised, { headers: { 'content-type': `application/json; charset=${charset}` } })).status,
      415,
    )
  assert.equal((await post(it, ping, { headers: { 'mcp-method': 'tools/call' } })).status, 400)
  const listed = message('tools/call', { name: 'list' })
  assert.equal((await post(it, listed, { headers: { 'mcp-method': 'tools/call', 'mcp-name': 'add' } })).status, 400)
  assert.equal(it.seen.length, 0)
  assert.equal((await post(it, listed, { headers: { 'mcp-method': 'tools/call', 'mcp-name': 'list' } })).status, 200)
})

test('names beyond ASCII pass where they are the tool’s own', async () => {
  await using it = await start()
  const params = { name: 'list', arguments: { straße: 1 }, _meta: { größe: 1 } }
  assert.equal((await post(it, message('tools/call', params))).status, 200)
  assert.equal((await post(it, JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ſ: 1 } }))).status, 200)
})

test('MCP 2026-07-28: Mcp-Name says what the method goes by, and no other member of the message', async () => {
  await using it = await start({ methods: { 'tasks/run': [] } })
  const status = async (method: string, params: Json, name: string) =>
    (await post(it, message(method, params), { headers: { 'mcp-name': name } })).status
  const both = { name: 'list', uri: 'note://public/1' }
  assert.equal(await status('tools/call', both, 'list'), 200)
  assert.equal(await status('tools/call', both, 'note://public/1'), 400)
  assert.equal(await status('tools/call', { name: 'list', uri: 'add' }, 'add'), 400)
  assert.equal(await status('resources/read', both, 'note://public/1'), 200)
  assert.equal(await status('resources/read', both, 'list'), 400)
  assert.equal(await status('tasks/run', both, 'list'), 400)
  assert.equal(await status('ping', {}, 'add'), 400)
})

test('a session belongs to who began it, and GET and DELETE need its scope too', async () => {
  await using it = await start({}, (_request, response, { method }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' })
    response.end(JSON.stringify({ method }))
  })
  const alice = it.mint({ scope: 'mcp', sub: 'alice' })
  const bob = it.mint({ scope: 'mcp', sub: 'bob' })
  const headers = { 'mcp-session-id': 'session-1' }
  assert.equal((await post(it, message('initialize'), { token: alice })).status, 200)
  assert.equal((await post(it, message('ping'), { token: alice, headers })).status, 200)
  assert.equal((await post(it, message('ping'), { token: bob, headers })).status, 404)
  assert.equal((await it.ask('/mcp', { token: bob, headers })).status, 404)
  assert.equal((await it.ask('/mcp', { token: alice, headers })).status, 200)
  assert.equal((await it.ask('/mcp', { method: 'DELETE', token: alice, headers })).status, 200)
  assert.equal((await it.ask('/mcp', { method: 'PUT', token: alice })).status, 405)
  assert.equal((await it.ask('/mcp', { token: it.mint({ scope: 'other' }) })).status, 403)
  assert.equal((await it.ask('/MCP/', { token: bob, headers })).status, 404)
})

const listing = {
  jsonrpc: '2.0',
  id: 1,
  result: { tools: [{ name: 'list' }, { name: 'add' }, { name: 'hidden' }], nextCursor: 'x' },
}

for (const [form, type, body] of [
  ['JSON', 'application/json', JSON.stringify(listing)],
  ['JSON in capitals', 'Application/JSON', JSON.stringify(listing)],
  ['events', 'text/event-stream', `event: message\r\nid: 7\r\ndata: ${JSON.stringify(listing)}\r\n\r\n`],
] as const) {
  test(`a list as ${form} shows what a caller may use, where the file says so`, async () => {
    await using it = await start({ filter_lists: true }, (_request, response) => {
      response.writeHead(200, { 'content-type': type })
      // In pieces, as networks do.
      for (const piece of body.match(/[^]{1,20}/g) ?? []) response.write(piece)
      response.end()
    })
    const names = async (scope: string): Promise<unknown> => {
      const answer = await post(it, message('tools/list'), { token: it.mint({ scope }) })
      const text = form !== 'events' ? answer.body : (/^data: (.*)$/m.exec(answer.body)?.[1] ?? '')
      if (form === 'events') assert.match(answer.body, /^event: message\nid: 7\n/)
      const { result } = JSON.parse(text) as typeof listing
      assert.equal(result.nextCursor, 'x')
      return result.tools.map(({ name }) => name)
    }
    assert.deepEqual(await names('mcp'), ['list'])
    assert.deepEqual(await names('mcp write'), ['list', 'add'])
  })
}

test('the streams of a session end with the token they were opened with, and its messages are refused', async () => {
  await using it = await start({ filter_lists: true }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'session-1' }).write(': open\n\n')
  })
  const token = it.mint({ scope: 'mcp' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const open = async (method: string, body?: string): Promise<IncomingMessage> => {
    const asked = request({ port: it.gateway.port, host: '127.0.0.1', path: '/mcp', method, headers, agent: false })
    const [response] = (await once(asked.end(body), 'response')) as [IncomingMessage]
    return response.resume()
  }
  const streams = [await open('GET'), await open('POST', message('tools/list'))]
  const ends = streams.map((stream) => once(stream, 'end'))
  it.revoke(token)
  await Promise.all(ends)
  assert.equal((await post(it, message('ping'), { token, headers: { 'mcp-session-id': 'session-1' } })).status, 401)
})

test('RFC 9110 §8.8.3: what says something about the bytes of a list does not outlive its filter', async () => {
  await using it = await start({ filter_lists: true }, (_request, response) => {
    const headers = { etag: '"whole"', 'content-digest': 'sha-256=:AA==:', 'repr-digest': 'sha-256=:AA==:' }
    const more = { 'last-modified': 'Mon, 02 Nov 2026 00:00:00 GMT', 'accept-ranges': 'bytes', 'x-kept': 'yes' }
    response.writeHead(200, { 'content-type': 'application/json', ...headers, ...more }).end(JSON.stringify(listing))
  })
  const { status, headers } = await post(it, message('tools/list'))
  assert.equal(status, 200)
  const told = Object.keys(headers).filter((name) => /etag|digest|last-modified|accept-ranges|x-kept/.test(name))
  assert.deepEqual(told, ['x-kept'])
})

test('a message that is refused tells of the quota that it was charged', async () => {
  await using it = await startHarness({ file: { routes: [], mcp, quota: { requests: 9, seconds: 60 } } })
  const told: unknown[] = []
  for (const body of [message('tools/call', { name: 'add' }), 'no JSON']) {
    const { status, headers } = await post(it, body)
    told.push([status, headers['ratelimit-policy']])
  }
  const policy = '"client";q=9;w=60'
  assert.deepEqual(told, [
    [403, policy],
    [400, policy],
  ])
})

const text = JSON.stringify(listing)
const bom = '\u{feff}'
const halves = [text.slice(0, text.indexOf('[')), text.slice(text.indexOf('['))] as const

test('a list is filtered however it is framed', async () => {
  const form = { type: '', body: '' }
  await using it = await start({ filter_lists: true }, (_request, response) => {
    response.writeHead(200, { 'content-type': form.type })
    for (const byte of Buffer.from(form.body)) response.write(Buffer.of(byte))
    response.end()
  })
  const emptyLines = ['\n\n', '\r\r', '\r\n\r\n', '\n\r\n', '\r\n\n', '\r\n\r', '\n\r']
  const framed: readonly (readonly [type: string, body: string, lists: number])[] = [
    ['application/json; charset="UTF-8"', bom + text, 1],
    ['application/json', `[${text},${text}]`, 2],
    ['application/json', text.replace('{"tools"', '{"tools":[{"name":"none"}],"tools"'), 1],
    ...emptyLines.map((end) => ['text/event-stream;x=y', `${bom}data:${text}${end}data: ${text}${end}`, 2] as const),
    ['text/event-stream', `data: ${halves[0]}\rdata:${halves[1]}\n\rid: 1\ndata\n\n`, 1],
    ['text/event-stream', `event: other\nevent: message\ndata: ${text}\n\nevent: odd\ndata: ${text}\n\n`, 2],
    ['text/event-stream', `event: endpoint\ndata: /mcp/messages?a\n\ndata: ${text}\n\ndata: ${text}`, 1],
  ]
  for (const [type, body, lists] of framed) {
    Object.assign(form, { type, body })
    const answer = await post(it, message('tools/list'))
    assert.equal(answer.status, 200, body)
    assert.equal(answer.body.match(/"list"/g)?.length, lists, `${JSON.stringify(body)} became ${answer.body}`)
    assert.doesNotMatch(answer.body, /add|hidden/, body)
    if (body.includes('endpoint')) assert.match(answer.body, /^event: endpoint\ndata: \/mcp\/messages\?a\n\n/)
  }
})

test('RFC 8259 §6: a number passes a filter as it was written', async () => {
  const numbers = '{"id":12345678901234567890,"one":1.0,"zero":-0,"large":1e400,"small":0.10}'
  const body = `{"jsonrpc":"2.0","id":9007199254740993,"result":{"tools":[{"name":"list","inputSchema":${numbers}}]}}`
  const form = { type: 'application/json', body }
  await using it = await start({ filter_lists: true }, (_request, response) => {
    response.writeHead(200, { 'content-type': form.type }).end(form.body)
  })
  assert.equal((await post(it, message('tools/list'))).body, body)
  Object.assign(form, { type: 'text/event-stream', body: `data: ${body}\n\n` })
  assert.equal((await post(it, message('tools/list'))).body, form.body)
  Object.assign(form, { type: 'application/json', body: '{"jsonrpc":"2.0","id":1,"result":1.0}' })
  assert.equal((await post(it, message('ping'))).body, form.body)
})

test('an answer that cannot be looked into does not pass a filter', async () => {
  let answer: { readonly headers: OutgoingHttpHeaders; readonly body: string | Buffer; readonly status?: number }
  await using it = await start({ filter_lists: true }, (_request, response) => {
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
  })
  const json = { 'content-type': 'application/json' }
  for (const [headers, body] of [
    [{ ...json, 'content-encoding': 'gzip' }, 'x'],
    [json, `${text},`],
    [json, bom + bom + text],
    [json, Buffer.from(text, 'utf16le')],
    [json, Buffer.concat([Buffer.from(text), Buffer.of(0xff)])],
    [{ 'content-type': 'application/json; charset=utf-16' }, text],
    [{ 'content-type': 'application/json, text/plain' }, text],
    [{ 'content-type': 'application/json-seq' }, text],
    [{ 'content-type': 'text/plain' }, text],
    [{}, text],
    [json, `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ] as const) {
    answer = { headers, body }
    const { status } = await post(it, message('tools/list'))
    assert.equal(status, 502, `${JSON.stringify(headers)} ${String(body).slice(0, 80)}`)
  }
  const events = { 'content-type': 'text/event-stream' }
  for (const body of [`data: ${text},\n\n`, `data: ${text}\ndata: ${text}\n\n`, Buffer.of(0x64, 0xff, 0x0a)]) {
    answer = { headers: events, body }
    await assert.rejects(post(it, message('tools/list')), /aborted|hang up|ECONNRESET/, String(body))
  }
  // What no client takes for messages passes.
  answer = { status: 202, headers: {}, body: 'Accepted' }
  assert.equal((await post(it, message('ping'))).body, 'Accepted')
  answer = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'gone' }
  assert.equal((await post(it, message('ping'))).body, 'gone')
  answer = { headers: json, body: '' }
  assert.equal((await post(it, message('ping'))).status, 200)
})

test('no other route leads to the MCP server, and a WebSocket neither', async () => {
  await using it = await startHarness({ file: { routes: [{ path: '/', scopes: [] }], mcp } })
  const body = message('tools/call', { name: 'add' })
  for (const path of ['/mcp', '/MCP', '/mcp/', '/mcp;x', '/%6dcp', '/mcp/messages']) {
    const asked = {
      method: 'POST',
      token: it.mint({ scope: 'mcp' }),
      body,
      headers: { 'content-type': 'application/json' },
    }
    assert.equal((await it.ask(path, asked)).status, 403, path)
  }
  const raw = await it.raw(
    `GET /mcp HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${it.mint({ scope: 'mcp' })}\r\n\r\n`,
  )
  assert.match(raw, /^HTTP\/1\.1 403 /)
})
