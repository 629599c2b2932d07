/**
 * What is waited for before tokens are made: the policy service of the API, its hook, and a second that may be said. It
 * is asked when everything else is decided and nothing is used up yet, so that whoever is told to come again can.
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

/** Few do, and the others pay for no more than this. */
export const asksOthers = ({ resource }: IssueDecision): boolean =>
  resource !== null && (resource.policyService !== undefined || resource.issuanceHook !== undefined)

/** Seconds after which a client may well try again. */
const comeAgain = 2

/** For one request: one that is decided anew on fresh facts, and comes to the same question, is not asked it twice. */
export function checkIssuanceOnce(deps: DecisionPointDependencies): CheckIssuance {
  const answers = new Map<string, Promise<JsonObject | null>>()
  const remembered = (key: string, answer: () => Promise<JsonObject | null>): Promise<JsonObject | null> => {
    const known = answers.get(key) ?? answer()
    answers.set(key, known)
    return known
  }

  async function byPolicy(service: PolicyService, it: IssuanceQuestion, catalogue: Catalogue): Promise<Refusal | null> {
    const content = JSON.stringify(issuanceEvaluation(it))
    const answer = await remembered(`${service.url} ${content}`, async () => {
      const headers = { 'x-request-id': deps.ids.id() }
      const authorization = `Bearer ${await ownToken(service.url, catalogue, deps)}`
      return askDecisionPoint(
        service,
        { type: 'application/json', content, headers },
        { authorization, purpose: 'policy_service', outbound: deps.outbound },
      )
    })
    const evaluation = readEvaluation(answer)
    if (evaluation === null) return failed(service, 'policy_unavailable')
    return evaluation.decision ? null : { reason: 'policy_denied' }
  }

  async function byHook(hook: IssuanceHook, it: IssuanceQuestion): Promise<Result<HookChange | null, Refusal>> {
    const key = JSON.stringify(issuanceHookRequest(it, epoch))
    const answer = await remembered(`${hook.url} ${key}`, () => {
      const now = deps.clock.now()
      const content = JSON.stringify(issuanceHookRequest(it, now))
      const headers = webhookHeaders({ id: deps.ids.id(), at: now, content }, [hookKey(it.tenant, it.resource, deps)])
      return askDecisionPoint(
        hook,
        { type: 'application/json', content, headers },
        { authorization: null, purpose: 'issuance_hook', outbound: deps.outbound },
      )
    })
    const verdict = readHookAnswer(answer, { hook, scope: it.scope })
    if (verdict === null) {
      const refusal = failed(hook, 'hook_unavailable')
      return refusal === null ? ok(null) : err(refusal)
    }
    return verdict.decision === 'deny' ? err({ reason: 'hook_denied' }) : ok(verdict)
  }

  return (decision, asked) => {
    const { resource } = decision
    return resource === null || !asksOthers(decision) ? ok(decision) : checked(decision, { ...asked, resource })
  }

  async function checked(
    decision: IssueDecision,
    { resource, catalogue, ...asked }: DecidedRequest & { readonly resource: Resource },
  ): Promise<Checked> {
    const tenant = catalogue.tenant.id
    const { subject, scope, claims } = decision
    const about = { ...asked, tenant, issuer: deps.issuers.issuerOf(tenant), resource, subject, scope, claims }
    const { policyService, issuanceHook } = resource
    const refusal = policyService === undefined ? null : await byPolicy(policyService, about, catalogue)
    const hooked = refusal !== null || issuanceHook === undefined ? ok(null) : await byHook(issuanceHook, about)
    const refused = refusal ?? (hooked.kind === 'error' ? hooked.error : null)
    if (refused !== null) return err(refused)
    const change = hooked.kind === 'ok' ? hooked.value : null
    return ok(change === null ? decision : changed(decision, change))
  }
}

interface HookChange {
  readonly claims: JsonObject
  readonly scope: IssueDecision['scope']
}

/** The protocol has the last word; what the refresh token stands for is not the hook's, so that the next one is asked anew. */
const changed = (decision: IssueDecision, { claims, scope }: HookChange): IssueDecision => ({
  ...decision,
  scope,
  claims: { ...claims, ...decision.claims },
})

const failed = (
  { on_failure: holds = 'deny' }: PolicyService,
  reason: 'policy_unavailable' | 'hook_unavailable',
): Refusal | null => (holds === 'allow' ? null : { reason, retryAfter: comeAgain })

/** Who asks: signed with the keys of the issuer, for this service alone and a minute. It is no access token of ours. */
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
