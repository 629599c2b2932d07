/** `grantor api check`: what it finds at good, careless and hostile APIs, and that none of them gets more than was asked. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { modelOf } from '../src/api-check/model.ts'
import { check, json, outcomes, serve, things } from './checked-api.ts'

test('a careless API fails by name, with a remedy each, and is not written to unless asked', async () => {
  await using api = await serve(({ url = '' }, response) =>
    url === '/openapi.json' ? json(response, 200, things) : json(response, 200, [{ id: 1 }, { id: 2 }]),
  )
  const { code, printed } = await check(api.url, '--token', 'secret-token')
  assert.equal(code, 1)
  const found = outcomes(printed)
  for (const name of [
    'no token is 401 with a challenge',
    'unknown address is 404',
    'unknown parameter is 400',
    'an item has an ETag',
    'quotas are told',
    'a page goes on to the next',
  ])
    assert.equal(found[name], 'fail', name)
  assert.equal(found['the same key gives the same answer'], 'skip')
  assert.equal(found['refusals are problem details'], 'skip', 'it refuses nothing')
  assert.ok(printed?.checks.every(({ remedy }) => remedy !== ''))
  const bodies = api.requests.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
  assert.deepEqual(new Set(bodies.map(({ method }) => method)), new Set(['POST']))
  assert.ok(api.requests.some(({ authorization }) => authorization === undefined))
})

test('what was seen is said once, and an item without a tag is not said to be absent', async () => {
  await using api = await serve(({ url = '' }, response) => {
    if (url === '/openapi.json') return json(response, 200, things)
    if (url === '/things') return json(response, 200, [{ id: 1 }])
    if (url === '/things/1') return json(response, 200, { id: 1 })
    response.writeHead(404, { 'content-type': 'application/problem+json' })
    return response.end(JSON.stringify({ type: '/problems/x', title: 'x', status: 404 }))
  })
  const { printed } = await check(api.url)
  const told = (wanted: string) => printed?.checks.find(({ name }) => name === wanted)?.detail
  assert.equal(told('the page of a problem type can be read'), '/problems/x answers 404')
  assert.equal(told('an unchanged item is 304'), 'the item has no ETag')
})

test('with --write a retried create that is made twice is found, and what was made is deleted', async () => {
  const held = new Set<string>()
  let count = 0
  await using api = await serve((request: IncomingMessage, response) => {
    const { method, url = '' } = request
    if (url === '/openapi.json') return json(response, 200, things)
    if (method === 'POST' && request.headers['content-type'] === 'application/json') {
      const id = `t${++count}`
      request.resume().on('end', () => {
        held.add(id)
        response.setHeader('location', `/things/${id}`)
        json(response, 201, { id, name: 'a' })
      })
      return undefined
    }
    if (method === 'DELETE') held.delete(url.split('/').at(-1) ?? '')
    return json(response, 200, { items: [] })
  })
  const found = outcomes((await check(api.url, '--write')).printed)
  assert.equal(found['a create is 201 with Location'], 'pass')
  assert.equal(found['the same key gives the same answer'], 'fail')
  assert.equal(found['a key for another request is 422'], 'fail')
  // What was made of no JSON at all is the API's own doing.
  assert.ok(held.size <= 1, [...held].join())
})

test('a token without the scope is refused as one: let in, or called bad, it is found; without one it is skipped', async () => {
  const scope = 'a token without the scope is 403 or 401 insufficient_scope'
  const challenge = (text: string) => ({ 'www-authenticate': `Bearer ${text}` })
  for (const [status, headers, outcome] of [
    [403, {}, 'pass'],
    [403, challenge('error="insufficient_scope", scope="things:read"'), 'pass'],
    [401, challenge('error="insufficient_scope", scope="things:read"'), 'pass'],
    [403, challenge('error="insufficient_scope"'), 'fail'],
    [403, challenge('error="invalid_token"'), 'fail'],
    [401, challenge('error="invalid_token"'), 'fail'],
    [401, {}, 'fail'],
    [200, {}, 'fail'],
    [404, {}, 'fail'],
    [500, {}, 'fail'],
  ] as const) {
    await using api = await serve((request, response) => {
      if (request.url === '/openapi.json') return json(response, 200, things)
      if (request.headers.authorization === 'Bearer good') return json(response, 200, [{ id: 1 }])
      if (request.headers.authorization !== 'Bearer weak') return json(response, 401, {})
      response.writeHead(status, headers).end('{}')
      return undefined
    })
    const { printed } = await check(api.url, '--token', 'good', '--scopeless-token', 'weak')
    assert.equal(outcomes(printed)[scope], outcome, `${status} ${JSON.stringify(headers)}`)
    if (status === 200) assert.equal(outcomes((await check(api.url, '--token', 'good')).printed)[scope], 'skip')
  }
})

test('no other host is spoken to: neither by a redirect, nor by servers, links, types or metadata', async () => {
  await using elsewhere = await serve((_request, response) => json(response, 200, things))
  const leading = { ...things, servers: [{ url: `${elsewhere.url}/base` }] }
  await using api = await serve(({ url = '' }, response) => {
    if (url === '/openapi.json') return json(response, 200, leading)
    response.setHeader('link', `<${elsewhere.url}/things?cursor=1>; rel="next"`)
    response.setHeader('www-authenticate', `Bearer resource_metadata="${elsewhere.url}/x"`)
    if (url.includes('limit=1')) return json(response, 200, [{ id: 1 }])
    response.writeHead(url.includes('?') ? 302 : 401, {
      location: `${elsewhere.url}/`,
      'content-type': 'application/problem+json',
    })
    return response.end(JSON.stringify({ type: `${elsewhere.url}/t`, title: 't', status: 401 }))
  })
  assert.equal((await check(api.url, '--token', 'secret-token')).code, 1)
  await using redirecting = await serve((_request, response) => {
    response.writeHead(302, { location: `${elsewhere.url}/openapi.json` }).end()
  })
  assert.equal((await check(redirecting.url)).code, 5)
  assert.deepEqual(elsewhere.requests, [])
})

test('no other host is spoken to by what a document begins its paths with', async () => {
  await using elsewhere = await serve((_request, response) => json(response, 200, things))
  const { host, port } = new URL(elsewhere.url)
  const { openapi: _, ...older } = things
  for (const base of [
    ...[`@${host}`, `:${port}`, '.evil.example'].map((basePath) => ({ ...older, swagger: '2.0', basePath })),
    { ...things, servers: [{ url: `mailto:@${host}` }] },
  ]) {
    await using api = await serve(({ url = '' }, response) => json(response, url === '/openapi.json' ? 200 : 404, base))
    const { code, printed } = await check(api.url, '--token', 'secret-token', '--write')
    const seen = printed?.checks.find(({ name }) => name === 'the list can be read')?.detail ?? ''
    assert.deepEqual([code, seen.endsWith(`/things is not at ${api.url}`)], [1, true], seen)
  }
  assert.deepEqual(elsewhere.requests, [])
})

test('bodies without end, silence and more than may be asked end the check, not the checker', async () => {
  await using endless = await serve(({ url = '' }, response) => {
    if (url === '/openapi.json') return json(response, 200, things)
    const chunk = Buffer.alloc(65_536, 'x')
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more).on('error', () => {})
    return more()
  })
  const { code, printed } = await check(endless.url, '--requests', '6')
  assert.equal(code, 1)
  assert.ok((printed?.requests ?? 99) <= 6)
  assert.ok(endless.requests.length <= 6)
  await using silent = await serve(({ url = '' }, response) => {
    if (url === '/openapi.json') json(response, 200, things)
  })
  const quiet = await check(`${silent.url}/openapi.json`, '--time', '1')
  assert.ok((quiet.printed?.summary.skip ?? 0) > 20)
})

test('what is no OpenAPI document, or nowhere, is said and ends with 5; bad words with 2', async () => {
  for (const body of ['<html>', '{}', '[]', 'null', '{"openapi":"3.1.0"}', 'a: *b', '{"openapi":"3.1.0","paths":7}']) {
    await using api = await serve((_request, response) => void response.end(body))
    const { code, stderr } = await check(`${api.url}/openapi.json`)
    assert.deepEqual([code, /no OpenAPI document/.test(stderr)], [5, true], body)
  }
  for (const args of [
    ['nonsense'],
    ['ftp://x'],
    ['http://127.0.0.1:1', '--header', 'nonsense'],
    ['http://127.0.0.1:1', '--client-id', 'x'],
  ])
    assert.equal((await check(args[0] ?? '', ...args.slice(1))).code, 2, args.join(' '))
  assert.equal((await check('http://127.0.0.1:1')).code, 5)
})

test('whatever a document says, reading it ends', () => {
  const loops = { ...things, components: { a: { $ref: '#/components/b' }, b: { $ref: '#/components/a' } } }
  const looped = {
    ...loops,
    paths: { '/x': { $ref: '#/components/a' }, '/y': { get: { parameters: [{ $ref: '#/components/a' }] } } },
  }
  assert.equal(modelOf(looped, 'http://x')?.operations.length, 1)
  fc.assert(
    fc.property(fc.json(), fc.json(), (paths, parts) => {
      const model = modelOf(
        { openapi: '3.1.0', paths: { '/a': JSON.parse(paths) as never, '/b': { post: JSON.parse(parts) as never } } },
        'http://x',
      )
      assert.notEqual(model, null)
    }),
  )
})
