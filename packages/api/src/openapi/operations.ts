/** The OpenAPI operations of a collection: parameters, bodies, answers and scopes, with an example each. */
import type { JsonObject } from '@grantor/protocol/types'
import type { ScopeNeed } from '@grantor/resource'
import type { Action, Collection } from '../collection/collection.ts'
import type { ViewPlan } from '../collection/handlers.ts'
import { plainSchema } from '../collection/resource-schema.ts'
import { headerRefs } from './components.ts'
import { condition, idempotencyKey, prefer, preferLater } from './header-parameters.ts'
import { listOperation } from './list-operation.ts'
import { oneOf, type OpenApiNode, schemaName } from './node.ts'
import {
  type DescribedCollection,
  operation,
  jsonAnswer,
  quotaNames,
  schemaRef,
  onObject,
  onChange,
  onWrite,
  shownHeaders,
  withBody,
  writtenNames,
} from './operation.ts'

export function operationsOf(of: DescribedCollection): [string, OpenApiNode][] {
  const { collection, base } = of
  const { handlers, scopes, actions } = collection
  const onCollection = {
    ...(handlers.list === undefined || scopes.read === null ? {} : { get: listOperation(of, scopes.read) }),
    ...(handlers.create === undefined || scopes.write === null ? {} : { post: createOperation(of, scopes.write) }),
  }
  const writable = handlers.update !== undefined || handlers.insert !== undefined
  const onItem = {
    ...(handlers.get === undefined || scopes.read === null ? {} : { get: readOperation(of, scopes.read) }),
    ...(!writable || scopes.write === null ? {} : { put: changeOperation(of, scopes.write, 'replace') }),
    ...(handlers.update === undefined || scopes.write === null
      ? {}
      : { patch: changeOperation(of, scopes.write, 'patch') }),
    ...(scopes.delete === null ? {} : { delete: removeOperation(of, scopes.delete) }),
  }
  const paths: [string, OpenApiNode][] = [
    [base, onCollection],
    [`${base}/{id}`, { parameters: [idParameter(of)], ...onItem }],
  ]
  for (const [name, view] of collection.views) {
    const get = { get: viewOperation(of, name, view) }
    paths.push([`${base}/{id}/${name}`, { parameters: [idParameter(of, view.id)], ...get }])
  }
  for (const [name, action] of actions) {
    const item = action.plan.on === 'item'
    const post = { post: actOperation(of, name, action) }
    paths.push([
      item ? `${base}/{id}/${name}` : `${base}/${name}`,
      item ? { parameters: [idParameter(of)], ...post } : post,
    ])
  }
  return paths.filter(([, methods]) => Object.keys(methods).some((key) => key !== 'parameters'))
}

function createOperation(of: DescribedCollection, scope: ScopeNeed): OpenApiNode {
  return operation(of, {
    verb: 'create',
    summary: `Create ${oneOf(of.collection.name)}`,
    scope,
    parameters: [
      of.collection.deferred === null ? prefer : preferLater,
      idempotencyKey(of.collection.idempotency.required),
    ],
    requestBody: bodyOf(of, 'Write', ['application/json']),
    answers: laterAnswers(of, of.collection.deferred, {
      201: jsonAnswer('Created.', schemaRef(of), of.collection.example, ['Location', ...shownHeaders, ...quotaNames]),
    }),
    problems: [...withBody, ...onWrite, 'forbidden'],
  })
}

function readOperation(of: DescribedCollection, scope: ScopeNeed): OpenApiNode {
  const headers = [...shownHeaders, ...underWayNames(of.collection)]
  return operation(of, {
    verb: 'get',
    summary: `Read ${oneOf(of.collection.name)}`,
    scope,
    parameters: [condition(of, 'If-None-Match', 'Answers 304 where the resource is still this one.', false)],
    answers: {
      200: jsonAnswer('The resource.', schemaRef(of), of.collection.example, [...headers, ...quotaNames]),
      304: { description: 'Not modified.', headers: headerRefs(headers) },
    },
    problems: onObject,
  })
}

function changeOperation(of: DescribedCollection, scope: ScopeNeed, verb: 'replace' | 'patch'): OpenApiNode {
  const { concurrency, handlers, name, example } = of.collection
  const creates = verb === 'replace' && handlers.insert !== undefined
  const headers = [...shownHeaders, ...writtenNames, ...statusNames(of.collection)]
  const required = concurrency === 'required' && !creates
  return operation(of, {
    verb,
    summary:
      verb === 'replace' ? `Replace ${oneOf(name)}${creates ? ', or create it' : ''}` : `Change part of ${oneOf(name)}`,
    scope,
    parameters: [
      prefer,
      idempotencyKey(false),
      ...(concurrency === 'off'
        ? []
        : [condition(of, 'If-Match', 'The version the change is based on; another is 412.', required)]),
    ],
    requestBody:
      verb === 'replace'
        ? bodyOf(of, 'Write', ['application/json'])
        : bodyOf(of, 'Patch', ['application/merge-patch+json', 'application/json']),
    answers: {
      200: jsonAnswer('Changed.', schemaRef(of), example, headers),
      ...(creates ? { 201: jsonAnswer('Created.', schemaRef(of), example, ['Location', ...headers]) } : {}),
      204: {
        description: 'Changed, and the client asked for no body (Prefer: return=minimal).',
        headers: headerRefs(headers),
      },
    },
    problems: [...withBody, ...onChange],
  })
}

