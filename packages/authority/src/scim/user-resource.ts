/** A person as a SCIM resource (RFC 7643 §4.1), and what may be wrong with one that is to become a person. */
import { ok } from '@grantor/protocol/result'
import { badRequest, personIn, schemasOf, type ScimUser, userIn } from '@grantor/protocol/scim'
import type { JsonObject } from '@grantor/protocol/types'
import type { UserRow } from '@grantor/store'
import { personProblems } from '../admin/people/user-records.ts'
import { passwordProblem, passwordProblemText } from '../people/password.ts'
import type { ScimResource, ScimResult } from './result.ts'

const unprovisioned = { externalId: null, attributes: {} }

/** What of a person a request may change. */
export const writableUser = ({ username, disabledAt, claims, provisioned = unprovisioned }: UserRow): JsonObject =>
  userIn({ username, disabled: disabledAt !== null, claims }, provisioned)

export function scimUser(row: UserRow): ScimResource {
  const { id, version, createdAt, changedAt = createdAt } = row
  const user = writableUser(row)
  const meta = {
    resourceType: 'User',
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(changedAt).toISOString(),
    version: versionTag(version),
  }
  return { id, version, resource: { schemas: schemasOf(user), id, ...user, meta } }
}

/** RFC 7644 §3.14: weak, because what is shown may be a part. */
export const versionTag = (version: number): string => `W/"${version}"`

/** The person that a whole user describes; `before` is whom it is to change. */
export function readPerson(resource: JsonObject, before: Pick<UserRow, 'claims'> | null): ScimResult<ScimUser> {
  const read = personIn(resource, before?.claims ?? {})
  if (read.kind === 'error') return read
  const { username, claims, password } = read.value
  const [problem] = personProblems({ username, claims, administrator: null })
  if (problem !== undefined) return badRequest('invalidValue', `${problem.field} ${problem.problem}.`)
  const weak = password === undefined ? null : passwordProblem(password, username)
  return weak === null ? ok(read.value) : badRequest('invalidValue', `password ${passwordProblemText[weak]}.`)
}
