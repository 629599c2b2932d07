/** Groups of people: members and roles. A group has no groups in it, so none can hold itself. */
import { displayTextProblem } from '../oauth/display-text.ts'
import type { Instant, TenantId } from '../types.ts'

export interface Group {
  readonly tenant: TenantId
  readonly id: string
  /** What people and provisioning systems call it; no two of a tenant are alike but for the case of their letters. */
  readonly name: string
  readonly description: string | null
  /** The id by which a provisioning system knows it (RFC 7643 §3.1). */
  readonly externalId: string | null
  readonly roles: readonly string[]
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** `inToken`: of whoever is in more groups no claim tells them (docs/claims.md). */
export const groupLimits = Object.freeze({ nameLength: 128, externalIdLength: 256, membersOfCall: 1000, inToken: 200 })

/** Names compare by this. */
export const groupKey = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFKC')

/** What is wrong with a name; null when nothing is. */
export function groupNameProblem(name: unknown): string | null {
  const problem = displayTextProblem(name, groupLimits.nameLength)
  if (problem !== null || typeof name !== 'string') return problem
  return name.trim() === name ? null : 'must not begin or end with a space'
}