function removeOperation(of: DescribedCollection, scope: ScopeNeed): OpenApiNode {
  const { concurrency, name, removal } = of.collection
  const headers = [...quotaNames, ...underWayNames(of.collection), ...statusNames(of.collection)]
  const ifMatch = condition(of, 'If-Match', 'The version to delete; another is 412.', concurrency === 'required')
  return operation(of, {
    verb: 'delete',
    summary: `${removal === 'immediate' ? 'Delete' : 'End'} ${oneOf(name)}`,
    scope,
    parameters: [idempotencyKey(false), ...(concurrency === 'off' ? [] : [ifMatch])],
    answers:
      removal === 'immediate'
        ? { 204: { description: 'Deleted.', headers: headerRefs(headers) } }
        : { 202: jsonAnswer('Its end is under way.', schemaRef(of), of.collection.example, headers) },
    problems: onChange,
  })
}

function actOperation(of: DescribedCollection, name: string, { plan, schema }: Action): OpenApiNode {
  const { example, scope, summary } = plan
  const ofItem = plan.on === 'item' && of.collection.concurrency !== 'off'
  const ifMatch = condition(of, 'If-Match', 'The version it is meant for; another is 412.', false)
  const headers = headerRefs([...quotaNames, ...statusNames(plan)])
  return operation(of, {
    verb: name.replaceAll('-', '_'),
    summary,
    scope,
    parameters: [
      ...(plan.deferred === undefined ? [] : [preferLater]),
      idempotencyKey(false),
      ...(ofItem ? [ifMatch] : []),
    ],
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    answers: laterAnswers(of, plan.deferred ?? null, {
      200: { description: 'Done.', headers, content: { 'application/json': { schema: {} } } },
      204: { description: 'Done; there is nothing to say.', headers },
    }),
    problems: [...withBody, ...onWrite, 'validation-error', ...(ofItem ? onObject : (['forbidden'] as const))],
  })
}

const statusNames = ({ statusLink }: Pick<Collection | Action['plan'], 'statusLink'>): readonly string[] =>
  statusLink == null ? [] : ['Link']

/** A resource whose removal takes time is answered with `Retry-After`. */
const underWayNames = ({ removal }: Collection): readonly string[] => (removal === 'accepted' ? ['Retry-After'] : [])

/** Adds 202. The direct answers stay, as a client that waits (`Prefer: wait`) may get the outcome at once. */
function laterAnswers(
  { version }: DescribedCollection,
  deferred: 'preferred' | 'always' | null,
  answers: OpenApiNode,
): OpenApiNode {
  if (deferred === null) return answers
  const schema = { $ref: `#/components/schemas/${schemaName(version.name, 'operations')}` }
  const headers = headerRefs(['Location', 'Retry-After', ...quotaNames])
  return {
    ...answers,
    202: { description: 'Accepted: it is done later.', headers, content: { 'application/json': { schema } } },
  }
}

function viewOperation(
  of: DescribedCollection,
  name: string,
  { summary, type = 'application/json' }: ViewPlan,
): OpenApiNode {
  return operation(of, {
    verb: `get_${name.replaceAll('-', '_')}`,
    summary,
    scope: of.collection.scopes.read ?? { all: [] },
    answers: {
      '2XX': {
        description: 'As it was answered.',
        headers: headerRefs(quotaNames),
        content: { [type]: { schema: type === 'application/json' ? {} : { type: 'string' } } },
      },
    },
    problems: ['conflict', 'forbidden', 'upstream-timeout'],
  })
}

function bodyOf(of: DescribedCollection, view: 'Write' | 'Patch', types: readonly string[]): OpenApiNode {
  const { example, schema } = of.collection
  const writable: JsonObject = Object.fromEntries(
    Object.entries(example).filter(([name]) => !schema.readOnly.includes(name)),
  )
  // The example of a patch has one member, to show that one is enough.
  const shown = view === 'Write' ? writable : Object.fromEntries(Object.entries(writable).slice(0, 1))
  const content = { schema: schemaRef(of, view), example: shown }
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) }
}

function idParameter({ collection }: DescribedCollection, instead?: ViewPlan['id']): OpenApiNode {
  if (instead !== undefined) return { name: 'id', in: 'path', required: true, schema: plainSchema(instead) }
  const { properties } = collection.schema.read as { readonly properties: Readonly<Record<string, OpenApiNode>> }
  const { readOnly: _, ...schema } = properties['id'] ?? {}
  return { name: 'id', in: 'path', required: true, schema, example: collection.example['id'] }
}
