/** What a token of another issuer is worth here: whose it is, whether its keys can be had, and whether it is good. */
import { type ParsedJwt, parseJwt } from '@grantor/protocol/jose'
import { type Policy, textLimits } from '@grantor/protocol/oauth'
import { type TrustedIssuer, trustedTokenProblem } from '@grantor/protocol/trust'
import type { TenantId } from '@grantor/protocol/types'
import type { Directory } from '../directory.ts'
import type { Clock, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { issuerKeys } from './issuer-keys.ts'

export type ExaminedToken =
  | { readonly kind: 'trusted'; readonly issuer: TrustedIssuer; readonly jwt: ParsedJwt }
  /** `problem` is for the log alone. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** Its keys cannot be had now. */
  | { readonly kind: 'unavailable' }

export interface ExaminationDependencies {
  readonly clock: Clock
  readonly directory: Directory
  readonly issuers: Issuers
  readonly outbound: Outbound
  readonly policy: Policy
}

const refused = (problem: string): ExaminedToken => ({ kind: 'refused', problem })

/** Null for what is no JWT of a bearable size. */
export const readToken = (text: string): ParsedJwt | null => (text.length > textLimits.jwt ? null : parseJwt(text))

export async function examineToken(
  jwt: ParsedJwt | null,
  tenant: TenantId,
  deps: ExaminationDependencies,
): Promise<ExaminedToken> {
  if (jwt === null) return refused('token_malformed')
  // As the tenant is now: a rule that was taken away counts no more, and a new one is not refused from memory.
  const catalogue = await deps.directory.currentCatalogue(tenant)
  const issuer = catalogue?.tenant.trustedIssuers?.find((it) => it.issuer === jwt.claims['iss'])
  // Nobody is asked for keys who is not declared.
  if (issuer === undefined) return refused('token_issuer_unknown')
  const on = { issuer, self: deps.issuers.issuerOf(tenant), now: deps.clock.now(), leeway: deps.policy.leeway }
  // What fails without keys is not worth asking for them.
  const early = trustedTokenProblem(jwt, { ...on, keys: [] })
  if (early !== null && early !== 'token_signature') return refused(early)
  const keys = await issuerKeys(issuer, jwt, deps.outbound)
  if (keys === 'unavailable') return { kind: 'unavailable' }
  const problem = trustedTokenProblem(jwt, { ...on, keys })
  return problem === null ? { kind: 'trusted', issuer, jwt } : refused(problem)
}
