/** The OpenAPI operation of a collection's list: its page, limit, cursor, order and filters. */
import {
  type FilterField,
  type FilterOp,
  type ListRules,
  longestText,
  momentPattern,
  mostValues,
  sortFields,
} from '@grantor/protocol/http'
import type { ScopeNeed } from '@grantor/resource'
import { longestCursor } from '../list/cursor.ts'
import type { OpenApiNode } from './node.ts'
import { type DescribedCollection, operation, jsonAnswer, schemaRef } from './operation.ts'
import { quotaNames } from './operation.ts'

/** Text that a query accepts: no control characters, and in a list of values no commas. */
const plainText = { type: 'string', maxLength: longestText, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }
const listedText = { ...plainText, pattern: '^[^\\u0000-\\u001f\\u007f,]*$' }

const integer = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** The schema of one value, as the query is parsed. */
function valueSchema({ kind, values }: FilterField, text: OpenApiNode): OpenApiNode {
  if (values !== undefined) return { type: kind === 'date-time' ? 'string' : kind, enum: values }
  if (kind === 'date-time') return { type: 'string', format: kind, pattern: momentPattern }
  return kind === 'string' ? text : kind === 'integer' ? integer : { type: kind }
}

function filterParameter(name: string, field: FilterField, op: FilterOp): OpenApiNode {
  const common = { name: op === 'eq' ? name : `${name}[${op}]`, in: 'query' }
  if (op === 'in') {
    const schema = { type: 'array', minItems: 1, maxItems: mostValues, items: valueSchema(field, listedText) }
    return { ...common, description: 'Several values, separated by commas.', style: 'form', explode: false, schema }
  }
  const schema = op === 'prefix' || op === 'contains' ? plainText : valueSchema(field, plainText)
  return { ...common, description: `Compared by ${op}.`, schema }
}

/** Each field may occur once, in one direction. */
function sortParameter(rules: ListRules): OpenApiNode {
  const usual = rules.defaultSort.split(',')
  const fields = sortFields(rules)
  const both = (field: string): OpenApiNode => ({
    not: { allOf: [{ contains: { const: field } }, { contains: { const: `-${field}` } }] },
  })
  return {
    name: 'sort',
    in: 'query',
    description: 'Separated by commas; a minus in front descends. `id` is always the last key.',
    style: 'form',
    explode: false,
    schema: rules.fixedOrder
      ? { type: 'array', items: { type: 'string' }, const: usual, default: usual }
      : {
          type: 'array',
          minItems: 1,
          maxItems: fields.length,
          uniqueItems: true,
          items: { type: 'string', enum: fields.flatMap((field) => [field, `-${field}`]) },
          ...(fields.length > 1 ? { allOf: fields.map(both) } : {}),
          default: usual,
        },
  }
}

const unreadable: OpenApiNode = {
  type: 'array',
  description: 'Only where there are some: they exist, cannot be read, and count as absent.',
  items: {
    type: 'object',
    required: ['id', 'detail'],
    properties: { id: { type: 'string' }, detail: { type: 'string' } },
  },
}

export function listOperation(of: DescribedCollection, scope: ScopeNeed): OpenApiNode {
  const { list, example, name, handlers } = of.collection
  const page = { items: [example], next_cursor: null, self: of.base, first: of.base }
  const schema = {
    type: 'object',
    required: ['items', 'next_cursor', 'self', 'first'],
    properties: {
      items: { type: 'array', items: schemaRef(of) },
      next_cursor: { type: ['string', 'null'] },
      self: { type: 'string', format: 'uri-reference' },
      first: { type: 'string', format: 'uri-reference' },
      next: { type: 'string', format: 'uri-reference' },
      ...(handlers.unreadable === undefined ? {} : { unreadable }),
    },
  }
  const filters = Object.entries(list.filter).flatMap(([name, field]) =>
    field.ops.map((op) => filterParameter(name, field, op)),
  )
  return operation(of, {
    verb: 'list',
    summary: `List ${name}`,
    scope,
    parameters: [
      {
        name: 'limit',
        in: 'query',
        description: `More than ${list.limit.most} is lowered to it.`,
        schema: { type: 'integer', minimum: 0, default: list.limit.usual },
      },
      {
        name: 'cursor',
        in: 'query',
        description: '`next_cursor` of the page before.',
        schema: { type: 'string', minLength: 1, maxLength: longestCursor, pattern: '^[A-Za-z0-9_-]+$' },
      },
      sortParameter(list),
      ...filters,
    ],
    answers: { 200: jsonAnswer('A page.', schema, page, ['Link', 'Cache-Control', ...quotaNames]) },
    problems: ['validation-error', 'invalid-cursor'],
  })
}
