/**
 * What happens before the tokens of an issuance are made: the policy service and the hook of the API are asked, and the
 * second named as `iat` is awaited. Both are asked after everything else is decided and before anything is used up, so
 * that a client which is told to try again can.
 */
import {
  type IssuanceHook,
  type IssuanceQuestion,
  issuanceEvaluation,
  issuanceHookRequest,
  type PolicyService,
  readEvaluation,
  readHookAnswer,
} from '@grantor/protocol/decisions'
import type { IssueDecision } from '@grantor/protocol/grants'
import { jwtType } from '@grantor/protocol/jose'
import { type Catalogue, type Refusal, type Resource, seconds } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { webhookHeaders } from '@grantor/protocol/webhooks'
import type { Keyring } from '../keys/keyring.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { askDecisionPoint } from '../decisions/ask-decision-point.ts'
import { type HookKeyDependencies, hookKey } from '../decisions/hook-key.ts'

export { whenIssuable } from './issue-time.ts'

export interface DecisionPointDependencies extends HookKeyDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly keyring: Keyring
  readonly outbound: Outbound
}

export interface DecidedRequest {
  readonly grantType: string
  readonly client: Client
  readonly catalogue: Catalogue
  readonly person: Person | null
}

type Checked = Result<IssueDecision, Refusal>
export type CheckIssuance = (decision: IssueDecision, asked: DecidedRequest) => Promise<Checked> | Checked

const epoch = 0 as Instant

/** Whether the API has a policy service or a hook. Few have; for the others this check is the only cost. */
export const asksOthers = ({ resource }: IssueDecision): boolean =>
  resource !== null && (resource.policyService !== undefined || resource.issuanceHook !== undefined)

/** Seconds after which a client may try again. */
const retryAfter = 2

/**
 * The check for one request. When the request is decided again on fresh facts and the question is the same, the earlier
 * answer is used instead of asking again.
 */
export function checkIssuanceOnce(deps: DecisionPointDependencies): CheckIssuance {
  const answers = new Map<string, Promise<JsonObject | null>>()
  const askOnce = (key: string, ask: () => Promise<JsonObject | null>): Promise<JsonObject | null> => {
    const answer = answers.get(key) ?? ask()
    answers.set(key, answer)
    return answer
  }

  async function askPolicyService(
    service: PolicyService,
    question: IssuanceQuestion,
    catalogue: Catalogue,
  ): Promise<Refusal | null> {
    const content = JSON.stringify(issuanceEvaluation(question))
    const answer = await askOnce(`${service.url} ${content}`, async () => {
      const headers = { 'x-request-id': deps.ids.id() }
      const authorization = `Bearer ${await ownToken(service.url, catalogue, deps)}`
      return askDecisionPoint(
        service,
        { type: 'application/json', content, headers },
        { authorization, purpose: 'policy_service', outbound: deps.outbound },
      )
    })
    const evaluation = readEvaluation(answer)
    if (evaluation === null) return refusalWithoutAnswer(service, 'policy_unavailable')
    return evaluation.decision ? null : { reason: 'policy_denied' }
  }

  async function askHook(hook: IssuanceHook, question: IssuanceQuestion): Promise<Result<HookChange | null, Refusal>> {
    // The cache key uses a fixed time, so that the same question asked a moment later has the same key.
    const key = JSON.stringify(issuanceHookRequest(question, epoch))
    const answer = await askOnce(`${hook.url} ${key}`, () => {
      const now = deps.clock.now()
      const content = JSON.stringify(issuanceHookRequest(question, now))
      const signingKey = hookKey(question.tenant, question.resource, deps)
      const headers = webhookHeaders({ id: deps.ids.id(), at: now, content }, [signingKey])
      return askDecisionPoint(
        hook,
        { type: 'application/json', content, headers },
        { authorization: null, purpose: 'issuance_hook', outbound: deps.outbound },
      )
    })
    const verdict = readHookAnswer(answer, { hook, scope: question.scope })
    if (verdict === null) {
      const refusal = refusalWithoutAnswer(hook, 'hook_unavailable')
      return refusal === null ? ok(null) : err(refusal)
    }
    return verdict.decision === 'deny' ? err({ reason: 'hook_denied' }) : ok(verdict)
  }

  return (decision, asked) => {
    const { resource } = decision
    return resource === null || !asksOthers(decision) ? ok(decision) : check(decision, { ...asked, resource })
  }

  async function check(
    decision: IssueDecision,
    { resource, catalogue, ...asked }: DecidedRequest & { readonly resource: Resource },
  ): Promise<Checked> {
    const tenant = catalogue.tenant.id
    const { subject, scope, claims } = decision
    const question = { ...asked, tenant, issuer: deps.issuers.issuerOf(tenant), resource, subject, scope, claims }
    const { policyService, issuanceHook } = resource
    const refusal = policyService === undefined ? null : await askPolicyService(policyService, question, catalogue)
    if (refusal !== null) return err(refusal)
    const change = issuanceHook === undefined ? ok(null) : await askHook(issuanceHook, question)
    if (change.kind === 'error') return change
    return ok(change.value === null ? decision : withChange(decision, change.value))
  }
}

interface HookChange {
  readonly claims: JsonObject
  readonly scope: IssueDecision['scope']
}

/**
 * Applies the change of a hook, which cannot replace claims of the protocol. It affects this access token alone: the
 * refresh token keeps its scope, and the hook is asked again when the refresh token is used.
 */
const withChange = (decision: IssueDecision, { claims, scope }: HookChange): IssueDecision => ({
  ...decision,
  scope,
  claims: { ...claims, ...decision.claims },
})

const refusalWithoutAnswer = (
  { on_failure: onFailure = 'deny' }: PolicyService,
  reason: 'policy_unavailable' | 'hook_unavailable',
): Refusal | null => (onFailure === 'allow' ? null : { reason, retryAfter })

/**
 * The token by which a policy service recognises the server: signed with the keys of the issuer, for this service
 * alone, valid for a minute. It is not an access token.
 */
async function ownToken(
  audience: string,
  catalogue: Catalogue,
  { clock, ids, issuers, keyring }: DecisionPointDependencies,
): Promise<string> {
  const issuer = issuers.issuerOf(catalogue.tenant.id)
  const iat = seconds(clock.now())
  const signer = await keyring.signer(catalogue, 'ES256')
  return signer.sign(jwtType.id, { iss: issuer, sub: issuer, aud: audience, iat, exp: iat + 60, jti: ids.id() })
}
