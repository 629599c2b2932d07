/** People in a declaration: a name, perhaps a password, and claims by their names of OIDC Core §5.1. */
import { displayTextProblem, textLimits } from '@grantor/protocol/oauth'
import { claimKind, personClaims } from '@grantor/protocol/oidc'
import {
  type AdministratorKind,
  administratorProblem,
  attributesProblem,
  groupNameProblem,
  isAdministratorKind,
  normaliseUsername,
  roleListProblem,
} from '@grantor/protocol/people'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { passwordProblem, passwordProblemText, type PasswordPolicy } from '../../people/password.ts'
import type { FieldProblem } from '../result.ts'

export interface UserInput {
  readonly username: string
  /** Absent: the present password, if any, stays. */
  readonly password: string | null
  readonly claims: JsonObject
  readonly disabled: boolean
  /** Absent: the person is no administrator, even if they were before. */
  readonly administrator: AdministratorKind | null
  /**
   * The roles given to the person directly. Null where the file omits them: they stay; likewise groups and attributes.
   */
  readonly roles: readonly string[] | null
  readonly groups: readonly string[] | null
  readonly attributes: JsonObject | null
  readonly field: string
}

/** Records a problem of a field. */
export type ReportProblem = (field: string, problem: string) => null

export function userInput(item: JsonObject, at: string, report: ReportProblem): UserInput | null {
  const { username, password = null, disabled = false, administrator = null, ...rest } = item
  const { roles = null, groups = null, attributes = null, ...claims } = rest
  if (typeof username !== 'string' || normaliseUsername(username) === null) {
    return report(`${at}.username`, 'must be a name without spaces, control or look-alike characters')
  }
  if (password !== null && typeof password !== 'string') return report(`${at}.password`, 'must be a text')
  if (typeof disabled !== 'boolean') return report(`${at}.disabled`, 'must be true or false')
  if (administrator !== null && !isAdministratorKind(administrator)) {
    return report(`${at}.administrator`, administratorProblem(administrator) ?? '')
  }
  const unfit = memberProblem({ roles, groups, attributes })
  if (unfit !== null) return report(`${at}.${unfit.field}`, unfit.problem)
  const wrong = Object.entries(claims).flatMap(([name, value]) => {
    const problem = claimProblem(name, value)
    return problem === null ? [] : [report(`${at}.${name}`, problem)]
  })
  if (wrong.length > 0) return null
  const held = { roles, groups, attributes } as Pick<UserInput, 'roles' | 'groups' | 'attributes'>
  return { username, password, claims, disabled, administrator, ...held, field: at }
}

function memberProblem({ roles, groups, attributes }: Readonly<Record<string, Json | undefined>>): FieldProblem | null {
  const misnamed = roles === null ? null : roleListProblem(roles)
  if (misnamed !== null) return { field: 'roles', problem: misnamed }
  if (groups !== null && !(Array.isArray(groups) && groups.every((name) => groupNameProblem(name) === null)))
    return { field: 'groups', problem: 'must be a list of names of groups' }
  const unfit = attributes === null ? null : attributesProblem(attributes)
  return unfit === null ? null : { field: 'attributes', problem: unfit }
}

/** Passwords in a file must obey the policy for passwords that people choose. */
export async function declaredPasswordProblems(
  users: readonly UserInput[],
  policy: PasswordPolicy,
): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = []
  for (const { username, password, field } of users) {
    const problem = password === null ? null : await passwordProblem(password, username, policy)
    if (problem !== null) problems.push({ field: `${field}.password`, problem: passwordProblemText(problem, policy) })
  }
  return problems
}

export function claimProblem(name: string, value: Json): string | null {
  if (!personClaims.has(name))
    return `is not known here; known are username, password, disabled, administrator, roles, groups, attributes and ${[...personClaims].join(', ')}`
  const kind = claimKind(name)
  if (kind === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false'
  if (kind === 'seconds') return Number.isSafeInteger(value) ? null : 'must be a number of seconds'
  if (kind === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object'
  return displayTextProblem(value, textLimits.claim)
}
