/** Groups of people: members and roles. A group cannot contain groups, so there are no cycles. */
import { displayTextProblem } from '../oauth/display-text.ts'
import type { Instant, TenantId } from '../types.ts'

export interface Group {
  readonly tenant: TenantId
  readonly id: string
  /** The name for people and provisioning systems; unique in a tenant, ignoring case. */
  readonly name: string
  readonly description: string | null
  /** The id of the group in a provisioning system (RFC 7643 §3.1). */
  readonly externalId: string | null
  readonly roles: readonly string[]
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** `inToken`: for a person in more groups the claim is omitted (docs/claims.md). */
export const groupLimits = Object.freeze({ nameLength: 128, externalIdLength: 256, membersOfCall: 1000, inToken: 200 })

/** Names are compared in this form. */
export const groupKey = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFKC')

/** The problem of a name; null where it has none. */
export function groupNameProblem(name: unknown): string | null {
  const problem = displayTextProblem(name, groupLimits.nameLength)
  if (problem !== null || typeof name !== 'string') return problem
  return name.trim() === name ? null : 'must not begin or end with a space'
}
