/** The description: complete, valid, deterministic, and true of what is served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIdempotencyKey } from '@grantor/protocol/http'
import fc from 'fast-check'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ActionPlan } from '../src/collection/handlers.ts'
import { longestCursor } from '../src/list/cursor.ts'
import { all, type Parcel, sample, start } from './sample.ts'

type Node = Readonly<Record<string, unknown>>
const documentOf = (text: string): Node => JSON.parse(text) as Node
const at = (node: unknown, ...path: string[]): unknown =>
  path.reduce((of, step) => (of as Node | undefined)?.[step], node)

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Node
}
function operationsIn(document: Node): Described[] {
  return Object.entries(at(document, 'paths') as Record<string, Node>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ path, method, operation: operation as Node })),
  )
}

/** Every $ref in a tree, followed in the document it stands in. */
function references(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [value as string] : references(value)))
}
function follow(document: Node, reference: string): unknown {
  return at(document, ...reference.replace('#/', '').split('/'))
}
/** References replaced by what they point at, so that a schema can be compiled by itself. */
function resolved(document: Node, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => resolved(document, item))
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { $ref?: string }
  if ($ref !== undefined) return resolved(document, follow(document, $ref))
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(document, value)]))
}
const fits = (schema: unknown, value: unknown): boolean => Compile(schema as TSchema).Check(value)

test('the same declaration gives the same bytes', () => {
  assert.equal(sample().api.openapi, sample().api.openapi)
})

test('OpenAPI 3.1: every reference leads somewhere, every operation has an id of its own', () => {
  const document = documentOf(sample().api.openapi)
  assert.match(String(document['openapi']), /^3\.1\./)
  for (const reference of references(document)) assert.notEqual(follow(document, reference), undefined, reference)
  const ids = operationsIn(document).map(({ operation }) => operation['operationId'])
  assert.deepEqual(ids, [
    'parcels_list',
    'parcels_create',
    'parcels_get',
    'parcels_replace',
    'parcels_patch',
    'parcels_delete',
  ])
  assert.equal(new Set(ids).size, ids.length)
})

test('every operation names its scope, its problems and an example that fits its schema', () => {
  const document = documentOf(sample().api.openapi)
  const known = at(document, 'components', 'securitySchemes', 'oauth2', 'flows', 'clientCredentials', 'scopes') as Node
  for (const { operation, path, method } of operationsIn(document)) {
    const where = `${method} ${path}`
    const [requirement] = operation['security'] as { oauth2: string[] }[]
    assert.equal(requirement?.oauth2.length, 1, where)
    for (const scope of requirement?.oauth2 ?? []) assert.ok(scope in known, where)
    const responses = operation['responses'] as Node
    for (const status of ['400', '401', '404', '406', '429', '500', '503'])
      assert.ok(status in responses, `${where} ${status}`)
    const contents = [
      ...Object.values((at(operation, 'requestBody', 'content') ?? {}) as Node),
      ...Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, response]) => Object.values((at(response, 'content') ?? {}) as Node)),
    ] as { schema: unknown; example: unknown }[]
    if (method !== 'delete') assert.ok(contents.length > 0, where)
    for (const { schema, example } of contents) {
      assert.notEqual(example, undefined, where)
      assert.ok(fits(resolved(document, schema), example), `${where} ${JSON.stringify(example)}`)
    }
  }
})

test('the problems of the description are the problems that are sent', () => {
  const document = documentOf(sample().api.openapi)
  const responses = at(document, 'components', 'responses') as Record<string, Node>
  for (const [name, response] of Object.entries(responses)) {
    const { schema, examples } = at(response, 'content', 'application/problem+json') as {
      schema: unknown
      examples: Record<string, { value: Node }>
    }
    for (const { value } of Object.values(examples)) {
      assert.equal(`Problem${String(value['status'])}`, name)
      assert.ok(fits(schema, value))
    }
  }
})

test('the examples of the description, sent as they stand, are accepted', async () => {
  const { client, put, api } = sample()
  put('p1')
  const document = documentOf(api.openapi)
  for (const { path, method, operation } of operationsIn(document)) {
    const contents = (at(operation, 'requestBody', 'content') ?? { none: {} }) as Record<string, { example?: never }>
    for (const [type, { example }] of Object.entries(contents)) {
      const got = await client({
        method: method.toUpperCase(),
        url: path.replace('{id}', 'p1'),
        as: { scope: all },
        ...(example === undefined ? {} : { body: example, headers: { 'content-type': type } }),
      })
      assert.ok(got.status < 300, `${method} ${path} ${type}: ${got.status} ${got.body}`)
      assert.ok(String(got.status) in (operation['responses'] as Node))
    }
  }
})

