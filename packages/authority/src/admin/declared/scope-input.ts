/** A declared scope: read from a file or a request. The one list of its fields. */
import { displayTextProblem, parseScope, reservedScopes, type ScopeEntry, textLimits } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { isText, onlyKnown } from './declared-fields.ts'
import type { ReportProblem } from './user-input.ts'

export interface ScopeInput extends ScopeEntry {
  /** Its path in the file, for problems found later. */
  readonly field: string
}

export function scopeInput(item: JsonObject, at: string, report: ReportProblem): ScopeInput | null {
  onlyKnown(item, ['name', 'description', 'resource', 'sensitivity', 'mode'], at, report)
  const { name, description, resource: of = null, sensitivity = 'normal', mode = 'default' } = item
  if (typeof name !== 'string' || parseScope(name)?.size !== 1) {
    return report(`${at}.name`, 'must be one scope name: printable ASCII without spaces, quotes and backslashes')
  }
  if (reservedScopes.has(name)) return report(`${at}.name`, 'is built in and cannot be declared')
  if (!isText(description)) return report(`${at}.description`, 'must be a text, or one text per language')
  const unreadable = descriptionProblem(description)
  if (unreadable !== null) return report(`${at}.description`, unreadable)
  if (of !== null && typeof of !== 'string') return report(`${at}.resource`, 'must be the identifier of a resource')
  if (sensitivity !== 'low' && sensitivity !== 'normal' && sensitivity !== 'high') {
    return report(`${at}.sensitivity`, 'must be low, normal or high')
  }
  if (mode !== 'default' && mode !== 'optional') return report(`${at}.mode`, 'must be default or optional')
  return { name, description, resource: of, sensitivity, mode, field: at }
}

/** The description is checked in each language, because people decide by it. */
const descriptionProblem = (description: string | Record<string, string>): string | null =>
  (typeof description === 'string' ? [description] : Object.values(description))
    .map((it) => displayTextProblem(it, textLimits.description))
    .find((it) => it !== null) ?? null
