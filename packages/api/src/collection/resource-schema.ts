/** The schemas of a collection, for reading, writing and patching, derived from one TypeBox schema; and body checks. */
import { type RequestFault, pointerTo } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** JSON Schema as plain data. */
export type SchemaNode = Readonly<Record<string, unknown>>

export interface ResourceSchema {
  /** As shown to a client. */
  readonly read: SchemaNode
  /** The body of a POST or PUT: without read-only members, and closed to unknown ones. */
  readonly write: SchemaNode
  /**
   * A merge patch: nothing is required, null removes. Only for the description; the merged result is checked instead.
   */
  readonly patch: SchemaNode
  readonly readOnly: readonly string[]
  /** Whether an id that a client chose (PUT on a free one) fits the schema of ids. */
  acceptsId(id: string): boolean
  /** Fills in defaults, drops unknown members if `lenient`, and checks. */
  parseBody(value: Json, lenient: boolean): Result<JsonObject, readonly RequestFault[]>
}

export function resourceSchema(schema: TObject): ResourceSchema {
  const read = closeSchema(plainSchema(schema))
  const properties = propertiesOf(read)
  const readOnly = Object.keys(properties).filter((name) => properties[name]?.['readOnly'] === true)
  const write = sentByClients(withoutProperties(read, readOnly))
  const parseBody = bodyParser(write)
  const idOnly = Compile({ type: 'object', properties: { id: properties['id'] ?? {} } } as unknown as TSchema)
  return { read, write, patch: patchSchema(write), readOnly, parseBody, acceptsId: (id) => idOnly.Check({ id }) }
}

/** Makes `parseBody` for a schema, also that of an action's body. */
export function bodyParser(schema: SchemaNode): ResourceSchema['parseBody'] {
  const check = Compile(schema as unknown as TSchema)
  return (value, lenient) => {
    const filled = applyDefaults(schema, value, lenient)
    return check.Check(filled) ? ok(filled as JsonObject) : err(faultsOf(check.Errors(filled)))
  }
}

/** TypeBox keeps its own marks in hidden properties; a copy through JSON is plain JSON Schema. */
export function plainSchema(schema: TSchema): SchemaNode {
  return JSON.parse(JSON.stringify(schema)) as SchemaNode
}

/** Closes every object that does not state `additionalProperties`, so that a misspelt member is not ignored. */
export function closeSchema(node: SchemaNode): SchemaNode {
  const entries = Object.entries(node).map(([key, value]) => [key, mapNodes(value, closeSchema)] as const)
  const open = node['type'] !== 'object' || node['properties'] === undefined || 'additionalProperties' in node
  return Object.fromEntries(open ? entries : [...entries, ['additionalProperties', false]])
}

function mapNodes(value: unknown, change: (node: SchemaNode) => SchemaNode): unknown {
  if (Array.isArray(value)) return value.map((one) => mapNodes(one, change))
  return typeof value === 'object' && value !== null ? change(value as SchemaNode) : value
}

export function propertiesOf(node: SchemaNode): Readonly<Record<string, SchemaNode>> {
  return (node['properties'] ?? {}) as Record<string, SchemaNode>
}

export function requiredOf(node: SchemaNode): readonly string[] {
  return (node['required'] ?? []) as string[]
}

/**
 * The schema for what a client may send: at any depth, members with a default are not required, and integers are
 * limited to those that every JSON implementation keeps exact (RFC 8259 §6).
 */
export function sentByClients(node: SchemaNode): SchemaNode {
  const optional = (name: string): boolean => propertiesOf(node)[name]?.['default'] !== undefined
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === 'required' && Array.isArray(value)) return [key, requiredOf(node).filter((name) => !optional(name))]
    return [key, key === 'default' ? value : mapNodes(value, sentByClients)]
  })
  return { ...(node['type'] === 'integer' ? exactIntegers : {}), ...(Object.fromEntries(entries) as SchemaNode) }
}

/** Limits that a schema states itself take precedence. */
const exactIntegers = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

function withoutProperties(node: SchemaNode, names: readonly string[]): SchemaNode {
  const keep = (name: string): boolean => !names.includes(name)
  return {
    ...node,
    required: requiredOf(node).filter(keep),
    properties: Object.fromEntries(Object.entries(propertiesOf(node)).filter(([name]) => keep(name))),
  }
}

function patchSchema(node: SchemaNode): SchemaNode {
  const nullable = Object.entries(propertiesOf(node)).map(([name, of]) => {
    const { default: _, ...rest } = of
    return [name, requiredOf(node).includes(name) ? rest : { anyOf: [rest, { type: 'null' }] }] as const
  })
  return { ...node, required: [], properties: Object.fromEntries(nullable) }
}

/** Fills in defaults in every object; removes unknown members only if `lenient`. Values are never converted. */
function applyDefaults(node: SchemaNode, value: Json, lenient: boolean): Json {
  if (Array.isArray(value)) {
    const items = node['items'] as SchemaNode | undefined
    return items === undefined ? value : (value as readonly Json[]).map((item) => applyDefaults(items, item, lenient))
  }
  if (typeof value !== 'object' || value === null || node['properties'] === undefined) return value
  const properties = propertiesOf(node)
  const given = Object.entries(value as JsonObject)
    .filter(([name]) => Object.hasOwn(properties, name) || !lenient)
    .map(([name, of]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, property === undefined ? of : applyDefaults(property, of, lenient)] as const
    })
  const defaults = Object.entries(properties)
    .filter(([name, of]) => of['default'] !== undefined && !Object.hasOwn(value, name))
    // A copy for each request, because a handler may change its argument.
    .map(([name, of]) => [name, structuredClone(of['default'] as Json)] as const)
  return Object.fromEntries([...given, ...defaults])
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
  readonly message: string
}

/** One fault for each pointer: a union that fails is reported once, not for each of its branches. */
function faultsOf(errors: readonly SchemaError[]): readonly RequestFault[] {
  const faults = new Map<string, RequestFault>()
  for (const { keyword, instancePath, params, message } of errors) {
    if (keyword === 'boolean') continue
    const path = instancePath.split('/').slice(1).map(unescape)
    const members = (params as Record<string, unknown>)[keyword === 'required' ? 'requiredProperties' : keyword]
    if ((keyword === 'required' || keyword === 'additionalProperties') && Array.isArray(members)) {
      const detail = keyword === 'required' ? 'is required' : 'is not a member of this resource'
      for (const name of members as string[]) put(faults, [...path, name], { code: keyword, detail })
    } else put(faults, path, { code: keyword, detail: allowedValues(params) ?? message })
  }
  return [...faults.values()]
}

function put(
  faults: Map<string, RequestFault>,
  path: readonly string[],
  { code, detail }: { code: string; detail: string },
): void {
  const pointer = pointerTo(path)
  faults.set(pointer, { pointer, code, detail })
}

function allowedValues(params: object): string | null {
  const values = (params as { allowedValues?: readonly unknown[] }).allowedValues
  return values === undefined ? null : `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
}

const unescape = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')
