/**
 * Verifies a token of another issuer: whether the issuer is trusted, its keys are available, and the token is valid.
 */
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
  /** The keys of the issuer cannot be fetched now. */
  | { readonly kind: 'unavailable' }

export interface ExaminationDependencies {
  readonly clock: Clock
  readonly directory: Directory
  readonly issuers: Issuers
  readonly outbound: Outbound
  readonly policy: Policy
}

const refused = (problem: string): ExaminedToken => ({ kind: 'refused', problem })

/** Null for a text that is not a JWT, or is too long. */
export const readToken = (text: string): ParsedJwt | null => (text.length > textLimits.jwt ? null : parseJwt(text))

export async function examineToken(
  jwt: ParsedJwt | null,
  tenant: TenantId,
  deps: ExaminationDependencies,
): Promise<ExaminedToken> {
  if (jwt === null) return refused('token_malformed')
  // With the current tenant: a removed rule no longer counts, and a new one is not refused on memory alone.
  const catalogue = await deps.directory.currentCatalogue(tenant)
  const issuer = catalogue?.tenant.trustedIssuers?.find((it) => it.issuer === jwt.claims['iss'])
  // Keys are fetched only from issuers that are declared.
  if (issuer === undefined) return refused('token_issuer_unknown')
  const on = { issuer, self: deps.issuers.issuerOf(tenant), now: deps.clock.now(), leeway: deps.policy.leeway }
  // A token that fails without keys does not need its keys fetched.
  const early = trustedTokenProblem(jwt, { ...on, keys: [] })
  if (early !== null && early !== 'token_signature') return refused(early)
  const keys = await issuerKeys(issuer, jwt, deps.outbound)
  if (keys === 'unavailable') return { kind: 'unavailable' }
  const problem = trustedTokenProblem(jwt, { ...on, keys })
  return problem === null ? { kind: 'trusted', issuer, jwt } : refused(problem)
}