test('by the switch, scopes are described under 403', () => {
  const document = documentOf(sample({ server: { insufficientScopeStatus: 403 } }).api.openapi)
  const examples = at(
    document,
    'components',
    'responses',
    'Problem403',
    'content',
    'application/problem+json',
    'examples',
  )
  assert.ok('insufficient-scope' in (examples as Node))
})

test('OpenAPI 3.1: the document holds against the schema of the OpenAPI Initiative', async () => {
  const actions = {
    send: {
      on: 'item',
      scope: { any: ['parcels:send', 'parcels:admin'] },
      summary: 'Send it',
      body: Type.Object({ by: Type.String() }),
      example: { by: 'bike' },
      run: () => null,
    },
  } as const
  const version = { deprecatedAt: start, successor: 'v2' }
  for (const options of [
    {},
    { server: { insufficientScopeStatus: 403 } },
    { plan: { actions, concurrency: 'required' }, version },
  ] as const) {
    const { valid, errors } = await new Validator().validate(documentOf(sample(options).api.openapi))
    assert.ok(valid, JSON.stringify(errors))
  }
  const broken = await new Validator().validate({ ...documentOf(sample().api.openapi), paths: { orders: 7 } })
  assert.equal(broken.valid, false)
})

const parametersOf = (document: Node, path: string, method: string): Record<string, Node> =>
  Object.fromEntries(
    (at(document, 'paths', path, method, 'parameters') as Node[]).map((it) => [String(it['name']), it]),
  )

test('Idempotency-Key §2.1: the description takes exactly the keys that are taken', () => {
  const document = documentOf(sample().api.openapi)
  const key = at(parametersOf(document, '/v1/parcels', 'post'), 'Idempotency-Key', 'schema')
  const escaped = fc.constantFrom('\\"', '\\\\', 'a', ' ', ',')
  const texts = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('"', '\\', ' ', ',', 'a', 'é', '~', '!'), maxLength: 6 }),
    fc.string({ unit: 'grapheme-ascii', minLength: 250, maxLength: 260 }),
    fc.array(escaped, { minLength: 250, maxLength: 260 }).map((parts) => `"${parts.join('')}"`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(text === text.trim())
      assert.equal(fits(key, text), parseIdempotencyKey(text) !== null, JSON.stringify(text))
    }),
  )
  assert.ok(fits(key, `"${'\\"'.repeat(255)}"`))
})

test('lists are described as they are read: several values, one direction of a key, cursors, text and moments', async () => {
  const list = {
    filter: { state: ['in'], label: ['eq', 'in'], made_at: ['gte'], weight: ['eq'] },
    sort: ['weight'],
  } as const
  const { api, client } = sample({ plan: { list } })
  const parameters = parametersOf(documentOf(api.openapi), '/v1/parcels', 'get')
  const accepts = (name: string, value: unknown): boolean => fits(at(parameters, name, 'schema'), value)
  for (const [name, value, sent] of [
    ['state[in]', ['packed', 'sent'], 'packed,sent'],
    ['state[in]', ['packed', 'lost'], 'packed,lost'],
    ['state[in]', Array.from({ length: 101 }, () => 'sent'), Array.from({ length: 101 }, () => 'sent').join()],
    ['label[in]', ['a b', 'ü'], 'a b,ü'],
    ['label', 'x'.repeat(2048), 'x'.repeat(2048)],
    ['label', 'x'.repeat(2049), 'x'.repeat(2049)],
    ['label', 'a\u0007b', 'a\u0007b'],
    ['sort', ['weight', '-id'], 'weight,-id'],
    ['sort', ['weight', '-weight'], 'weight,-weight'],
    ['sort', ['colour'], 'colour'],
    ['sort', ['id', 'id'], 'id,id'],
    ['made_at[gte]', '2026-11-15T10:00:00.123456789+01:00', '2026-11-15T10:00:00.123456789+01:00'],
    ['made_at[gte]', '2026-11-15T10:00:60Z', '2026-11-15T10:00:60Z'],
    ['made_at[gte]', '2026-02-30T10:00:00Z', '2026-02-30T10:00:00Z'],
    ['weight', 2 ** 53, String(2 ** 53)],
    ['weight', -5, '-5'],
  ] as const) {
    const url = `/v1/parcels?${encodeURIComponent(name)}=${encodeURIComponent(sent)}`
    const got = await client({ url, as: { scope: all } })
    assert.equal(got.status, accepts(name, value) ? 200 : 400, `${name}=${sent.slice(0, 60)}`)
  }
  assert.deepEqual([parameters['state[in]']?.['style'], parameters['state[in]']?.['explode']], ['form', false])
  assert.deepEqual(
    [accepts('cursor', ''), accepts('cursor', 'a b'), accepts('cursor', 'x'.repeat(longestCursor + 1))],
    [false, false, false],
  )
})

