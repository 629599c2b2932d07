/** The account policy in a declared file: it replaces the previous one as a whole. */
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

/** The policy as a file writes it; no member where everything is default. */
export const accountsDocument = (accounts: Tenant['accounts']): JsonObject =>
  accounts === undefined || isPlainAccountPolicy(accounts) ? {} : { accounts: { ...accounts } as JsonObject }

/** The change for the store: null where everything is default. */
export const accountsChange = (accounts: AccountPolicy): AccountPolicy | null =>
  isPlainAccountPolicy(accounts) ? null : accounts
