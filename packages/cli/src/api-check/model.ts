/** The parts of an OpenAPI document that checks need: its operations, and examples to send. */
import type { Json, JsonObject } from '@grantor/protocol/types'

export interface Operation {
  readonly method: string
  /** `/v1/orders/{id}`, including the path of its server. */
  readonly template: string
  readonly parameters: readonly Parameter[]
  readonly statuses: ReadonlySet<string>
  /** An example of its body, where it takes JSON. */
  readonly example: string | null
  readonly mediaType: string | null
  readonly secured: boolean
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'elsewhere'
  readonly required: boolean
  readonly example: string | null
}

export interface ApiModel {
  readonly title: string
  readonly operations: readonly Operation[]
  /** A list that can be requested, preferably with pages. */
  readonly list: Operation | null
  /** An item of that list. */
  readonly item: Operation | null
  readonly create: Operation | null
  /** PUT or PATCH of the item. */
  readonly change: Operation | null
  readonly remove: Operation | null
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']
const mostOperations = 2000

/**
 * Null for anything but an OpenAPI 3 or Swagger 2 document. `origin`: where it was found; nothing is sent elsewhere.
 */
export function modelOf(document: Json, origin: string): ApiModel | null {
  if (!isObject(document) || !isObject(document['paths'])) return null
  if (typeof document['openapi'] !== 'string' && document['swagger'] !== '2.0') return null
  const base = basePath(document, origin)
  const operations = Object.entries(document['paths'])
    .filter(([path]) => path.startsWith('/'))
    .flatMap(([path, item]) => operationsAt({ document, base, path }, resolve(document, item)))
    .slice(0, mostOperations)
  const info = isObject(document['info']) ? document['info'] : {}
  return { title: typeof info['title'] === 'string' ? info['title'] : '', operations, ...chosen(operations) }
}

function chosen(operations: readonly Operation[]): Omit<ApiModel, 'title' | 'operations'> {
  const find = (method: string, template: string): Operation | null =>
    operations.find((it) => it.method === method && it.template === template) ?? null
  const plain = ({ method, template, parameters }: Operation): boolean =>
    method === 'GET' && !template.includes('{') && parameters.every(({ required }) => !required)
  const paged = ({ parameters }: Operation): boolean => parameters.some(({ name }) => /^(limit|cursor|page)/.test(name))
  const itemOf = (list: Operation): Operation | null =>
    operations.find((it) => it.method === 'GET' && isItemOf(it.template, list.template)) ?? null
  const lists = operations.filter(plain)
  const scored = lists.toSorted((a, b) => score(b) - score(a))
  function score(list: Operation): number {
    return (paged(list) ? 2 : 0) + (itemOf(list) === null ? 0 : 4) + (find('POST', list.template) === null ? 0 : 2)
  }
  const list = scored[0] ?? null
  const item = list === null ? null : itemOf(list)
  return {
    list,
    item,
    create: list === null ? null : find('POST', list.template),
    change: item === null ? null : (find('PATCH', item.template) ?? find('PUT', item.template)),
    remove: item === null ? null : find('DELETE', item.template),
  }
}

const isItemOf = (template: string, list: string): boolean =>
  template.startsWith(`${list.replace(/\/$/, '')}/{`) && template.indexOf('}') === template.length - 1

/** The path of its first server; its host is ignored. */
function basePath(document: JsonObject, origin: string): string {
  if (typeof document['basePath'] === 'string') return document['basePath'].replace(/\/$/, '')
  const [server] = Array.isArray(document['servers']) ? (document['servers'] as readonly Json[]) : []
  const url = isObject(server) && typeof server['url'] === 'string' ? URL.parse(server['url'], `${origin}/`) : null
  return url === null ? '' : url.pathname.replace(/\/$/, '')
}

interface Place {
  readonly document: JsonObject
  readonly base: string
  readonly path: string
}

function operationsAt({ document, base, path }: Place, item: Json | undefined): readonly Operation[] {
  if (!isObject(item)) return []
  const shared = parametersOf(document, item['parameters'])
  return methods.flatMap((method) => {
    const operation = item[method]
    if (!isObject(operation)) return []
    const parameters = [...parametersOf(document, operation['parameters']), ...shared]
    const { example, mediaType } = bodyOf(document, operation)
    const security = operation['security'] ?? document['security']
    return [
      {
        method: method.toUpperCase(),
        template: base + path,
        parameters,
        statuses: new Set(Object.keys(isObject(operation['responses']) ? operation['responses'] : {})),
        example,
        mediaType,
        secured: Array.isArray(security) && security.length > 0,
      },
    ]
  })
}

function parametersOf(document: JsonObject, value: Json | undefined): readonly Parameter[] {
  if (!Array.isArray(value)) return []
  return (value as readonly Json[]).flatMap((entry) => {
    const found = resolve(document, entry)
    if (!isObject(found) || typeof found['name'] !== 'string') return []
    const schema = resolve(document, found['schema'])
    const example = found['example'] ?? (isObject(schema) ? (schema['example'] ?? schema['default']) : undefined)
    const text = typeof example === 'string' || typeof example === 'number' ? String(example) : null
    return [
      {
        name: found['name'],
        in: found['in'] === 'path' ? 'path' : 'elsewhere',
        required: found['required'] === true,
        example: text,
      },
    ]
  })
}

function bodyOf(document: JsonObject, operation: JsonObject): Pick<Operation, 'example' | 'mediaType'> {
  const body = resolve(document, operation['requestBody'])
  const content = isObject(body) && isObject(body['content']) ? body['content'] : {}
  const [type, media] = Object.entries(content).find(([name]) => /[/+]json$/.test(name)) ?? []
  if (type === undefined || !isObject(media)) return { example: null, mediaType: null }
  const value = media['example'] ?? firstExample(media['examples']) ?? sample(document, media['schema'], 0)
  return { example: value === undefined ? null : JSON.stringify(value), mediaType: type }
}

function firstExample(examples: Json | undefined): Json | undefined {
  const [first] = isObject(examples) ? Object.values(examples) : []
  return isObject(first) ? first['value'] : undefined
}

/** A value that fits a plain schema: its example or default, otherwise the simplest value of its type. */
function sample(document: JsonObject, node: Json | undefined, depth: number): Json | undefined {
  const schema = resolve(document, node)
  if (!isObject(schema) || depth > 6) return undefined
  const given = schema['example'] ?? schema['default'] ?? firstOf(schema['examples']) ?? firstOf(schema['enum'])
  if (given !== undefined) return given
  if (schema['type'] === 'string') return 'x'.repeat(Math.min(100, Math.max(1, Number(schema['minLength'] ?? 1))))
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Number(schema['minimum'] ?? 1)
  if (schema['type'] === 'boolean') return false
  if (schema['type'] === 'array') {
    const item = Number(schema['minItems'] ?? 0) > 0 ? sample(document, schema['items'], depth + 1) : undefined
    return item === undefined ? [] : [item]
  }
  if (!isObject(schema['properties'])) return schema['type'] === 'object' ? {} : undefined
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : []
  const members = Object.entries(schema['properties']).filter(([name]) => required.includes(name))
  return Object.fromEntries(
    members.flatMap(([name, of]) => {
      const value = sample(document, of, depth + 1)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const firstOf = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) ? (value as readonly Json[])[0] : undefined

/** Resolves references within the document, at most a few steps deep. */
function resolve(document: JsonObject, node: Json | undefined): Json | undefined {
  let found: Json | undefined = node
  for (let steps = 0; steps < 8; steps++) {
    if (!isObject(found) || typeof found['$ref'] !== 'string') return found
    const { $ref } = found as { readonly $ref: string }
    if (!$ref.startsWith('#/')) return undefined
    found = $ref
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json | undefined>(
        (at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined),
        document,
      )
  }
  return undefined
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
