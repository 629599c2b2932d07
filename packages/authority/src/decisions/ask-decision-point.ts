/**
 * The one way in which an external service is asked for a decision: a signed question, a deadline, a short answer in
 * JSON.
 */
import { decisionLimits, type PolicyService } from '@grantor/protocol/decisions'
import { parseJsonObject } from '@grantor/protocol/http'
import type { JsonObject } from '@grantor/protocol/types'
import type { Outbound, OutboundCause, SignedMessage } from '../ports/outbound.ts'

/** Null where no valid answer came in time. */
export async function askDecisionPoint(
  { url, deadline_ms: deadline = decisionLimits.deadline }: PolicyService,
  message: SignedMessage,
  {
    authorization,
    purpose,
    outbound,
  }: Pick<OutboundCause, 'purpose'> & {
    readonly authorization: string | null
    readonly outbound: Pick<Outbound, 'submit'>
  },
): Promise<JsonObject | null> {
  const cause = { purpose, clientId: null }
  const types = ['application/json']
  const asked = { url, message, authorization, types, maxBytes: decisionLimits.answer, deadline, cause }
  const answer = await outbound.submit(asked)
  return answer.kind === 'error' ? null : parseJsonObject(Buffer.from(answer.value.body).toString())
}
