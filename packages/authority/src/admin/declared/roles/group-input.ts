/**
 * A declared group: read from a file, and written as a file writes it. Its members are set with the people, or by the
 * admin API.
 */
import { displayTextProblem, textLimits } from '@grantor/protocol/oauth'
import { type Group, groupNameProblem, roleListProblem } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import { onlyKnown } from '../declared-fields.ts'
import type { ReportProblem } from '../user-input.ts'

export type GroupDeclaration = Pick<Group, 'name' | 'description' | 'roles'> & {
  /** Its path in the file, for problems found later. */
  readonly field: string
}

export function groupInput(item: JsonObject, at: string, report: ReportProblem): GroupDeclaration | null {
  onlyKnown(item, ['name', 'description', 'roles'], at, report)
  const { name, description = null, roles = [] } = item
  const misnamed = groupNameProblem(name)
  if (misnamed !== null || typeof name !== 'string') return report(`${at}.name`, misnamed ?? 'must be a text')
  const unreadable = description === null ? null : displayTextProblem(description, textLimits.description)
  if (unreadable !== null) return report(`${at}.description`, unreadable)
  const wrong = roleListProblem(roles)
  if (wrong !== null) return report(`${at}.roles`, wrong)
  return { name, description: description as string | null, roles: roles as readonly string[], field: at }
}

export const declaredGroup = ({ name, description, roles }: Pick<Group, 'name' | 'description' | 'roles'>) => ({
  name,
  ...(description === null ? {} : { description }),
  roles: roles.toSorted(),
})
