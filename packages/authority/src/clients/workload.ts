/**
 * Clients without a secret: what a trusted issuer says of a workload, and the rule that maps the workload to a client.
 */
import {
  authenticateClient,
  authenticationFailure,
  type ClientAuthRule,
  type PresentedClient,
  type PresentedWorkload,
} from '@grantor/protocol/client-auth'
import { assertionName } from '@grantor/protocol/grants'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import { matchingRule, tokenEnd, tokenIdOf } from '@grantor/protocol/trust'
import type { Json, TenantId } from '@grantor/protocol/types'
import { type ExaminationDependencies, type ExaminedToken, examineToken } from '../trust/examine-token.ts'
import type { AssertionUse } from './assertion.ts'

export interface WorkloadDependencies extends ExaminationDependencies {
  readonly clientAuthMethods: readonly ClientAuthRule[]
}

interface PresentedByWorkload {
  readonly tenant: TenantId
  readonly presented: PresentedClient
  readonly workload: PresentedWorkload
}

export interface ProvenWorkload {
  readonly client: Client
  /** Null where the token may be presented again. */
  readonly use: AssertionUse | null
  /** The key that the token is bound to; undefined for a bearer token. */
  readonly cnf: Json | undefined
}

export interface UnprovenWorkload {
  readonly refusal: Refusal
  /** The problem for the log; null where the presented token has none. */
  readonly problem: { readonly clientId: string | null; readonly reason: string } | null
}

export async function authenticateWorkload(
  { tenant, presented, workload }: PresentedByWorkload,
  deps: WorkloadDependencies,
): Promise<Result<ProvenWorkload, UnprovenWorkload>> {
  const unproven = (reason: string, clientId: string | null = null): Result<never, UnprovenWorkload> =>
    err({ refusal: refusalOf(workload), problem: { clientId, reason } })
  const examined = await examineToken(workload.jwt, tenant, deps)
  if (examined.kind === 'unavailable')
    return err({ refusal: { reason: 'issuer_unavailable', retryAfter: 5 }, problem: null })
  if (examined.kind === 'refused') return unproven(examined.problem)
  const rule = matchingRule(examined.issuer.rules ?? [], examined.jwt.claims)
  if (rule === null) return unproven('token_without_rule')
  if (workload.named !== null && workload.named !== rule.client) return unproven('token_of_another_client', rule.client)
  const client = await deps.directory.currentClient(tenant, rule.client)
  const input = { presented, client, now: deps.clock.now(), workloadOf: rule.client }
  const proven = authenticateClient(deps.clientAuthMethods, input)
  if (proven.kind === 'ok')
    return ok({ client: proven.value, use: useOf(examined, proven.value), cnf: examined.jwt.claims['cnf'] })
  const { reason } = authenticationFailure(input)
  return unproven(reason, client?.id ?? null)
}

/**
 * RFC 7521 §4.1.1, §4.2.1: a token presented as the grant is an invalid grant, one presented for the client an invalid
 * client.
 */
export const refusalOf = ({ asGrant }: PresentedWorkload): Refusal =>
  asGrant ? { reason: 'assertion_invalid' } : { reason: 'client_unauthenticated', challenge: false }

/** Identified as the grant is, so that the token is used once, in whichever of the two roles it is sent. */
function useOf(
  { issuer, jwt }: Extract<ExaminedToken, { kind: 'trusted' }>,
  { id: clientId }: Client,
): AssertionUse | null {
  const id = tokenIdOf(jwt)
  if (id === null || issuer.single_use === false) return null
  return { clientId, id: assertionName(issuer.issuer, id), expiresAt: tokenEnd(jwt) }
}
