/** The description: complete, valid, deterministic, and true of what is served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { all, sample, start } from './sample.ts'

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
