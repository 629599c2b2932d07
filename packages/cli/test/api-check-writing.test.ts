/** `grantor api check --write`: correct APIs pass whatever their examples are like, those that ignore keys and versions fail. */
import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { check, json, outcomes, serve, things } from './checked-api.ts'

interface Manners {
  /** `always`: the first answer is given again, whatever is sent with the key. */
  readonly keys?: 'kept' | 'ignored' | 'always'
  readonly conditions?: 'kept' | 'ignored'
  /** What a body that does not fit is answered before keys are looked at; null: keys come first. */
  readonly misfit?: 400 | 422 | null
  readonly example?: JsonObject
  readonly change?: JsonObject | null
}

const book = { kind: 'book', name: 'a' }
const create = 'the same key gives the same answer'
const otherwise = 'a key for another request is 422'
const version = 'a change of another version is 412'
const noVersion = 'a change without a version is 428, or taken by choice'

const documented = (example: JsonObject, change: JsonObject | null) => {
  const [list, item] = [things.paths['/things'], things.paths['/things/{id}']]
  const content = { 'application/json': { example } }
  const patched = change === null ? { schema: { type: 'object' } } : { example: change }
  const patch = { requestBody: { content: { 'application/merge-patch+json': patched } }, responses: { 200: {} } }
  return {
    ...things,
    paths: {
      '/things': { ...list, post: { ...list.post, requestBody: { content } } },
      '/things/{id}': { ...item, patch },
    },
  }
}

/** Names are unique and never changed, kinds are an enum: what many correct APIs are like. */
function shelf({ keys = 'kept', conditions = 'kept', misfit = null, example = book, change = { note: 'b' } }: Manners) {
  const held = new Map<string, { readonly name: unknown; readonly tag: string }>()
  const answered = new Map<string, { readonly sent: string; readonly id: string }>()
  let count = 0
  const made = (response: ServerResponse, id: string): void => {
    response.setHeader('location', `/things/${id}`)
    json(response, 201, { id, ...example })
  }
  const post = (response: ServerResponse, sent: string, key: string): void => {
    const { kind = 'book', name } = JSON.parse(sent) as JsonObject
    const fits = kind === 'book'
    if (!fits && misfit !== null) return json(response, misfit, {})
    const before = keys === 'ignored' ? undefined : answered.get(key)
    if (before !== undefined)
      return keys === 'always' || before.sent === sent ? made(response, before.id) : json(response, 422, {})
    if (!fits) return json(response, 400, {})
    // A refusal that names what is in the way is no news of something that was made.
    const [taken] = [...held].find(([, it]) => it.name === name) ?? []
    if (taken !== undefined) return json(response, 409, { id: taken })
    const id = `t${++count}`
    held.set(id, { name, tag: `"${id}-1"` })
    answered.set(key, { sent, id })
    return made(response, id)
  }
  const patch = (response: ServerResponse, sent: string, { id, expected }: { id: string; expected?: string }): void => {
    const found = held.get(id)
    if (found === undefined) return json(response, 404, {})
    if ('name' in (JSON.parse(sent) as JsonObject)) return json(response, 400, {})
    if (conditions === 'ignored') return json(response, 200, {})
    return json(response, expected === undefined ? 428 : expected === found.tag ? 200 : 412, {})
  }
  const listener: RequestListener = (request, response) => {
    const { method, url = '', headers } = request
    const id = url.split('/')[2] ?? ''
    if (url === '/openapi.json') return json(response, 200, documented(example, change))
    if (method === 'DELETE') return json(response, held.delete(id) ? 204 : 404, {})
    if (method !== 'POST' && method !== 'PATCH') return json(response, 200, { items: [] })
    const handled = text(request).then((sent) => {
      if (!sent.endsWith('}')) return json(response, 400, {})
      const expected = headers['if-match']
      return method === 'POST'
        ? post(response, sent, String(headers['idempotency-key']))
        : patch(response, sent, { id, ...(expected === undefined ? {} : { expected }) })
    })
    return void handled
  }
  return { listener, held }
}

