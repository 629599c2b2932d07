/** A declared role: read from a file or a request, and written as a file writes it. The one list of its fields. */
import { type Catalogue, displayTextProblem, findResource, parseScope, textLimits } from '@grantor/protocol/oauth'
import { isRoleName, type Role, roleLimits } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import type { FieldProblem } from '../../result.ts'
import { onlyKnown } from '../declared-fields.ts'
import type { ReportProblem } from '../user-input.ts'

export { type GroupDeclaration, groupInput } from './group-input.ts'

export interface RoleInput extends Role {
  /** Its path in the file, for problems found later. */
  readonly field: string
}

export function roleInput(item: JsonObject, at: string, report: ReportProblem): RoleInput | null {
  onlyKnown(item, ['name', 'description', 'resource', 'scopes'], at, report)
  const { name, description = '', resource, scopes } = item
  if (!isRoleName(name)) {
    return report(`${at}.name`, 'must be 1 to 64 letters, digits, dots, colons, hyphens or underscores')
  }
  const unreadable = description === '' ? null : displayTextProblem(description, textLimits.description)
  if (unreadable !== null || typeof description !== 'string')
    return report(`${at}.description`, unreadable ?? 'must be a text')
  if (typeof resource !== 'string') return report(`${at}.resource`, 'must be the identifier of a resource')
  const isScope = (it: unknown): it is string => typeof it === 'string' && parseScope(it)?.size === 1
  if (!Array.isArray(scopes) || !scopes.every(isScope)) return report(`${at}.scopes`, 'must be a list of scopes')
  if (scopes.length > roleLimits.scopesOfRole)
    return report(`${at}.scopes`, `must not name more than ${roleLimits.scopesOfRole} scopes`)
  return { name, description, resource, scopes: [...new Set(scopes)], field: at }
}

/** The problems of a role in a catalogue: it may name only scopes of one API of the same tenant. */
export function roleProblems({ resource, scopes }: Role, catalogue: Catalogue): readonly FieldProblem[] {
  const api = findResource(catalogue, resource)
  if (api === null) return [{ field: 'resource', problem: 'names a resource that is not declared' }]
  const own = new Set(
    catalogue.scopes.flatMap(({ name, resource: of }) =>
      of !== null && findResource(catalogue, of) === api ? [name] : [],
    ),
  )
  const foreign = scopes.filter((name) => !own.has(name))
  return foreign.map((name) => ({ field: 'scopes', problem: `names ${name}, which is no scope of that resource` }))
}

export const declaredRole = ({ name, description, resource, scopes }: Role): JsonObject => ({
  name,
  ...(description === '' ? {} : { description }),
  resource,
  scopes: [...scopes],
})
