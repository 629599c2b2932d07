/** Finds the collection and operation of a request (404, 405, 410). */
import { isGone, problem, type Problem, type Version, versionHeaders } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { ScopeNeed } from '@grantor/resource'
import type { Action, Collection } from '../collection/collection.ts'
import type { ViewPlan } from '../collection/handlers.ts'

export type Operation = 'list' | 'read' | 'view' | 'create' | 'replace' | 'patch' | 'remove' | 'act'

export interface Route {
  readonly operation: Operation
  readonly collection: Collection
  readonly version: Version
  /** Null where the operation is on the collection. */
  readonly id: string | null
  readonly action: Action | null
  readonly view: ViewPlan | null
  readonly scope: ScopeNeed
  /** `/v1/orders/{id}`: for metrics and for the description. */
  readonly template: string
  /** The path as sent. */
  readonly path: string
  /** `/t/acme/v1`: the prefix of all collections of the version. */
  readonly root: string
}

/** A path of the API, and the operation of each method on it. */
export interface ApiPath {
  readonly version: Version
  readonly template: string
  /** The parts of the path before and after the version, for links to a successor. */
  readonly around: readonly [string, string]
  readonly methods: ReadonlyMap<string, Route>
}

export interface ServedVersion {
  readonly version: Version
  readonly collections: ReadonlyMap<string, Collection>
}

export interface ServedPaths {
  readonly versions: ReadonlyMap<string, ServedVersion>
  /** The prefix of every path: `/t/acme`; empty at the root. */
  readonly basePath: string
}

export function findPath(path: string, { versions, basePath }: ServedPaths, now: Instant): Result<ApiPath, Problem> {
  const segments = path.startsWith(`${basePath}/`) ? decodeSegments(path.slice(basePath.length)) : []
  if (segments === null) return err(problem('invalid-request', 'The percent-encoding of the path is broken.'))
  const [first = '', name = '', ...rest] = segments
  const served = versions.get(first)
  if (served === undefined) return noSuchPath
  const around = [basePath, path.slice(basePath.length + first.length + 1)] as const
  if (isGone(served.version, now)) {
    const headers = versionHeaders(served.version, around)
    const members = { successor: served.version.successor }
    return err(problem('version-sunset', `Version ${first} has passed its sunset.`, { headers, members }))
  }
  const collection = served.collections.get(name)
  if (collection === undefined || rest.length > 2 || rest.includes('')) return noSuchPath
  const methods = methodsOf({ collection, version: served.version, path, root: `${basePath}/${first}` }, rest)
  if (methods.size === 0) return noSuchPath
  const [{ template } = { template: path }] = [...methods.values()]
  return ok({ version: served.version, template, around, methods })
}

export function routeFor(path: ApiPath, method: string): Result<Route, Problem> {
  const route = path.methods.get(method)
  if (route !== undefined) return ok(route)
  const headers = { allow: allowedMethods(path) }
  return err(problem('method-not-allowed', 'This resource does not take this method.', { headers }))
}

export function allowedMethods({ methods }: ApiPath): string {
  return [...methods.keys(), 'OPTIONS'].join(', ')
}

const noSuchPath = err(problem('not-found', 'There is nothing at this address.', { code: 'route_not_found' }))

type PathTarget = Pick<Route, 'collection' | 'version' | 'path' | 'root'>
const plain = { action: null, view: null }

function methodsOf(target: PathTarget, [id, action]: readonly string[]): ReadonlyMap<string, Route> {
  const { collection, version } = target
  const { handlers, scopes } = collection
  const base = `/${version.name}/${collection.name}`
  const methods = new Map<string, Route>()
  const add = (method: string, operation: Operation, scope: ScopeNeed | null): void => {
    const template = id === undefined ? base : `${base}/{id}`
    if (scope !== null) methods.set(method, { ...target, operation, scope, template, id: id ?? null, ...plain })
  }
  if (action !== undefined && id !== undefined) {
    const template = `${base}/{id}/${action}`
    const view = collection.views.get(action)
    if (view !== undefined && scopes.read !== null) {
      const route: Route = { ...target, ...plain, operation: 'view', scope: scopes.read, template, id, view }
      return methods.set('GET', route).set('HEAD', route)
    }
    const found = collection.actions.get(action)
    if (found?.plan.on !== 'item') return methods
    const { scope } = found.plan
    return methods.set('POST', { ...target, ...plain, operation: 'act', scope, template, id, action: found })
  }
  if (id === undefined) {
    if (handlers.list !== undefined) {
      add('GET', 'list', scopes.read)
      add('HEAD', 'list', scopes.read)
    }
    if (handlers.create !== undefined) add('POST', 'create', scopes.write)
    return methods
  }
  const found = collection.actions.get(id)
  if (found?.plan.on === 'collection') {
    // The name of an action takes precedence over an id: OpenAPI prefers the more concrete path.
    const template = `${base}/${id}`
    const { scope } = found.plan
    return methods.set('POST', { ...target, ...plain, operation: 'act', scope, template, id: null, action: found })
  }
  if (handlers.get !== undefined) {
    add('GET', 'read', scopes.read)
    add('HEAD', 'read', scopes.read)
  }
  if (handlers.update !== undefined || handlers.insert !== undefined) add('PUT', 'replace', scopes.write)
  if (handlers.update !== undefined) add('PATCH', 'patch', scopes.write)
  if (handlers.remove !== undefined) add('DELETE', 'remove', scopes.delete)
  return methods
}

/**
 * Dot segments are refused, because a client or proxy that resolves them would request another path; so are segments
 * with U+0000, which text in PostgreSQL cannot hold.
 */
function decodeSegments(path: string): readonly string[] | null {
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent)
    return segments.some((segment) => segment === '.' || segment === '..' || segment.includes('\0')) ? [''] : segments
  } catch {
    return null
  }
}
