/** The list of a collection in the description: its page, its limit, cursor, order and filters. */
import type { FilterField } from '@grantor/protocol/http'
import type { ScopeNeed } from '@grantor/resource'
import type { OpenApiNode } from './node.ts'
import { type DescribedCollection, operation, jsonAnswer, schemaRef } from './operation.ts'
import { quotaNames } from './operation.ts'

const typeOf = (kind: FilterField['kind']): OpenApiNode =>
  kind === 'date-time' ? { type: 'string', format: kind } : { type: kind }

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
  const filters = Object.entries(list.filter).flatMap(([field, { ops, kind, values }]) =>
    ops.map((op) => ({
      name: op === 'eq' ? field : `${field}[${op}]`,
      in: 'query',
      description: op === 'in' ? 'Several values, separated by commas.' : `Compared by ${op}.`,
      schema:
        op === 'in' || op === 'prefix'
          ? { type: 'string' }
          : { ...typeOf(kind), ...(values === undefined ? {} : { enum: values }) },
    })),
  )
  const sortable = [...list.sort, list.idField].flatMap((field) => [field, `-${field}`])
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
        schema: { type: 'string', maxLength: 2048 },
      },
      {
        name: 'sort',
        in: 'query',
        description: 'Separated by commas; a minus in front descends. `id` is always the last key.',
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: sortable }, default: list.defaultSort.split(',') },
      },
      ...filters,
    ],
    answers: { 200: jsonAnswer('A page.', schema, page, ['Link', 'Cache-Control', ...quotaNames]) },
    problems: ['validation-error', 'invalid-cursor'],
  })
}