async function found(manners: Manners) {
  const { listener, held } = shelf(manners)
  await using api = await serve(listener)
  const { printed } = await check(api.url, '--write')
  assert.deepEqual([...held], [], 'what was made is deleted, and nothing else is there')
  const all = outcomes(printed)
  const details = Object.fromEntries((printed?.checks ?? []).map(({ name, detail }) => [name, detail]))
  return { outcomes: [create, otherwise, version, noVersion].map((name) => all[name]), details }
}

test('a correct API whose names are unique and never change passes', async () => {
  for (const example of [book, { name: 'a', count: 1 }, { name: 'a' }])
    assert.deepEqual((await found({ example })).outcomes, ['pass', 'pass', 'pass', 'pass'], JSON.stringify(example))
})

test('what cannot be told is skipped: another body that fits nowhere, a change that is refused for itself', async () => {
  for (const misfit of [400, 422] as const) {
    const { outcomes, details } = await found({ misfit })
    assert.deepEqual(outcomes, ['pass', 'skip', 'pass', 'pass'], String(misfit))
    assert.match(details[otherwise] ?? '', new RegExp(`^another body answers ${misfit}`))
  }
  const { outcomes, details } = await found({ change: null })
  assert.deepEqual(outcomes, ['pass', 'pass', 'skip', 'skip'])
  assert.equal(details[version], 'a change from the example answers 400')
  const list = await found({ example: {} })
  assert.equal(list.outcomes[1], 'skip')
})

test('an API that ignores keys is found, whether its names are unique or not', async () => {
  const unique = await found({ keys: 'ignored', example: { kind: 'book', name: 'a', count: 1 } })
  assert.deepEqual(unique.outcomes, ['fail', 'fail', 'pass', 'pass'])
  assert.deepEqual([unique.details[create], unique.details[otherwise]], ['first 201, then answers 409', 'answers 409'])
  const fresh = await found({ keys: 'ignored', example: { name: 'a' } })
  assert.deepEqual([fresh.outcomes[0], fresh.details[otherwise]], ['fail', 'answers 201'])
  // Its 422 is for the body, and no sign of a key that was kept.
  assert.deepEqual((await found({ keys: 'ignored', misfit: 422 })).outcomes, ['fail', 'skip', 'pass', 'pass'])
  assert.deepEqual((await found({ keys: 'always' })).outcomes, ['pass', 'fail', 'pass', 'pass'])
})

test('an API that ignores versions is found', async () => {
  const { outcomes, details } = await found({ conditions: 'ignored' })
  assert.deepEqual(outcomes, ['pass', 'pass', 'fail', 'pass'])
  assert.deepEqual([details[version], details[noVersion]], ['answers 200', 'taken: the API leaves it to clients'])
})

const deleted = 'what was made is deleted again'

/** An API that keeps no keys and whose creates say where what they made is, and no more. */
function bare(remove: (version: string | undefined) => number, location = '/things/') {
  const held = new Set<string>()
  const create = (response: ServerResponse, sent: string): void => {
    if (!sent.endsWith('}')) return json(response, 400, {})
    const id = `t${held.size + 1}`
    held.add(id)
    return void response.writeHead(201, { location: location + id }).end()
  }
  const listener: RequestListener = (request, response) => {
    const { method, url = '', headers } = request
    if (url === '/openapi.json') return json(response, 200, documented({ name: 'a' }, null))
    if (method === 'DELETE') {
      const status = remove(headers['if-match'])
      if (status === 204) held.delete(url.slice('/things/'.length))
      return json(response, status, {})
    }
    if (method !== 'POST') return json(response, 200, { items: [] })
    return void text(request).then((sent) => create(response, sent))
  }
  return { listener, held }
}

test('what a create names by its Location alone is deleted, also where a version is asked for', async () => {
  for (const remove of [() => 204, (version?: string) => (version === undefined ? 428 : 204)]) {
    const { listener, held } = bare(remove)
    await using api = await serve(listener)
    const { printed } = await check(api.url, '--write')
    assert.deepEqual([[...held], outcomes(printed)[create], outcomes(printed)[deleted]], [[], 'fail', undefined])
  }
})

test('what is made with the last request that may be sent is deleted all the same', async () => {
  const { listener } = bare(() => 204)
  await using api = await serve(listener)
  await check(api.url, '--write')
  const all = api.requests.findIndex(({ method, url }) => method === 'DELETE' && url.startsWith('/things/'))
  for (const requests of [all, all - 1]) {
    const { listener, held } = bare(() => 204)
    await using limited = await serve(listener)
    await check(limited.url, '--write', '--requests', String(requests))
    assert.deepEqual([...held], [], String(requests))
    assert.ok(limited.requests.some(({ method }) => method === 'DELETE'))
  }
})

