/** Translates a list query to a search of the event log: a range, and tests of each event. */
import type { PageQuery } from '@grantor/api'
import type { EventSearch } from '@grantor/authority'
import type { SealedEvent } from '@grantor/protocol/events'
import type { FilterTerm, Problem, Scalar } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import { invalidFilter } from '../admin-problem.ts'

export function searchOf({ take, sort, filter, after }: PageQuery): Result<EventSearch, Problem> {
  const range = rangeOf(filter)
  const descending = sort[0]?.descending ?? true
  const last = after === null ? null : Number(after[0])
  const tests: Test[] = []
  for (const term of filter) {
    const test = testOf(term)
    if (test === 'malformed') return err(invalidFilter([term.field], 'A date and time in ISO form.'))
    if (test !== null) tests.push(test)
  }
  return ok({
    above: last !== null && !descending ? last : range.above,
    below: last !== null && descending ? last : range.below,
    descending,
    limit: take,
    matches: tests.length === 0 ? null : (event) => tests.every((test) => test(event)),
  })
}

type Test = (event: SealedEvent) => boolean

/** Both bounds are exclusive. */
function rangeOf(filter: readonly FilterTerm[]): { readonly above: number; readonly below: number } {
  let [above, below] = [0, Number.MAX_SAFE_INTEGER]
  for (const { field, op, values } of filter) {
    if (field !== 'seq') continue
    const value = Number(values[0])
    if (op === 'gt') above = Math.max(above, value)
    if (op === 'gte') above = Math.max(above, value - 1)
    if (op === 'lt') below = Math.min(below, value)
    if (op === 'lte') below = Math.min(below, value + 1)
  }
  return { above, below }
}

const fields: Readonly<Record<string, (event: SealedEvent) => string | null>> = {
  name: (event) => event.name,
  subject: (event) => event.subject,
  client_id: (event) => event.clientId,
  grant_id: (event) => event.grantId,
  jti: (event) => event.jti,
  reason: (event) => event.reason,
  ip: (event) => event.ip,
}

const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  gt: (one, other) => one > other,
  gte: (one, other) => one >= other,
  lt: (one, other) => one < other,
  lte: (one, other) => one <= other,
}

/** Null for `seq`, which is part of the range. */
function testOf({ field, op, values }: FilterTerm): Test | 'malformed' | null {
  if (field === 'seq') return null
  if (field === 'at') {
    const bound = instantOf(values[0])
    const compare = comparisons[op]
    return bound === null || compare === undefined ? 'malformed' : (event) => compare(event.at, bound)
  }
  const wanted = new Set<Scalar | null>(values)
  const valueOf = fields[field]
  return valueOf === undefined ? 'malformed' : (event) => wanted.has(valueOf(event))
}

function instantOf(value: Scalar | undefined): number | null {
  const text = String(value)
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}
