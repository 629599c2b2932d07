/** Clients that have no secret: what a trusted issuer says of a workload, and the rule that makes it a client. */
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
  /** Null where it may be shown again. */
  readonly use: AssertionUse | null
  /** What its token is bound to; undefined where whoever has the token may show it. */
  readonly cnf: Json | undefined
}

export interface UnprovenWorkload {
  readonly refusal: Refusal
  /** For the log; null where nothing is wrong with what was shown. */
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

/** RFC 7521 §4.1.1, §4.2.1: what stands for the grant is an invalid grant, what stands for the client an invalid client. */
export const refusalOf = ({ asGrant }: PresentedWorkload): Refusal =>
  asGrant ? { reason: 'assertion_invalid' } : { reason: 'client_unauthenticated', challenge: false }

/** As the grant names it, so that it is used once, whichever of the two it is sent as. */
function useOf(
  { issuer, jwt }: Extract<ExaminedToken, { kind: 'trusted' }>,
  { id: clientId }: Client,
): AssertionUse | null {
  const id = tokenIdOf(jwt)
  if (id === null || issuer.single_use === false) return null
  return { clientId, id: assertionName(issuer.issuer, id), expiresAt: tokenEnd(jwt) }
}
