/** Makes the rules for reading list queries from a collection's declaration, checked against its schema. */
import { type FilterField, type FilterOp, type ListRules, readSort, type Scalar } from '@grantor/protocol/http'
import { propertiesOf, requiredOf, type SchemaNode } from '../collection/resource-schema.ts'

export interface ListPlan {
  readonly filter?: Readonly<Record<string, readonly FilterOp[]>>
  readonly sort?: readonly string[]
  /** `-created_at`; `id` where left out. */
  readonly order?: string
  /** `false`: a client may not sort by `id`. It still is the last key of every order. */
  readonly sortsById?: boolean
  /** `true`: a client may request no other order than `order`. */
  readonly fixedOrder?: boolean
  /** By default 50, at most 200. */
  readonly limit?: { readonly usual: number; readonly most: number }
}

const idField = 'id'

/**
 * The longest sort keys that fit into a cursor, in characters, each of which may take six bytes; and the longest id.
 * An id of other letters than ASCII is too long for its own URL before it is too long for a cursor.
 */
const cursorRoom = 256
const longestId = 2048

export function listRules(plan: ListPlan, schema: SchemaNode, name: string): ListRules {
  const properties = propertiesOf(schema)
  const field = (of: string): SchemaNode => {
    const property = Object.hasOwn(properties, of) ? properties[of] : undefined
    if (property === undefined) throw new Error(`${name}: the list names ${of}, which the schema does not have`)
    return property
  }
  const { maxLength: idLength } = field(idField)
  if (typeof idLength === 'number' && idLength > longestId)
    throw new Error(`${name}: an id has at most ${longestId} characters`)
  const sort = plan.sort ?? []
  const room = sort.reduce((sum, of) => sum + textRoom(field(of), `${name}.${of}`), 0)
  if (room > cursorRoom) throw new Error(`${name}: sort keys have at most ${cursorRoom} characters together`)
  const required = requiredOf(schema)
  for (const of of sort) if (!required.includes(of)) throw new Error(`${name}.${of}: what is sorted by is always there`)
  const rules: ListRules = {
    filter: Object.fromEntries(
      Object.entries(plan.filter ?? {}).map(([of, ops]) => [of, filterField(field(of), ops, `${name}.${of}`)]),
    ),
    sort,
    defaultSort: plan.order ?? idField,
    limit: plan.limit ?? { usual: 50, most: 200 },
    idField,
    sortsById: plan.sortsById ?? true,
    fixedOrder: plan.fixedOrder ?? false,
  }
  if (readSort(rules.defaultSort, rules).kind === 'error')
    throw new Error(`${name}: the order ${rules.defaultSort} is not sortable`)
  return rules
}

/** A sort key goes into the cursor, so its length must be bounded. */
function textRoom(property: SchemaNode, where: string): number {
  if (property['type'] === 'integer' || property['type'] === 'number') return 0
  if (property['format'] === 'date-time') return 0
  const values = enumeration(property)
  const longest = values === null ? property['maxLength'] : Math.max(...values.map((value) => String(value).length))
  if (typeof longest !== 'number') throw new Error(`${where}: a sortable text has a maxLength`)
  return longest
}

function filterField(property: SchemaNode, ops: readonly FilterOp[], where: string): FilterField {
  const values = enumeration(property)
  const type = property['type'] ?? (values === null ? undefined : typeof values[0])
  if (type !== 'string' && type !== 'integer' && type !== 'number' && type !== 'boolean') {
    throw new Error(`${where}: only a text, number or boolean can be filtered by`)
  }
  const kind = type === 'string' && property['format'] === 'date-time' ? 'date-time' : type
  return { ops, kind, ...(values === null ? {} : { values }) }
}

function enumeration(property: SchemaNode): readonly Scalar[] | null {
  if (Array.isArray(property['enum'])) return property['enum'] as Scalar[]
  const options = property['anyOf']
  if (!Array.isArray(options)) return null
  const constants = (options as SchemaNode[]).map((option) => option['const'])
  return constants.every((value) => value !== undefined) ? (constants as Scalar[]) : null
}
