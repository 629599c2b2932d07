/** The answers of `/health`: that the process is alive, whether it can validate tokens, and if not, why. */
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { issuerFaultReasons, type StalePolicy, type Validator } from '@grantor/resource'
import { apiResponse, type Reply } from '@grantor/resource/http'

const health = { 'content-type': 'application/json', 'cache-control': 'no-store' }
export const liveReply = ok(apiResponse(200, health, '{"status":"ok"}'))

/**
 * Answers `/health/ready`. The page is public, so it names the kind of a fault and not the details of the operator's
 * log. `policies` are those that routes have for a stale revocation state.
 */
export function readyReply(
  validator: Pick<Validator, 'ready' | 'canAccept' | 'faults'>,
  policies: readonly StalePolicy[] = [],
): Reply {
  const faults = validator.faults?.() ?? []
  const reasons = faults.map(({ issuer, code }) => ({ issuer, code, reason: issuerFaultReasons[code] }))
  if (!validator.ready()) return notReady('Keys or revocation state are not here yet.', reasons)
  if (validator.canAccept?.(policies) === false)
    return notReady('Nothing was heard of revocations for so long that no token can be accepted.', reasons)
  return reasons.length === 0
    ? liveReply
    : ok(apiResponse(200, health, JSON.stringify({ status: 'ok', faults: reasons })))
}

/** 503, so that a load balancer sends requests to another instance. */
function notReady(detail: string, faults: readonly JsonObject[]): Reply {
  return err(
    problem('authorization-state-unavailable', detail, {
      headers: { 'retry-after': '1' },
      ...(faults.length === 0 ? {} : { members: { faults } }),
    }),
  )
}
