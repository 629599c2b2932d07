/** Reads single fields of declared objects, and reports each problem with the path of its field. */
import { displayTextProblem } from '@grantor/protocol/oauth'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { ReportProblem } from './user-input.ts'

/** A section is a list of objects, or absent. */
export function objects(value: Json | undefined, at: string, report: ReportProblem): readonly JsonObject[] | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) return report(at, 'must be a list')
  return value.map((item: Json, i) => (isObject(item) ? item : (report(`${at}[${i}]`, 'must be an object') ?? {})))
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: Json | undefined): value is string | Record<string, string> =>
  typeof value === 'string' || (isObject(value) && Object.values(value).every((it) => typeof it === 'string'))

export function text(value: Json | undefined, at: string, report: ReportProblem): string | null {
  if (value === undefined || value === null) return null
  const problem = displayTextProblem(value)
  return problem === null ? (value as string) : report(at, problem)
}

export function flag(value: Json | undefined, at: string, report: ReportProblem): boolean | null {
  if (value === undefined || value === null) return null
  return typeof value === 'boolean' ? value : report(at, 'must be true or false')
}

export function onlyKnown(object: JsonObject, known: readonly string[], at: string, report: ReportProblem): void {
  for (const name of Object.keys(object)) {
    if (!known.includes(name))
      report(at === '' ? name : `${at}.${name}`, `is not known here; known are ${known.join(', ')}`)
  }
}

export function unique(named: readonly (readonly [value: string, field: string])[], report: ReportProblem): void {
  const seen = new Set<string>()
  for (const [value, field] of named) {
    if (seen.has(value)) report(field, 'is declared twice')
    seen.add(value)
  }
}
