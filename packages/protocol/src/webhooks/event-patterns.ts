/** The events that a receiver wants: names, prefixes of names, or all. */
import { type EventName, eventNames } from '../events/event.ts'
import type { Json } from '../types.ts'

export const mostPatterns = 50

/** Events about deliveries are not delivered: a failing delivery would cause the next one. */
const isDeliverable = (name: string): boolean => !name.startsWith('webhook.') && !name.startsWith('stream.')

/**
 * `session.ended` is one event; `session.*`, `session.` and `session` are all events of that noun, `*` is everything.
 */
const beginningOf = (pattern: string): string => `${pattern.replace(/\.?\*$|\.$/, '')}.`

export const matchesEvent = (patterns: readonly string[], name: EventName): boolean =>
  isDeliverable(name) &&
  patterns.some((pattern) => pattern === '*' || pattern === name || name.startsWith(beginningOf(pattern)))

/** The problem of a list of patterns; null where it has none. */
export function patternProblem(value: Json | undefined): string | null {
  if (!Array.isArray(value)) return 'must be a list'
  const patterns: readonly Json[] = value
  if (patterns.length === 0 || patterns.length > mostPatterns) return `must hold 1 to ${mostPatterns} entries`
  const unknown = patterns.find((it) => typeof it !== 'string' || !eventNames.some((name) => matchesEvent([it], name)))
  return unknown === undefined
    ? null
    : `must hold names of events, their beginnings (session.*), or *; none is called ${JSON.stringify(unknown).slice(0, 80)}`
}