test('what could not be deleted is told by its address, and nothing that lies elsewhere is deleted', async () => {
  const { listener, held } = bare(() => 403)
  await using api = await serve(listener)
  const { code, printed } = await check(api.url, '--write')
  assert.equal(outcomes(printed)[deleted], 'warn')
  const detail = printed?.checks.find(({ name }) => name === deleted)?.detail ?? ''
  assert.deepEqual([code, [...held].filter((id) => !detail.includes(`/things/${id}: DELETE answers 403`))], [1, []])
  for (const location of ['/others/', 'http://127.0.0.1:1/things/', '/things/../others/']) {
    const { listener } = bare(() => 204, location)
    await using elsewhere = await serve(listener)
    assert.equal(outcomes((await check(elsewhere.url, '--write')).printed)[create], 'skip', location)
    assert.ok(!elsewhere.requests.some(({ method }) => method === 'DELETE'), location)
  }
})

test('RFC 9110 §15.3.1: what a create answers with 200 may have been there before, and is neither changed nor deleted', async () => {
  const document = documented({ name: 'a' }, { name: 'b' })
  await using api = await serve((request, response) => {
    const { method, url } = request
    if (url === '/openapi.json') return json(response, 200, document)
    if (method !== 'POST') return json(response, 200, { items: [{ id: 'old', name: 'a' }] })
    return void text(request).then((sent) => json(response, sent.endsWith('}') ? 200 : 400, { id: 'old', name: 'a' }))
  })
  const { printed } = await check(api.url, '--write')
  assert.deepEqual(
    api.requests.filter(({ method }) => ['DELETE', 'PATCH', 'PUT'].includes(method ?? '')),
    [],
  )
  assert.equal(outcomes(printed)['a create is 201 with Location'], 'fail')
  const detail = printed?.checks.find(({ name }) => name === deleted)?.detail ?? ''
  assert.match(detail, /^\/things\/old: a create answers 200, and may not have made it/)
})

test('links, and types of problems, are relative to what was asked for', async () => {
  const document = { ...things, servers: [{ url: '/v1' }] }
  for (const [next, outcome] of [
    ['?limit=1&cursor=2', 'pass'],
    ['things?limit=1&cursor=2', 'pass'],
    ['/v1/things?limit=1&cursor=2', 'pass'],
    ['/things?limit=1&cursor=2', 'fail'],
    ['', 'fail'],
  ] as const) {
    await using api = await serve(({ url = '' }, response) => {
      if (url === '/openapi.json') return json(response, 200, document)
      if (url === '/v1/problems/absent') return json(response, 200, {})
      if (url.startsWith('/v1/things?') && url.includes('limit=1')) {
        if (!url.includes('cursor')) response.setHeader('link', `<${next}>; rel="next"`)
        return json(response, 200, [{ id: url.includes('cursor') ? 2 : 1 }])
      }
      if (url === '/v1/things') return json(response, 200, [{ id: 1 }, { id: 2 }])
      response.writeHead(404, { 'content-type': 'application/problem+json' })
      return response.end(JSON.stringify({ type: 'problems/absent', title: 'x', status: 404 }))
    })
    const all = outcomes((await check(api.url)).printed)
    assert.equal(all['a page goes on to the next'], outcome, next)
    assert.equal(all['the page of a problem type can be read'], 'pass')
  }
})

test('a cursor is sent as it was given, with whatever letters it has', async () => {
  await using api = await serve(({ url = '' }, response) => {
    if (url === '/openapi.json') return json(response, 200, things)
    const cursor = new URL(url, 'http://x').searchParams.get('cursor')
    if (cursor !== null) return json(response, cursor === 'a+b/=&c' ? 200 : 400, [{ id: 2 }])
    return json(response, 200, { items: [{ id: 1 }], next_cursor: 'a+b/=&c' })
  })
  const { printed } = await check(api.url)
  const paging = printed?.checks.find(({ name }) => name === 'a page goes on to the next')
  assert.equal(paging?.detail, 'no Link')
})
