/** A source as a tree whose positions are those of the file: types are blanked out, not removed. */
import { stripTypeScriptTypes } from 'node:module'
import { parse, type AnyNode } from 'acorn'

export type { AnyNode } from 'acorn'

export interface Visited {
  readonly node: AnyNode
  readonly parents: readonly AnyNode[]
}

/** Every node of the tree, outer ones first. */
export function nodesOf(source: string): readonly Visited[] {
  const tree = parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' })
  const found: Visited[] = []
  const visit = (node: AnyNode, parents: readonly AnyNode[]): void => {
    found.push({ node, parents })
    for (const child of childrenOf(node)) visit(child, [node, ...parents])
  }
  visit(tree, [])
  return found
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const childrenOf = (node: AnyNode): readonly AnyNode[] =>
  Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
    .filter(isNode)
