/** The circles in a graph, by Tarjan's algorithm: one for each group of nodes that all lead back to each other. */
export function circles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const found: string[] = []

  function visit(node: string): number {
    order.set(node, order.size)
    let lowest = order.size - 1
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next) ?? lowest)
    }
    if (lowest !== order.get(node)) return lowest
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1 || graph.get(node)?.includes(node) === true) found.push(shortest(group, graph).join(' → '))
    return lowest
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found.toSorted()
}

/** A way from the first of the group back to it, as short as there is: what a reader wants to be shown. */
function shortest(group: readonly string[], graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const [start = ''] = group.toSorted()
  const ways: (readonly string[])[] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start]
      if (!group.includes(next) || seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return group
}
