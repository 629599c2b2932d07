/** Trusted issuers in a declaration: read, compared with what is there, and put into one list. */
import type { Served } from '@grantor/protocol/documents'
import { mostTrustedIssuers, readTrustedIssuer, type TrustedIssuer } from '@grantor/protocol/trust'
import type { JsonObject } from '@grantor/protocol/types'
import type { FieldProblem } from '../result.ts'
import type { ReportProblem } from './user-input.ts'

export interface TrustedIssuerInput {
  readonly declared: TrustedIssuer
  /** Where it stands in the file. */
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

interface TrustedIssuerLists {
  readonly held: readonly TrustedIssuer[]
  readonly wanted: readonly TrustedIssuer[]
  readonly dropped: readonly TrustedIssuer[]
}

/** As the tenant will have them: those of the file instead of what was said of them, and the others as they were. */
export function trustedIssuersAfter({ held, wanted, dropped }: TrustedIssuerLists): readonly TrustedIssuer[] {
  const kept = held.filter((it) => !dropped.some(({ issuer }) => issuer === it.issuer))
  return [...new Map([...kept, ...wanted].map((it) => [it.issuer, it])).values()]
}

/** Every rule names a client that is there, or will be. */
export function trustedIssuerProblems(
  inputs: readonly TrustedIssuerInput[],
  isClient: (id: string) => boolean,
): readonly FieldProblem[] {
  if (inputs.length > mostTrustedIssuers)
    return [{ field: 'trusted_issuers', problem: `must not hold more than ${mostTrustedIssuers} entries` }]
  return inputs.flatMap(({ declared, field }) =>
    (declared.rules ?? []).flatMap(({ client }, at) =>
      isClient(client)
        ? []
        : [{ field: `${field}.rules[${at}].client`, problem: 'names a client that is not there and not declared' }],
    ),
  )
}
