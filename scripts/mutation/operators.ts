/** The small defects: for a node of the tree, the texts that could stand in its place. */
import type { Literal } from 'acorn'
import type { Defect } from './defect.ts'
import { sqlDefects } from './sql-defects.ts'
import type { AnyNode, Visited } from './syntax.ts'

type Operator = (visited: Visited, source: string) => readonly Defect[]

const of = (operator: string, { start, end }: AnyNode, becomes: string): Defect => ({ operator, start, end, becomes })
const textOf = (source: string, { start, end }: AnyNode): string => source.slice(start, end)

/** Between two operands, where the operator stands. */
function swapped(operator: string, between: { left: AnyNode; right: AnyNode; operator: string }, source: string) {
  const to = swaps[between.operator]
  const start = source.indexOf(between.operator, between.left.end)
  if (to === undefined || start < 0 || start >= between.right.start) return []
  return [{ operator, start, end: start + between.operator.length, becomes: to, reachedAt: between.left.start }]
}

const swaps: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}

const negatedCondition: Operator = ({ node }, source) =>
  node.type === 'IfStatement' || node.type === 'ConditionalExpression'
    ? [of('condition', node.test, `!(${textOf(source, node.test)})`)]
    : []

const swappedOperator: Operator = ({ node }, source) => {
  if (node.type === 'LogicalExpression') return swapped('logic', node, source)
  if (node.type !== 'BinaryExpression') return []
  // Of text, + joins: there is nothing to subtract.
  const isText = [node.left, node.right].some((it) => it.type === 'TemplateLiteral' || isString(it))
  return node.operator === '+' && isText ? [] : swapped('comparison', node, source)
}

const isString = (node: AnyNode): boolean => node.type === 'Literal' && typeof node.value === 'string'

/** Statements that do something, and guards: an `if` without an else whose whole purpose is to leave. */
const droppedStatement: Operator = ({ node, parents }) => {
  const [parent] = parents
  const inList = parent?.type === 'BlockStatement' || parent?.type === 'Program' || parent?.type === 'SwitchCase'
  if (!inList) return []
  if (node.type === 'ExpressionStatement' && node.directive === undefined) return [of('statement', node, '')]
  const leaves = node.type === 'IfStatement' && node.alternate == null
  return leaves ? [of('guard', node, '')] : []
}

const droppedNot: Operator = ({ node }, source) =>
  node.type === 'UnaryExpression' && node.operator === '!' ? [of('not', node, textOf(source, node.argument))] : []

/** Where a text is no more than a name: the parts of imports, keys, and what is only ever read by a person. */
function isNameOrMessage({ node, parents }: Visited): boolean {
  const [parent] = parents
  if (parent === undefined || /^(?:Import|Export)/.test(parent.type)) return true
  if ((parent.type === 'Property' || parent.type === 'MemberExpression') && 'key' in parent && parent.key === node)
    return true
  return parents.some(
    (it) =>
      it.type === 'ThrowStatement' ||
      (it.type === 'NewExpression' && it.callee.type === 'Identifier' && it.callee.name.endsWith('Error')),
  )
}

const replacedLiteral: Operator = (visited) => {
  const { node, parents } = visited
  if (node.type !== 'Literal' || isNameOrMessage(visited)) return []
  if (typeof node.value === 'boolean') return [of('literal', node, String(!node.value))]
  if (typeof node.value === 'number') return [of('literal', node, String(node.value + 1))]
  return isWord(node, parents) ? [of('literal', node, node.value === '' ? "'*'" : "''")] : []
}

/** Words that decide something, not sentences. */
const isWord = ({ value }: Literal, [parent]: readonly AnyNode[]): boolean =>
  typeof value === 'string' && !value.includes(' ') && parent?.type !== 'ExpressionStatement'

const droppedElement: Operator = ({ node }) => {
  if (node.type !== 'ArrayExpression') return []
  return node.elements.flatMap((element, at) => {
    const next = node.elements[at + 1]
    const before = node.elements[at - 1]
    if (element === null) return []
    const [start, end] = next != null ? [element.start, next.start] : [before?.end ?? element.start, element.end]
    return [{ operator: 'element', start, end, becomes: '' }]
  })
}

/** A map: an object would also know `toString`. */
const renamedMethods: ReadonlyMap<string, string> = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
])
/** Calls that hand on what they were given, a little changed. */
const passedThrough = new Set([
  'filter',
  'slice',
  'toSorted',
  'sort',
  'trim',
  'toLowerCase',
  'toReversed',
  'replaceAll',
])

const changedCall: Operator = ({ node }, source) => {
  if (node.type !== 'CallExpression') return []
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  const { name } = callee.property
  const other = renamedMethods.get(name)
  if (other !== undefined) return [of('call', callee.property, other)]
  return passedThrough.has(name) ? [of('call', node, textOf(source, callee.object))] : []
}

/** A key without one of its parts: two things then share what each should have. */
const droppedPart: Operator = ({ node, parents }) => {
  const [parent] = parents
  if (node.type !== 'TemplateLiteral' || parent?.type === 'TaggedTemplateExpression') return []
  if (parents.some((it) => it.type === 'ThrowStatement')) return []
  return node.expressions.map((part) => ({ operator: 'part', start: part.start - 2, end: part.end + 1, becomes: '' }))
}

const changedSql: Operator = ({ node }, source) =>
  node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'sql'
    ? sqlDefects(source, node.quasi)
    : []

const operators: readonly Operator[] = [
  negatedCondition,
  swappedOperator,
  droppedStatement,
  droppedNot,
  replacedLiteral,
  droppedElement,
  changedCall,
  droppedPart,
  changedSql,
]

export const defectsAt = (visited: Visited, source: string): readonly Defect[] =>
  operators.flatMap((operator) => operator(visited, source))
