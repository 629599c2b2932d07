/** Trusted issuers in a declaration, each with its path in the file. */
import type { Served } from '@grantor/protocol/documents'
import { readTrustedIssuer, type TrustedIssuer } from '@grantor/protocol/trust'
import type { JsonObject } from '@grantor/protocol/types'
import type { ReportProblem } from './user-input.ts'

export interface TrustedIssuerInput {
  readonly declared: TrustedIssuer
  /** Its path in the file. */
  readonly field: string
}

export function trustedIssuerInput(
  item: JsonObject,
  { at, served }: { readonly at: string; readonly served: Served },
  report: ReportProblem,
): TrustedIssuerInput | null {
  const read = readTrustedIssuer(item, served)
  if (read.kind === 'ok') return { declared: read.value, field: at }
  for (const { field, problem } of read.error) report(`${at}.${field}`, problem)
  return null
}
