/** What a file says of the accounts of a tenant's people: instead of all that was said before. */
import type { Tenant } from '@grantor/protocol/oauth'
import { type AccountPolicy, isPlainAccountPolicy, readAccountPolicy } from '@grantor/protocol/people'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { ReportProblem } from './user-input.ts'

export function accountsInput(value: Json | undefined, at: string, report: ReportProblem): AccountPolicy | null {
  if (value === undefined || value === null) return null
  const read = readAccountPolicy(value)
  if (read.kind === 'ok') return read.value
  for (const { field, problem } of read.error) report(field === '' ? at : `${at}.${field}`, problem)
  return null
}

/** As a file says it; nothing where nothing is said. */
export const accountsDocument = (accounts: Tenant['accounts']): JsonObject =>
  accounts === undefined || isPlainAccountPolicy(accounts) ? {} : { accounts: { ...accounts } as JsonObject }

/** What the store is told: nothing said is no word at all. */
export const accountsChange = (accounts: AccountPolicy): AccountPolicy | null =>
  isPlainAccountPolicy(accounts) ? null : accounts
