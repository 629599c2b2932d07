/** Requests made from the description of an API: mostly fitting, often broken. Whatever they are, no answer may be a 5xx. */
import fc from 'fast-check'

type Node = Readonly<Record<string, unknown>>

export interface FuzzRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Values around the edge of a schema, and values that have nothing to do with it. */
function valueFor(schema: Node, resolve: (reference: string) => Node): fc.Arbitrary<unknown> {
  if (typeof schema['$ref'] === 'string') return valueFor(resolve(schema['$ref']), resolve)
  const fitting = fittingFor(schema, resolve)
  return fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 1, arbitrary: strange })
}

const nasty = fc.constantFrom(
  '',
  '\u0000',
  '__proto__',
  'constructor',
  '\u{1F600}',
  '\u202E',
  "' OR 1=1 --",
  '%00',
  '../..',
  '1e999',
  'a'.repeat(300),
)
const strange = fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, -1, 1e308, 2 ** 53, [], {}))

function fittingFor(schema: Node, resolve: (reference: string) => Node): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...(schema['anyOf'] as Node[]).map((of) => valueFor(of, resolve)))
  switch (schema['type']) {
    case 'integer':
      return fc.integer({ min: -2, max: 1000 })
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valueFor((schema['items'] ?? {}) as Node, resolve), { maxLength: 4 })
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Node>)
      const members = Object.fromEntries(properties.map(([name, of]) => [name, valueFor(of, resolve)]))
      return fc.oneof(fc.record(members), fc.record(members, { requiredKeys: [] }))
    }
    default:
      return fc.oneof(fc.string({ maxLength: 20 }), nasty)
  }
}

const oddHeaders = fc.dictionary(
  fc.constantFrom(
    'accept',
    'content-type',
    'if-match',
    'if-none-match',
    'if-modified-since',
    'prefer',
    'idempotency-key',
    'content-encoding',
    'range',
    'origin',
  ),
  fc.oneof(
    fc.constantFrom('*', '*/*', '"x"', 'W/"x"', ',', ';', 'application/json', 'gzip', 'return=minimal'),
    fc.string({ maxLength: 20 }),
  ),
  { maxKeys: 3 },
)

export function requestsOf(document: Node): fc.Arbitrary<FuzzRequest> {
  const resolve = (reference: string): Node =>
    reference
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((of, step) => (of as Node)[step], document) as Node
  const operations = Object.entries(document['paths'] as Record<string, Node>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ path, method, operation: operation as Node })),
  )
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const queries = ((operation['parameters'] ?? []) as Node[]).filter((parameter) => parameter['in'] === 'query')
    const query = fc.record(
      Object.fromEntries(
        queries.map((parameter) => [String(parameter['name']), valueFor(parameter['schema'] as Node, resolve)]),
      ),
      { requiredKeys: [] },
    )
    const content = (operation['requestBody'] as { content?: Record<string, { schema: Node }> } | undefined)?.content
    const [type = 'application/json', media] = Object.entries(content ?? {})[0] ?? []
    const body = media === undefined ? fc.constant(null) : valueFor(media.schema, resolve)
    const broken = fc.constantFrom(
      (text: string) => text,
      (text: string) => text,
      (text: string) => text.slice(0, -1),
      (text: string) => `${text}]`,
    )
    return fc
      .record({
        id: fc.oneof(fc.constantFrom('a', 'p1', 'none'), nasty, fc.string({ maxLength: 30 })),
        query,
        body,
        broken,
        odd: oddHeaders,
      })
      .map(({ id, query, body, broken, odd }) => {
        const search = Object.entries(query as object).map(
          ([name, value]) =>
            `${encodeURIComponent(name)}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`,
        )
        const url = path.replace('{id}', encoded(id)) + (search.length === 0 ? '' : `?${search.join('&')}`)
        const headers = { ...(media === undefined ? {} : { 'content-type': type }), ...odd }
        return {
          method: method.toUpperCase(),
          url,
          headers,
          ...(media === undefined ? {} : { body: broken(JSON.stringify(body)) }),
        }
      })
  })
}

/** A lone surrogate has no encoding; it is sent as what it would become. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
