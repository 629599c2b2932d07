/** AuthZEN, Authorization API 1.0 §5, §6: the request for a decision, and its response. */
import { isJsonObject, type JsonObject } from '../types.ts'
import { decisionLimits } from './decision-point.ts'
import { type IssuanceQuestion, personOf, signInOf } from './issuance-question.ts'

/** §5.1: who wants to act. */
export interface EvaluationSubject {
  readonly type: string
  readonly id: string
  readonly properties?: JsonObject
}
/** §5.2: the object of the action. */
export interface EvaluationResource {
  readonly type: string
  readonly id: string
  readonly properties?: JsonObject
}
/** §5.3: the action. */
export interface EvaluationAction {
  readonly name: string
  readonly properties?: JsonObject
}
/** §6.1. */
export interface EvaluationRequest {
  readonly subject: EvaluationSubject
  readonly action: EvaluationAction
  readonly resource: EvaluationResource
  readonly context?: JsonObject
}

/** The action that a policy judges when a token is issued. */
export const issueAction = 'issue_token'

export const issuanceEvaluation = (it: IssuanceQuestion): EvaluationRequest => ({
  subject: { type: it.person === null ? 'client' : 'user', id: it.subject, properties: personOf(it) },
  action: { name: issueAction, properties: { grant_type: it.grantType, scope: [...it.scope].toSorted() } },
  resource: { type: 'api', id: it.resource.identifier },
  context: { issuer: it.issuer, tenant: it.tenant, client_id: it.client.id, ...signInOf(it) },
})

export interface Evaluation {
  readonly decision: boolean
  /** The service's reason, for logs only: never shown to the client. */
  readonly reason: string | null
}

/** §6.2: null for an invalid response. A decision must be a boolean. */
export function readEvaluation(answer: unknown): Evaluation | null {
  if (!isJsonObject(answer)) return null
  const { decision, context }: JsonObject = answer
  if (typeof decision !== 'boolean') return null
  return { decision, reason: isJsonObject(context) ? reasonIn(context) : null }
}

/** §5.5.2 leaves the context to the service; a reason is a text, or one for each audience. */
function reasonIn(context: JsonObject): string | null {
  for (const name of ['reason', 'reason_admin', 'reason_user', 'id']) {
    const text = context[name]
    if (typeof text === 'string') return plainReason(text)
    const first = isJsonObject(text) ? Object.values(text satisfies JsonObject)[0] : undefined
    if (typeof first === 'string') return plainReason(first)
  }
  return null
}

/** Bounded, and with characters that are harmless in a log. */
export const plainReason = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, decisionLimits.reason)
