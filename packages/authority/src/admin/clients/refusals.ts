/** Why a client is not made or changed. */
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