test('a list that has one order describes that one, and refuses every other', async () => {
  const { api, client } = sample({ plan: { list: { sort: ['weight'], order: '-weight', fixedOrder: true } } })
  const sort = at(parametersOf(documentOf(api.openapi), '/v1/parcels', 'get'), 'sort', 'schema')
  for (const [value, sent] of [
    [['-weight'], '-weight'],
    [['weight'], 'weight'],
    [['-id'], '-id'],
    [['-weight', '-id'], '-weight,-id'],
    [[], ''],
  ] as const) {
    const got = await client({ url: `/v1/parcels?sort=${sent}`, as: { scope: all } })
    assert.equal(got.status, fits(sort, value) ? 200 : 400, sent)
  }
  assert.equal((await client({ url: '/v1/parcels', as: { scope: all } })).status, 200)
  assert.ok(fits(sort, ['-weight']))
})

test('a body that may be left out in part is described so, at any depth, and taken so', async () => {
  const body = Type.Object({
    overlap: Type.Integer({ default: 5 }),
    parts: Type.Array(Type.Object({ name: Type.String(), size: Type.Integer({ default: 1 }) }), { default: [] }),
  })
  const seen: unknown[] = []
  const weigh: ActionPlan<Parcel> = {
    on: 'collection',
    scope: 'parcels:write',
    summary: 'Weigh',
    body,
    example: { overlap: 5, parts: [] },
    run: (given: never) => (seen.push(given), null),
  }
  const { api, client } = sample({ plan: { actions: { weigh } } })
  const document = documentOf(api.openapi)
  const schema = at(
    document,
    'paths',
    '/v1/parcels/weigh',
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  )
  for (const given of [{}, { parts: [{ name: 'a' }] }, { parts: [{}] }]) {
    const got = await client({ method: 'POST', url: '/v1/parcels/weigh', as: { scope: all }, body: given })
    assert.equal(got.status, fits(schema, given) ? 204 : 400, JSON.stringify(given))
  }
  assert.deepEqual(seen, [
    { overlap: 5, parts: [] },
    { overlap: 5, parts: [{ name: 'a', size: 1 }] },
  ])
})

test('a default is made anew for each request: what a handler does to it reaches nobody else', async () => {
  const seen: string[] = []
  const weigh: ActionPlan<Parcel> = {
    on: 'collection',
    scope: 'parcels:write',
    summary: 'Weigh',
    body: Type.Object({
      parts: Type.Array(Type.String(), { default: [] }),
      of: Type.Object({ names: Type.Array(Type.String()) }, { default: { names: ['a'] } }),
    }),
    example: {},
    run({ parts, of: { names } }: { parts: string[]; of: { names: string[] } }) {
      seen.push(JSON.stringify([parts, names]))
      parts.push('mine')
      names.push('mine')
      return null
    },
  }
  const { client } = sample({ plan: { actions: { weigh } } })
  for (const tenant of ['acme', 'umbra'])
    await client({ method: 'POST', url: '/v1/parcels/weigh', as: { scope: all, tenant }, body: {} })
  assert.deepEqual(seen, ['[[],["a"]]', '[[],["a"]]'])
})

test('RFC 9110 §10.2.1: the address of an action of a collection has its own methods, and no item lies under its name', async () => {
  const run = () => null
  const weigh: ActionPlan<Parcel> = {
    on: 'collection',
    scope: 'parcels:write',
    summary: 'Weigh',
    body: Type.Object({}),
    example: {},
    run,
  }
  const { client, put } = sample({ plan: { actions: { weigh } } })
  put('weigh')
  const as = { scope: all }
  const options = await client({ method: 'OPTIONS', url: '/v1/parcels/weigh', as })
  assert.equal(options.headers['allow'], 'POST, OPTIONS')
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const got = await client({ method, url: '/v1/parcels/weigh', as, ...(method === 'GET' ? {} : { body: {} }) })
    assert.deepEqual([got.status, got.headers['allow']], [405, 'POST, OPTIONS'])
  }
})
