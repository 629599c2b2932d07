/** Which events somebody wants to hear of: names, beginnings of names, or all. */
import { type EventName, eventNames } from '../events/event.ts'
import type { Json } from '../types.ts'

export const mostPatterns = 50

/** What becomes of deliveries is not delivered: one that fails would be the cause of the next. */
const isDeliverable = (name: string): boolean => !name.startsWith('webhook.') && !name.startsWith('stream.')

/** `session.ended`; `session.*`, `session.` and `session` are all events of that noun, `*` is everything. */
const beginningOf = (pattern: string): string => `${pattern.replace(/\.?\*$|\.$/, '')}.`

export const matchesEvent = (patterns: readonly string[], name: EventName): boolean =>
  isDeliverable(name) &&
  patterns.some((pattern) => pattern === '*' || pattern === name || name.startsWith(beginningOf(pattern)))

/** Null where the list is one; else what is wrong with it. */
export function patternProblem(value: Json | undefined): string | null {
  if (!Array.isArray(value)) return 'must be a list'
  const patterns: readonly Json[] = value
  if (patterns.length === 0 || patterns.length > mostPatterns) return `must hold 1 to ${mostPatterns} entries`
  const unknown = patterns.find((it) => typeof it !== 'string' || !eventNames.some((name) => matchesEvent([it], name)))
  return unknown === undefined
    ? null
    : `must hold names of events, their beginnings (session.*), or *; none is called ${JSON.stringify(unknown).slice(0, 80)}`
}
