/** Handlers that resources, roles and scopes share: all of a tenant are read at once, each is changed at a version. */
import type { Handlers, RequestContext, StoredResource } from '@grantor/api'
import type { CatalogueKind, Versioned } from '@grantor/authority'
import { problem, type Problem } from '@grantor/protocol/http'
import type { JsonObject } from '@grantor/protocol/types'
import { actorOf, adminProblem, removed } from '../admin-problem.ts'
import { filterValue, pageById, tenantOf } from '../fields.ts'
import { storedVersion } from '../shown-version.ts'

type Document = { readonly id: string; readonly resource?: string; readonly built_in?: boolean }

interface CatalogueNoun<V, D extends Document> {
  readonly acts: CatalogueKind<V>
  /** The member of a body that is its id. */
  readonly key: 'identifier' | 'name' | 'id'
  entryOf(it: Versioned<V>, context: RequestContext): StoredResource<D>
  /** Built-in objects, which exist without being declared. */
  fixed?(context: RequestContext): readonly StoredResource<D>[]
}

export function catalogueHandlers<V, D extends Document, W extends object>({
  acts,
  key,
  entryOf,
  fixed = () => [],
}: CatalogueNoun<V, D>): Handlers<D, W> {
  async function all(context: RequestContext): Promise<readonly StoredResource<D>[] | Problem> {
    const held = await acts.list(tenantOf(context))
    if (held.kind === 'error') return adminProblem(held.error)
    return [...fixed(context), ...held.value.map((it) => entryOf(it, context))]
  }

  const isFixed = (id: string, context: RequestContext): boolean => fixed(context).some(({ value }) => value.id === id)
  const unchangeable = problem('forbidden', 'This one belongs to the issuer itself, and nobody changes it.')

  async function put(body: W, expected: string | null, context: RequestContext) {
    const input = body as JsonObject
    const put = await acts.put(actorOf(context.caller), tenantOf(context), { input, expected })
    return put.kind === 'ok' ? entryOf(put.value, context) : put.error
  }

  const renamed = (id: string, body: W): Problem | null =>
    (body as JsonObject)[key] === id
      ? null
      : problem('validation-error', 'It keeps its name for good.', {
          errors: [{ pointer: `#/${key}`, code: 'invalid', detail: 'must be the one in the address' }],
        })

  return {
    async list(query, context) {
      const held = await all(context)
      if ('kind' in held) return held
      const resource = filterValue(query.filter, 'resource')
      const prefix = filterValue(query.filter, 'name', 'prefix') ?? ''
      const builtIn = filterValue(query.filter, 'built_in')
      const isWanted = ({ value }: StoredResource<D>): boolean =>
        (resource === null || value.resource === resource) &&
        (builtIn === null || String(value.built_in ?? false) === builtIn) &&
        value.id.startsWith(prefix)
      return pageById(held.filter(isWanted), query)
    },
    async get(id, context) {
      const held = await all(context)
      return 'kind' in held ? held : (held.find(({ value }) => value.id === id) ?? null)
    },
    async create(body, context) {
      const made = await put(body, null, context)
      return 'reason' in made ? adminProblem(made) : made
    },
    async insert(id, body, context) {
      const other = renamed(id, body)
      if (other !== null) return other
      const made = await put(body, null, context)
      if (!('reason' in made)) return made
      return made.reason === 'exists' ? 'changed' : adminProblem(made)
    },
    async update(id, { body, expected }, context) {
      if (isFixed(id, context)) return unchangeable
      const other = renamed(id, body)
      if (other !== null) return other
      const changed = await put(body, storedVersion(expected), context)
      if (!('reason' in changed)) return changed
      return changed.reason === 'conflict' ? 'changed' : adminProblem(changed)
    },
    async remove(id, expected, context) {
      if (isFixed(id, context)) return unchangeable
      return removed(
        await acts.drop(actorOf(context.caller), tenantOf(context), { id, expected: storedVersion(expected) }),
      )
    },
  }
}
