/** The table of routes: finds the route of a request. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { StalePolicy } from '@grantor/resource'
import { matchedSegments } from './request-target.ts'
import { coversSegment, type SegmentPattern, segmentPattern } from './segment-pattern.ts'

export interface Route {
  /** The path as declared; the label of the route in metrics. */
  readonly path: string
  /** A prefix covers all paths below it; a template is a whole path, with `{name}` for one segment or a part of it. */
  readonly kind: 'prefix' | 'template'
  /** null: any method. */
  readonly methods: ReadonlySet<string> | null
  /** Alternatives, each a list of scopes that are all needed; null: no token is needed. */
  readonly need: readonly (readonly string[])[] | null
  /** What to do when the revocation state is too old to judge by; left out, the request is refused. */
  readonly onStale?: StalePolicy
}

export interface RouteTable {
  /**
   * The route of a request. The most specific path decides, whatever its methods; null: no route allows the request.
   */
  find(method: string, path: string): Route | null
}

interface RouteNode {
  readonly children: Map<string, RouteNode>
  /** Segments with text around their parameters, as in `{id}.json`; those with most text first. */
  readonly partial: { readonly pattern: SegmentPattern; readonly letters: number; readonly node: RouteNode }[]
  parameter: RouteNode | null
  readonly prefixes: Route[]
  readonly templates: Route[]
}

const emptyNode = (): RouteNode => ({
  children: new Map(),
  partial: [],
  parameter: null,
  prefixes: [],
  templates: [],
})

/** Two routes for the same path and method are refused, because it would be unclear which one holds. */
export function createRouteTable(routes: readonly Route[]): Result<RouteTable, { at: number; problem: string }> {
  const root = emptyNode()
  for (const [at, route] of routes.entries()) {
    let node = root
    for (const segment of matchedSegments(route.path)) {
      node = route.kind === 'template' && segment.includes('{') ? parameterOf(node, segment) : childOf(node, segment)
    }
    const held = route.kind === 'prefix' ? node.prefixes : node.templates
    if (held.some((other) => contradicts(other, route)))
      return err({ at, problem: 'stands there already for one of its methods; paths differ by more than case' })
    held.push(route)
  }
  return ok({
    find(method, path) {
      const listed = matching(root, matchedSegments(path), 0)
      return listed?.find(({ methods }) => methods === null || isListed(methods, method)) ?? null
    },
  })
}

function childOf(node: RouteNode, segment: string): RouteNode {
  const known = node.children.get(segment) ?? emptyNode()
  node.children.set(segment, known)
  return known
}

function parameterOf(node: RouteNode, segment: string): RouteNode {
  const pattern = segmentPattern(segment)
  const letters = pattern.join('').length
  if (letters === 0) return (node.parameter ??= emptyNode())
  const known = node.partial.find((one) => one.pattern.join('{}') === pattern.join('{}'))
  if (known !== undefined) return known.node
  const fresh = { pattern, letters, node: emptyNode() }
  node.partial.push(fresh)
  node.partial.sort((a, b) => b.letters - a.letters)
  return fresh.node
}

function contradicts({ methods: one }: Route, { methods: other }: Route): boolean {
  return one === null || other === null || !one.isDisjointFrom(other)
}

/** RFC 9110 §9.3.2: a route for GET also allows HEAD. */
const isListed = (methods: ReadonlySet<string>, method: string): boolean =>
  methods.has(method) || (method === 'HEAD' && methods.has('GET'))

/** Text takes precedence over parameters, longer paths over shorter ones. */
function matching(node: RouteNode, segments: readonly string[], at: number): readonly Route[] | null {
  const segment = segments[at]
  if (segment === undefined) {
    if (node.templates.length > 0) return node.templates
  } else {
    const child = node.children.get(segment)
    const found =
      (child === undefined ? null : matching(child, segments, at + 1)) ??
      firstOf(node.partial, ({ pattern, node: next }) =>
        coversSegment(pattern, segment) ? matching(next, segments, at + 1) : null,
      ) ??
      (node.parameter === null ? null : matching(node.parameter, segments, at + 1))
    if (found !== null) return found
  }
  return node.prefixes.length > 0 ? node.prefixes : null
}

function firstOf<T, R>(all: readonly T[], find: (one: T) => R | null): R | null {
  for (const one of all) {
    const found = find(one)
    if (found !== null) return found
  }
  return null
}

/** Whether this scope suffices. */
export const isScopeEnough = (need: readonly (readonly string[])[], granted: ReadonlySet<string>): boolean =>
  need.some((all) => all.every((scope) => granted.has(scope)))
