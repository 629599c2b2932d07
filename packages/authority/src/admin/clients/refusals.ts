/** Why a client cannot be created or changed. */
import { subjectOfPerson } from '@grantor/protocol/registration'
import type { AdminError } from '../result.ts'

export const namedAsPerson: AdminError = {
  reason: 'invalid',
  problems: [{ field: 'client_id', problem: subjectOfPerson }],
}

export const changedMeanwhile = (id: string): AdminError => ({
  reason: 'conflict',
  what: `client ${id} was changed at the same moment; look before trying again`,
})

/** The longest overlap, in seconds, in which old secrets stay valid beside the new one. */
export const longestOverlap = 30 * 86_400

export function overlapProblem(overlap: number): AdminError | null {
  if (Number.isSafeInteger(overlap) && overlap >= 0 && overlap <= longestOverlap) return null
  const problem = `must be a whole number of seconds from 0 to ${longestOverlap}, which is 30 days`
  return { reason: 'invalid', problems: [{ field: 'overlap', problem }] }
}
