/** A person as a SCIM resource (RFC 7643 §4.1), and the validation of one. */
import { ok } from '@grantor/protocol/result'
import { badRequest, personIn, schemasOf, type ScimUser, userIn } from '@grantor/protocol/scim'
import type { JsonObject } from '@grantor/protocol/types'
import type { Membership, UserRow } from '@grantor/store'
import { personProblems } from '../admin/people/user-records.ts'
import { passwordProblem, passwordProblemText, type PasswordPolicy } from '../people/password.ts'
import type { ScimResource, ScimResult } from './result.ts'
import { digestOf, versionTag } from './version-tag.ts'

const unprovisioned = { externalId: null, attributes: {} }

/** The attributes of a person that a request may change. */
export const writableUser = ({ username, disabledAt, claims, provisioned = unprovisioned }: UserRow): JsonObject =>
  userIn({ username, disabled: disabledAt !== null, claims }, provisioned)

export function scimUser(row: UserRow, memberships: readonly Membership[] = []): ScimResource {
  const { id, version, createdAt, changedAt = createdAt } = row
  const user = writableUser(row)
  const groups = memberships.map(({ group, name }) => ({ value: group, display: name, type: 'direct' }))
  const elsewhere = digestOf(memberships.map(({ group, name }) => `${group}=${name}`))
  const meta = {
    resourceType: 'User',
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(changedAt).toISOString(),
    version: versionTag({ version, elsewhere }),
  }
  const shown = groups.length === 0 ? user : { ...user, groups }
  return { id, version, elsewhere, resource: { schemas: schemasOf(user), id, ...shown, meta } }
}

/** The person that a complete resource describes; `before` is the person to be changed. */
export async function readPerson(
  resource: JsonObject,
  before: Pick<UserRow, 'claims'> | null,
  passwords: PasswordPolicy,
): Promise<ScimResult<ScimUser>> {
  const read = personIn(resource, before?.claims ?? {})
  if (read.kind === 'error') return read
  const { username, claims, password } = read.value
  const [problem] = personProblems({ username, claims, administrator: null })
  if (problem !== undefined) return badRequest('invalidValue', `${problem.field} ${problem.problem}.`)
  const weak = password === undefined ? null : await passwordProblem(password, username, passwords)
  return weak === null
    ? ok(read.value)
    : badRequest('invalidValue', `password ${passwordProblemText(weak, passwords)}.`)
}
